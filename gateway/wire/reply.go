package wire

import (
	"net/http"
	"time"

	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
)

// writeReply writes r, or 304 when the client has it.
func (s *Server) writeReply(x *exchange, r api.Reply) {
	h := x.newHeaders()
	if r.MediaType != "" {
		h.set("Content-Type", r.MediaType)
	}
	if x.route.AnyOrigin {
		h.set("Access-Control-Allow-Origin", "*")
	}
	switch {
	case r.Tier != "":
		h.freshness(r, x)
	case x.caller == nil:
		h.set("Cache-Control", "public, max-age=").number(int(r.MaxAge / time.Second))
	default:
		h.set("Cache-Control", "private, max-age=").number(int(r.MaxAge / time.Second))
	}
	h.set("Etag", r.ETag)
	if answers.MatchesETag(x.c.Request.Header["If-None-Match"], r.ETag) {
		x.send(h, http.StatusNotModified, nil)
		return
	}
	x.send(h, http.StatusOK, r.Body)
}

// freshness tells how old the data is, how long it holds, and how it was come by (RFC 9211).
func (h *headers) freshness(r api.Reply, x *exchange) {
	now := time.Now() // the source may have been read since the request began
	left := max(0, int(min(r.ExpiresAt.Sub(now), x.route.Product.MaxAge())/time.Second))
	if r.Partial {
		h.set("Cache-Control", "private, no-cache")
	} else {
		h.set("Cache-Control", "private, max-age=").number(left)
	}
	h.set("Age", "").number(max(0, int(now.Sub(r.ReadAt)/time.Second)))
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
