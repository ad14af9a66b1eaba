package wire

import (
	"net/http"
	"slices"
	"testing"
)

// The last value of a header stands, but all that a reply varies by.
func TestHeadersAreWritten(t *testing.T) {
	t.Parallel()
	h, header := &headers{}, http.Header{"Vary": {"Cookie"}}
	h.set("Etag", "a").text("b")
	h.set("Vary", "Accept")
	h.set("Etag", "c")
	h.set("Vary", "Accept-Encoding")
	h.writeTo(header)
	if !slices.Equal(header["Vary"], []string{"Cookie", "Accept", "Accept-Encoding"}) || !slices.Equal(header["Etag"], []string{"c"}) {
		t.Errorf("%v", header)
	}
}
