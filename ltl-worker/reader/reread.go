package reader

import (
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/scrape"
)

// Reread reads the weeks again from a document that was read in a way on a day. It needs no network, and remembers nothing.
func (r *Reader) Reread(way carrier.Way, page *scrape.Page, today contracts.Date) (Found, error) {
	return r.weeks(way, []byte(page.Text()), today)
}

// Reread reads a carrier's weeks again from the bytes of one document that was read at a time. It needs no network. The
// parser of each of the carrier's ways is tried: there is one list of weeks for each that understands the document.
func Reread(c contracts.Carrier, body []byte, at time.Time) [][]contracts.ObservedWeek {
	r := &Reader{Recipe: carrier.Config{}.Recipe(c)}
	page := &scrape.Page{Body: body, ReadAt: at}
	var readings [][]contracts.ObservedWeek
	for _, way := range r.Ways() {
		if found, err := r.weeks(way, []byte(page.Text()), carrier.Today(at)); err == nil {
			readings = append(readings, slices.Concat(found.Coming, found.Weeks))
		}
	}
	return readings
}
