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

// checkSize refuses what is too large: 414, 431 and 413. maxUpload bounds a body that is wanted, in bytes; 0 where none
// is.
func checkSize(r *http.Request, maxUpload int64) error {
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
		return &tooLarge{http.StatusRequestHeaderFieldsTooLarge,
			fmt.Sprintf("the headers are larger than %d bytes", maxHeader)}
	}
	if maxUpload > 0 {
		if r.ContentLength > maxUpload {
			return bodyTooLarge(maxUpload)
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
	return contracts.Errorf(contracts.RequestTooLarge, "the body is larger than %d bytes; send less at once", limit)
}
