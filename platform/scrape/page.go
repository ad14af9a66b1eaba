package scrape

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// Request is one page to get.
type Request struct {
	// Method defaults to GET, or to POST when there is a Form or a Body.
	Method string
	URL    string
	Header http.Header
	Body   []byte
	// Form is sent as application/x-www-form-urlencoded, sorted by name.
	Form url.Values
	// MaxBody replaces Config.MaxBody for a source that is known to be larger, such as a bulk file.
	MaxBody int64
	// Budget is how many decompressed bytes may still be read by all requests that share it. What a request reads is
	// taken from it while it arrives; one that finds too little fails. nil: no bound beside MaxBody.
	Budget *atomic.Int64
	// Timeout replaces Config.FetchTimeout.
	Timeout time.Duration
	// Subresource marks a request that belongs to a page being rendered, for which the host's rate was already paid:
	// a page with thirty scripts would never load at one request a second. The bound on concurrent requests holds.
	Subresource bool
}

// Page is an answer: status 2xx, or 304 to a conditional request.
type Page struct {
	// URL is where the page was found, after redirects.
	URL    string
	Status int
	Header http.Header
	// Body is decompressed; its charset is as sent.
	Body   []byte
	ReadAt time.Time
}

// Text is the body in UTF-8. The charset is taken from the Content-Type header or a BOM; without them a body that is
// valid UTF-8 is that, and any other is what its meta element says.
func (p *Page) Text() string {
	_, _, certain := charset.DetermineEncoding(p.Body, p.Header.Get("Content-Type"))
	if !certain && utf8.Valid(p.Body) {
		return string(p.Body)
	}
	r, err := charset.NewReader(bytes.NewReader(p.Body), p.Header.Get("Content-Type"))
	if err != nil {
		return string(p.Body)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return string(p.Body)
	}
	return string(text)
}
