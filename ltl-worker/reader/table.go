package reader

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/bracket"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/scrape"
)

// TablePaths read the bracket table from the carrier's first page, in the two ways that cost nothing: as a page, and in
// a browser. The likelier one is first.
func (r *Reader) TablePaths() []scrape.Path[contracts.Date, bracket.Table] {
	var paths []scrape.Path[contracts.Date, bracket.Table]
	for _, way := range r.Ways() {
		if way != carrier.Page && way != carrier.Rendered {
			continue
		}
		paths = append(paths, scrape.Path[contracts.Date, bracket.Table]{
			Name: string(way), Method: way.Method(), Timeout: 20 * time.Second,
			Read: func(ctx context.Context, _ contracts.Date) (scrape.Reading[bracket.Table], error) {
				return r.table(ctx, way)
			},
		})
	}
	return paths
}

func (r *Reader) table(ctx context.Context, way carrier.Way) (scrape.Reading[bracket.Table], error) {
	page, err := r.open(ctx, way, r.Pages[0], r.visit(ctx))
	if err != nil {
		return scrape.Reading[bracket.Table]{}, err
	}
	found, err := bracket.Read([]byte(page.Text()))
	if err != nil {
		return scrape.Reading[bracket.Table]{}, scrape.Failf(scrape.Changed, "%s: %w", r.Code, err)
	}
	return scrape.Reading[bracket.Table]{Value: found, Tally: found.Tally, EvidenceURL: page.URL, ReadAt: page.ReadAt}, nil
}
