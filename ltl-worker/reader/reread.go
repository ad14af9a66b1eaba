package reader

import (
	"context"
	"net/http"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// RereadKept reads the weeks again from a document that was read in a way at a moment, and was kept.
func (r *Reader) RereadKept(
	ctx context.Context, kept *evidence.Store, env contracts.Environment, e contracts.Evidence,
	way carrier.Way, at time.Time,
) (Found, error) {
	doc, err := kept.Get(ctx, env, e.SHA256, e.At, func(contracts.Product) error { return nil })
	if err != nil {
		return Found{}, err
	}
	page := &scrape.Page{URL: e.URL, Body: doc.Body, ReadAt: at, Header: http.Header{}}
	for name, value := range doc.Header {
		page.Header.Set(name, value)
	}
	return r.weeks(way, []byte(page.Text()), contracts.Today(at))
}

// Reread reads a carrier's weeks again from the bytes of one document that was read at a time. It needs no network.
// Both parsers are tried, as an operator may have set the address of JSON: there is one list of weeks for each that
// understands the document.
func Reread(c contracts.Carrier, body []byte, at time.Time) [][]contracts.ObservedWeek {
	r := &Reader{Recipe: carrier.Config{}.Recipe(c)}
	page := &scrape.Page{Body: body, ReadAt: at}
	var readings [][]contracts.ObservedWeek
	for _, way := range []carrier.Way{carrier.API, carrier.Page} {
		if found, err := r.weeks(way, []byte(page.Text()), contracts.Today(at)); err == nil {
			readings = append(readings, slices.Concat(found.Coming, found.Weeks))
		}
	}
	return readings
}
