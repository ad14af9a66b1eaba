package scrape

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"
)

func FuzzReadBody(f *testing.F) {
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	_, _ = gz.Write(bytes.Repeat([]byte("<td>46.32%</td>"), 1000))
	_ = gz.Close()
	f.Add(packed.Bytes(), "gzip")
	f.Add(packed.Bytes()[:packed.Len()/2], "gzip")
	f.Add([]byte("plain"), "")
	f.Add([]byte("plain"), "br")
	f.Fuzz(func(t *testing.T, wire []byte, encoding string) {
		resp := &http.Response{Header: http.Header{"Content-Encoding": {encoding}}, Body: io.NopCloser(bytes.NewReader(wire)), ContentLength: -1}
		body, err := readBody(resp, 4096, nil, func() {})
		if len(body) > 4096 || err != nil && body != nil {
			t.Errorf("%d bytes, %v", len(body), err)
		}
	})
}

func FuzzFollow(f *testing.F) {
	for _, to := range []string{"/x", "//evil.net/x", "https://www.site.com@evil.net/", "http:\\\\evil.net", "https://site.com.evil.net/", "https://[::1]/", "?a", "\x00"} {
		f.Add(to)
	}
	f.Fuzz(func(t *testing.T, to string) {
		page := &Page{URL: "https://www.site.com/a", Status: http.StatusFound, Header: http.Header{"Location": {to}}}
		next, ok, err := follow(Request{}, page)
		if ok != (err == nil) {
			t.Fatalf("%v, %v", ok, err)
		}
		if !ok {
			return
		}
		req, err := next.build(t.Context(), "ua")
		if err != nil {
			return
		}
		if host := req.URL.Hostname(); !SameSite(host, "site.com") {
			t.Errorf("%q leads to %q", to, host)
		}
	})
}
