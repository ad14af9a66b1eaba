package wire

import (
	"fmt"
	"net/http"

	"assay.dev/contracts"
)

// What a request may measure.
const (
	maxURL    = 8 << 10
	maxHeader = 16 << 10
	maxBody   = 4 << 10
)

// checkSize refuses what is too large for an endpoint: 414, 431 and 413.
func checkSize(r *http.Request, to *route) error {
	if len(r.RequestURI) > maxURL {
		return &tooLarge{http.StatusRequestURITooLong, fmt.Sprintf("the URL is longer than %d bytes", maxURL)}
	}
	header := 0
	for name, values := range r.Header {
		for _, v := range values {
			header += len(name) + len(v) + len(": \r\n")
		}
	}
	if header > maxHeader {
		return &tooLarge{http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("the headers are larger than %d bytes", maxHeader)}
	}
	if to != nil && to.Upload != nil {
		if r.ContentLength > to.Upload.MaxBytes {
			return bodyTooLarge(to.Upload.MaxBytes)
		}
		return nil
	}
	if r.ContentLength > maxBody || r.ContentLength < 0 { // below 0: chunked
		return contracts.Errorf(contracts.RequestTooLarge,
			"these requests need no body; at most %d bytes of a stated length are allowed", maxBody)
	}
	return nil
}

func bodyTooLarge(limit int64) error {
	return contracts.Errorf(contracts.RequestTooLarge, "the body is larger than %d bytes; send its lines in several requests", limit)
}
