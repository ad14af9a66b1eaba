package gateway

import (
	"net/http"
	"strings"
	"time"

	"assay.dev/gateway/answers"
)

// reply is a 200: its body and what its headers say of it.
type reply struct {
	body []byte
	kind string // its media type; JSON when empty
	etag string
	// readAt and expiresAt are those of the data; zero for a reply that is not read from a source.
	readAt, expiresAt time.Time
	// maxAge is used where expiresAt is zero.
	maxAge time.Duration
	// tier is the farthest that any of the data came from; empty for no data.
	tier      answers.Tier
	collapsed bool
	// partial replies lack a part that a later request may get: they are not to be kept.
	partial bool
}

// found is the reply of one answer.
func found(f answers.Found, err error) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	return reply{body: f.Body, etag: f.ETag, readAt: f.ReadAt, expiresAt: f.ExpiresAt, tier: f.Tier, collapsed: f.Collapsed}, nil
}

// reply writes r, or 304 when the client has it.
func (g *gateway) reply(e *exchange, r reply) {
	h := e.headers()
	if r.kind != "" {
		h.set("Content-Type", r.kind)
	}
	switch {
	case r.tier != "":
		h.freshness(r, e.began)
	case e.caller == nil:
		h.set("Cache-Control", "public, max-age=").number(int(r.maxAge / time.Second))
	default:
		h.set("Cache-Control", "private, max-age=").number(int(r.maxAge / time.Second))
	}
	h.set("Etag", r.etag)
	if matches(e.c.Request.Header["If-None-Match"], r.etag) {
		e.send(h, http.StatusNotModified, nil)
		return
	}
	e.send(h, http.StatusOK, r.body)
}

// freshness tells how old the data is, how long it holds, and how it was come by (RFC 9211).
func (h *headers) freshness(r reply, now time.Time) {
	left := max(0, int(r.expiresAt.Sub(now)/time.Second))
	if r.partial {
		h.set("Cache-Control", "private, no-cache")
	} else {
		h.set("Cache-Control", "private, max-age=").number(left)
	}
	h.set("Age", "").number(max(0, int(now.Sub(r.readAt)/time.Second)))
	switch {
	case r.tier != answers.Worker:
		h.set("Cache-Status", "assay;hit;ttl=").number(left).text(";detail=").text(string(r.tier))
	case r.collapsed:
		h.set("Cache-Status", "assay;fwd=miss;collapsed;ttl=").number(left)
	default:
		h.set("Cache-Status", "assay;fwd=miss;stored;ttl=").number(left)
	}
}

// matches tells whether If-None-Match names etag (RFC 9110 §13.1.2: weak comparison, lists, *).
func matches(ifNoneMatch []string, etag string) bool {
	for _, line := range ifNoneMatch {
		for tag := range strings.SplitSeq(line, ",") {
			if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
	}
	return false
}
