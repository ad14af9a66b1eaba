package illinois

import (
	"net/http"
	"testing"
	"time"

	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/license"
)

// BenchmarkReadBulkFile reads the export at its real size.
func BenchmarkReadBulkFile(b *testing.B) {
	licenses := license.New(contracts.DateOf(time.Now()), license.RealSize())
	site := illinois.New(licenses, func(*http.Request) bool { return false }, time.Now)
	registertest.BenchmarkRead(b, registertest.BulkFile(b, site, lookupURL, exportURL), readExport)
}
