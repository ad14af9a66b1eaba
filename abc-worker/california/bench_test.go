package california

import (
	"testing"
	"time"

	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/license"
)

// BenchmarkReadBulkFile reads the export at its real size, 129,000 rows.
func BenchmarkReadBulkFile(b *testing.B) {
	licenses := license.New(contracts.DateOf(time.Now()), license.RealSize())
	file := registertest.BulkFile(b, california.New(licenses, time.Now), homeURL, exportURL)
	registertest.BenchmarkRead(b, file, readExport)
}
