package wire

import (
	"net/http"
	"time"

	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
	"assay.dev/gateway/coding"
)

// writeReply writes r, or 304 when the client has it.
func (s *Server) writeReply(x *exchange, r api.Reply) {
	h := x.newHeaders()
	if r.MediaType != "" {
		h.set("Content-Type", r.MediaType)
	}
	for _, header := range r.Headers {
		h.set(header.Name, header.Value)
	}
	if x.route.AnyOrigin {
		h.set("Access-Control-Allow-Origin", "*")
	} else {
		h.setOrigin(x.origin)
	}
	switch {
	case x.route.Method != "":
		h.set("Cache-Control", "no-store")
	case r.Tier != "":
		h.freshness(r, x)
	case x.caller == nil:
		h.set("Cache-Control", "public, max-age=").number(int(r.MaxAge / time.Second))
	default:
		h.set("Cache-Control", "private, max-age=").number(int(r.MaxAge / time.Second))
	}
	if x.route.Method != "" {
		status := http.StatusOK
		if r.Created {
			status = http.StatusCreated
		}
		x.send(h, status, r.Body)
		return
	}
	chosen := chooseCoding(x, r)
	if vary := varyOf(x, r); vary != "" {
		h.set("Vary", vary)
	}
	etag := chosen.ETag(r.ETag)
	h.set("Etag", etag)
	if answers.MatchesETag(x.c.Request.Header["If-None-Match"], etag) {
		x.send(h, http.StatusNotModified, nil)
		return
	}
	if chosen != coding.Identity {
		h.set("Content-Encoding", string(chosen))
	}
	x.send(h, http.StatusOK, codedBody(r, chosen))
}

func codedBody(r api.Reply, chosen coding.Coding) []byte {
	if r.Coded != nil {
		return r.Coded.In(chosen)
	}
	return chosen.Compress(r.Body)
}

// chooseCoding is how the body is compressed: not at all when it is small, or when the client does not ask for it.
func chooseCoding(x *exchange, r api.Reply) coding.Coding {
	accept := x.c.Request.Header["Accept-Encoding"]
	if len(accept) == 0 || !coding.IsCodable(r.MediaType, len(r.Body)) {
		return coding.Identity
	}
	return coding.Choose(accept)
}

// varyOf names the headers of the request by which replies to one caller differ, in one header, as each header costs. A
// reply to a request without Accept has none for it, since it is JSON for every client; so is one without
// Accept-Encoding, whose body is not compressed.
func varyOf(x *exchange, r api.Reply) string {
	names := 0
	if x.route.Table != nil && x.c.Request.Header["Accept"] != nil {
		names |= variesByAccept
	}
	if coding.IsCodable(r.MediaType, len(r.Body)) && x.c.Request.Header["Accept-Encoding"] != nil {
		names |= variesByCoding
	}
	if x.origin != "" && x.origin != anyOrigin {
		names |= variesByOrigin
	}
	return varies[names]
}

const (
	variesByAccept = 1 << iota
	variesByCoding
	variesByOrigin
)

// varies are the values of Vary for each set of reasons.
var varies = [8]string{
	"", "Accept", "Accept-Encoding", "Accept, Accept-Encoding",
	"Origin", "Accept, Origin", "Accept-Encoding, Origin", "Accept, Accept-Encoding, Origin",
}

// freshness tells how old the data is, how long it holds, and how it was come by (RFC 9211).
func (h *headers) freshness(r api.Reply, x *exchange) {
	now := time.Now() // the source may have been read since the request began
	left := max(0, int(min(r.ExpiresAt.Sub(now), x.route.Product.MaxAge())/time.Second))
	age := max(0, int(now.Sub(r.ReadAt)/time.Second))
	if r.Partial {
		h.set("Cache-Control", "private, no-cache")
	} else {
		h.set("Cache-Control", "private, max-age=").number(age + left) // caches take Age off (RFC 9111 §4.2)
	}
	h.set("Age", "").number(age)
	switch {
	case r.RefreshFailed:
		h.set("Cache-Status", "assay;hit;detail=refresh-failed")
	case r.Tier != answers.Worker:
		h.set("Cache-Status", "assay;hit;ttl=").number(left).text(";detail=").text(string(r.Tier))
	case r.Collapsed:
		h.set("Cache-Status", "assay;fwd=").text(forwarded(x)).text(";collapsed;ttl=").number(left)
	default:
		h.set("Cache-Status", "assay;fwd=").text(forwarded(x)).text(";stored;ttl=").number(left)
	}
}

// forwarded is why a worker was asked: the request did not take a copy, or there was none.
func forwarded(x *exchange) string {
	if x.request.Fresh {
		return "request"
	}
	return "miss"
}
