package state

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/illinois"
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

// BenchmarkReadBulkFile reads each bulk file at its real size, as a worker does that has just downloaded it; California's
// has 129,000 rows.
func BenchmarkReadBulkFile(b *testing.B) {
	today := contracts.DateOf(time.Now())
	register := license.New(today, license.RealSize())
	readCalifornia := func(body []byte, add func(mirror.Entry) error) (int, error) {
		return readCaliforniaExport(body, today, add)
	}
	for name, file := range map[string]struct {
		site             http.Handler
		landing, address string
		read             func([]byte, func(mirror.Entry) error) (int, error)
	}{
		"CA": {california.New(register, time.Now), californiaHome, californiaExportURL, readCalifornia},
		"FL": {florida.NewExtracts(register, time.Now), floridaLandingURL, floridaExtractURL, readFloridaLicenses},
		"IL": {
			illinois.New(register, func(*http.Request) bool { return false }, time.Now), illinoisLookupURL, illinoisExportURL,
			readIllinoisExport,
		},
	} {
		b.Run(name, func(b *testing.B) {
			body, rows := bulkFile(b, file.site, file.landing, file.address), 0
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if rows, err = file.read(body, func(mirror.Entry) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(float64(len(body)), "file-bytes")
		})
	}
}
