package florida

import (
	"testing"
	"time"

	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/license"
)

// BenchmarkReadBulkFile reads the extract of licenses at its real size.
func BenchmarkReadBulkFile(b *testing.B) {
	licenses := license.New(contracts.DateOf(time.Now()), license.RealSize())
	file := registertest.BulkFile(b, florida.NewExtracts(licenses, time.Now), landingURL, licensesURL)
	registertest.BenchmarkRead(b, file, readLicenses)
}
