package illinois

import (
	"net/http"
	"testing"
	"time"

	"assay.dev/abc-worker/register/registertest"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/license"
)

// BenchmarkReadBulkFile reads the export at its real size.
func BenchmarkReadBulkFile(b *testing.B) {
	site := func(l *license.Register) http.Handler {
		return illinois.New(l, func(*http.Request) bool { return false }, time.Now)
	}
	registertest.BenchmarkBulkFile(b, site, lookupURL, exportURL, readExport)
}
