package wire

import (
	"net/http"
	"strconv"
	"time"

	"assay.dev/gateway/api"
)

// byCaller are the headers of a request that say who calls: no cache gives what one caller got to another one.
const byCaller = "X-API-Key, X-RapidAPI-Key, X-RapidAPI-User, Authorization, Cookie"

// headers gathers a response's headers and writes them with few allocations: all values are parts of one string. Names
// are in Go's canonical form. It is used again for other responses.
type headers struct {
	names []string
	ends  []int
	value []byte
}

// newHeaders begins a response's headers with those that every response has.
func (x *exchange) newHeaders() *headers {
	h := &x.head
	h.set("Content-Type", "application/json")
	h.set(headerRequestID, x.requestID)
	if x.hasTrace() {
		h.set("Traceresponse", traceparent(x.own))
	}
	if x.route.Access != api.Open {
		h.set("Vary", byCaller)
	}
	if x.caller != nil {
		h.set("Assay-Environment", string(x.caller.Environment))
	}
	if x.isLimited {
		h.limits(x)
	}
	return h
}

// limits are in the form of the IETF's draft-ietf-httpapi-ratelimit-headers.
func (h *headers) limits(x *exchange) {
	h.set("Ratelimit-Policy", `"default";q=`).number(x.limitState.Limit).text(";w=60")
	h.set("Ratelimit", `"default";r=`).number(x.limitState.Remaining).text(";t=").number(ceilSeconds(x.limitState.Reset))
}

// olderLimits are for clients that know only these.
func (h *headers) olderLimits(x *exchange) {
	h.set("X-Ratelimit-Limit", "").number(x.limitState.Limit)
	h.set("X-Ratelimit-Remaining", "").number(x.limitState.Remaining)
	h.set("X-Ratelimit-Reset", "").number(ceilSeconds(x.limitState.Reset))
}

// set begins a header; what text and number add belongs to it.
func (h *headers) set(name, value string) *headers {
	h.names, h.ends = append(h.names, name), append(h.ends, len(h.value))
	return h.text(value)
}

func (h *headers) text(s string) *headers {
	h.value = append(h.value, s...)
	h.ends[len(h.ends)-1] = len(h.value)
	return h
}

func (h *headers) number(n int) *headers {
	h.value = strconv.AppendInt(h.value, int64(n), 10)
	h.ends[len(h.ends)-1] = len(h.value)
	return h
}

func (h *headers) reset() { h.names, h.ends, h.value = h.names[:0], h.ends[:0], h.value[:0] }

func (h *headers) writeTo(header http.Header) {
	all, values, start := string(h.value), make([]string, len(h.names)), 0
	for i, name := range h.names {
		values[i] = all[start:h.ends[i]]
		if name == "Vary" { // each part of a reply names the headers that it goes by
			header[name] = append(header[name], values[i])
		} else {
			header[name] = values[i : i+1 : i+1]
		}
		start = h.ends[i]
	}
}

// send writes the response. A HEAD's body is left out by the server; its length stands.
func (x *exchange) send(h *headers, status int, body []byte) {
	x.status = status
	if x.c.Request.Method == http.MethodHead && status != http.StatusNotModified || len(body) > serverCounts {
		h.set("Content-Length", "").number(len(body))
	}
	h.writeTo(x.c.Writer.Header())
	x.c.Writer.WriteHeader(status)
	if len(body) > 0 {
		_, _ = x.c.Writer.Write(body) // a caller that hung up is not our failure
	} else {
		x.c.Writer.WriteHeaderNow()
	}
}

// serverCounts is the size up to which net/http finds a body's length by itself, and cheaper.
const serverCounts = 2048

// ceilSeconds rounds up, so that who waits that long does not come too early.
func ceilSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
