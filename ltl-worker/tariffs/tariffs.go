// Package tariffs answers what stands beside the weekly percents: the bracket tables of carriers, and the national
// prices of diesel. Their pages are read by packages bracket and diesel; the editions and prices that were seen are
// kept by packages edition and diesel.
package tariffs

import (
	"log/slog"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
	"assay.dev/platform/worker"
)

// Deps is what tables and prices need of the worker.
type Deps struct {
	Environment contracts.Environment
	Store       *cache.Store
	// Answers gives the stored and fresh answers of a source, such as "diesel" or "ESTES-table".
	Answers func(source string) *worker.Answers
	Keeper  *evidence.Keeper
	Scrape  scrape.Deps
	Log     *slog.Logger
	Clock   func() time.Time
}
