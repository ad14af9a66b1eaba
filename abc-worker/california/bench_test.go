package california

import (
	"net/http"
	"testing"
	"time"

	"assay.dev/abc-worker/register/registertest"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/license"
)

// BenchmarkReadBulkFile reads the export at its real size, 129,000 rows.
func BenchmarkReadBulkFile(b *testing.B) {
	site := func(l *license.Register) http.Handler { return california.New(l, time.Now) }
	registertest.BenchmarkBulkFile(b, site, homeURL, exportURL, readExport)
}
