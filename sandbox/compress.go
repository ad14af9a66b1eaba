package sandbox

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

// compressor sends text as gzip to clients that accept it, as the real sites do.
type compressor struct {
	http.ResponseWriter
	accepted, decided bool
	zip               *gzip.Writer
	zips              *sync.Pool
}

// newZips holds writers that were used before: making one clears a megabyte.
func newZips() *sync.Pool {
	return &sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // the level is valid
		return w
	}}
}

func compressed(w http.ResponseWriter, r *http.Request, zips *sync.Pool) *compressor {
	return &compressor{ResponseWriter: w, accepted: strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"),
		zips: zips}
}

// WriteHeader decides whether this answer is compressed.
func (c *compressor) WriteHeader(code int) {
	h := c.Header()
	if !c.decided && c.accepted && code == http.StatusOK && h.Get("Content-Encoding") == "" &&
		textual(h.Get("Content-Type")) {
		h.Del("Content-Length")
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
		c.zip = c.zips.Get().(*gzip.Writer) //nolint:forcetypeassert // the pool holds nothing else
		c.zip.Reset(c.ResponseWriter)
	}
	c.decided = true
	c.ResponseWriter.WriteHeader(code)
}

func textual(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.Contains(contentType, "json") ||
		strings.Contains(contentType, "xml") || strings.Contains(contentType, "javascript")
}

// Write compresses when it was decided so.
func (c *compressor) Write(b []byte) (int, error) {
	if !c.decided {
		c.WriteHeader(http.StatusOK)
	}
	if c.zip != nil {
		return c.zip.Write(b)
	}
	return c.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController through.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *compressor) close() {
	if c.zip != nil {
		_ = c.zip.Close()
		c.zips.Put(c.zip)
		c.zip = nil
	}
}
