package registertest

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

// bulkFile is a bulk file as its publisher serves it to who brings the cookies of its landing page.
func bulkFile(t testing.TB, site http.Handler, landing, address string) []byte {
	t.Helper()
	welcome, answer := httptest.NewRecorder(), httptest.NewRecorder()
	site.ServeHTTP(welcome, httptest.NewRequestWithContext(t.Context(), http.MethodGet, landing, nil))
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	for _, cookie := range welcome.Result().Cookies() {
		request.AddCookie(cookie)
	}
	site.ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		t.Fatalf("%s answers %d", address, answer.Code)
	}
	return answer.Body.Bytes()
}

// BenchmarkBulkFile reads a bulk file at its real size, as a worker does that has just downloaded it.
func BenchmarkBulkFile(
	b *testing.B, site func(*license.Register) http.Handler, landing, address string,
	read func([]byte, func(mirror.Entry) error) (int, error),
) {
	b.Helper()
	file := bulkFile(b, site(license.New(contracts.DateOf(time.Now()), license.RealSize())), landing, address)
	rows := 0
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if rows, err = read(file, func(mirror.Entry) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows), "rows")
	b.ReportMetric(float64(len(file)), "file-bytes")
}
