package gateway

import (
	"net/http"
	"strconv"
	"time"
)

// headers gathers a response's headers and writes them with few allocations: all values are parts of one string. Names
// are in Go's canonical form.
type headers struct {
	names []string
	ends  []int
	value []byte
}

// headers begins with those that every answer has.
func (e *exchange) headers(further int) *headers {
	const common = 10
	h := &headers{names: make([]string, 0, common+further), ends: make([]int, 0, common+further), value: make([]byte, 0, 512)}
	h.set("Content-Type", "application/json")
	h.set(headerRequestID, e.requestID)
	h.set("Traceresponse", "00-").text(e.own.TraceID().String()).text("-").text(e.own.SpanID().String())
	if e.own.IsSampled() {
		h.text("-01")
	} else {
		h.text("-00")
	}
	if e.caller != nil {
		h.set("Assay-Environment", string(e.caller.Environment))
	}
	if e.limited {
		h.limits(e)
	}
	return h
}

// limits are in the form of the IETF's draft-ietf-httpapi-ratelimit-headers and in the older one.
func (h *headers) limits(e *exchange) {
	d, reset := e.standing, seconds(e.standing.Reset)
	h.set("Ratelimit-Policy", `"default";q=`).number(d.Limit).text(";w=60")
	h.set("Ratelimit", `"default";r=`).number(d.Remaining).text(";t=").number(reset)
	h.set("X-Ratelimit-Limit", "").number(d.Limit)
	h.set("X-Ratelimit-Remaining", "").number(d.Remaining)
	h.set("X-Ratelimit-Reset", "").number(reset)
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

func (h *headers) writeTo(header http.Header) {
	all, values, start := string(h.value), make([]string, len(h.names)), 0
	for i, name := range h.names {
		values[i] = all[start:h.ends[i]]
		header[name] = values[i : i+1 : i+1]
		start = h.ends[i]
	}
}

// send writes the response. A HEAD's body is left out by the server; its length stands.
func (e *exchange) send(h *headers, status int, body []byte) {
	e.status = status
	if status != http.StatusNotModified {
		h.set("Content-Length", "").number(len(body))
	}
	h.writeTo(e.c.Writer.Header())
	e.c.Writer.WriteHeader(status)
	if len(body) > 0 {
		_, _ = e.c.Writer.Write(body) // a caller that hung up is not our failure
	} else {
		e.c.Writer.WriteHeaderNow()
	}
}

// seconds rounds up, so that who waits that long does not come too early.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
