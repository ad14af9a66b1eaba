package florida

import (
	"net/http"
	"testing"
	"time"

	"assay.dev/abc-worker/register/registertest"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/license"
)

// BenchmarkReadBulkFile reads the extract of licenses at its real size.
func BenchmarkReadBulkFile(b *testing.B) {
	site := func(l *license.Register) http.Handler { return florida.NewExtracts(l, time.Now) }
	registertest.BenchmarkBulkFile(b, site, landingURL, licensesURL, readLicenses)
}
