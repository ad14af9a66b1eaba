package site

import (
	"net/http"
	"strconv"

	"assay.dev/gateway/answers"
	"assay.dev/gateway/coding"
)

// content is a body that does not change. It is compressed when the first client asks for it so, and kept.
type content struct {
	mediaType, cacheControl, etag string
	plain                         []byte
	body                          *coding.Body
}

func newContent(body []byte, mediaType, cacheControl string) *content {
	return &content{
		mediaType: mediaType, cacheControl: cacheControl, etag: answers.ETag(body), plain: body,
		body: coding.NewBody(body),
	}
}

// servePage is serve as a [Page] has it.
func (c *content) servePage(w http.ResponseWriter, r *Request) error {
	c.serve(w, r.Request)
	return nil
}

// serve writes the body in the coding that the client takes, or 304 when the client has it.
func (c *content) serve(w http.ResponseWriter, r *http.Request) {
	chosen := coding.Identity
	h := w.Header()
	if coding.IsCodable(c.mediaType, len(c.plain)) {
		chosen = coding.Choose(r.Header["Accept-Encoding"])
		h.Add("Vary", "Accept-Encoding")
	}
	h.Set("Cache-Control", c.cacheControl)
	h.Set("X-Content-Type-Options", "nosniff")
	etag := chosen.ETag(c.etag)
	h.Set("Etag", etag)
	if answers.MatchesETag(r.Header["If-None-Match"], etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", c.mediaType)
	if chosen != coding.Identity {
		h.Set("Content-Encoding", string(chosen))
	}
	body := c.body.In(chosen)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) //nolint:gosec // content is built in or made by html/template; a client that hung up is not our failure
}
