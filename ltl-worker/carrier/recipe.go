// Package carrier holds what is known of the carriers. Each carrier has one entry in [Recipes].
//
// No live site could be reached when the files were written, so a word in brackets behind a fact says how surely it
// is known: "page" was read in a stored copy of the source, "code" was seen in public code that reads the source,
// "doc" is claimed by others, and "guess" is our inference. A wrong guess makes its path fail; it never makes a wrong
// record.
package carrier

import (
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// Recipe is all that is known of one carrier.
type Recipe struct {
	Code         contracts.Carrier
	SCAC         string // the carrier's code at the NMFTA, as it files tariffs; it may differ from Code
	Name         string
	Headquarters string
	Coverage     string
	// HistoryWeeks is how many weeks the carrier itself shows, at most [contracts.MaxWeeks].
	HistoryWeeks int
	Publication  Publication
	// PriceLag is how many days the Monday whose national price a week follows lies before the week's first day; 0: that
	// Monday is the last one before it.
	PriceLag int
	// FuelRule is how the surcharge is applied, as far as that is sure: read on the carrier's pages, or seen in the
	// dates of a real week. What others claim and what we infer stays out.
	FuelRule contracts.FuelRule
	// Table is the carrier's table of brackets; nil where none is known.
	Table *Table

	// Visit is a page that is opened first, because the other pages need its session cookie; "" for none.
	Visit string
	// Pages show the weeks to people. The first one is the evidence. The others are tried when the first cannot be
	// read.
	Pages []string
	// Scripted is set for pages that scripts fill: they are rendered first, and only then read without rendering.
	Scripted bool
	// API are requests for the JSON behind the page, tried in turn. It is empty when no address is known.
	API []Request

	// Rule is how the weeks are found on the carrier's pages and in the JSON.
	Rule surcharge.Rule
}

// Request is one request to a JSON API.
type Request struct {
	Method string
	URL    string
	Body   string
}

// Way is one way of reading a carrier. Each way becomes a path, with a breaker of its own.
type Way string

// The ways, by their names in metrics and transcripts.
const (
	API      Way = "api"
	Page     Way = "page"
	Rendered Way = "rendered"
	Scraper  Way = "scraper"
)

// Method is the extraction method of an answer that was read in this way.
func (w Way) Method() contracts.Method {
	switch w {
	case API:
		return contracts.APIMirror
	case Scraper:
		return contracts.ScraperAPI
	default:
		return contracts.StructuredParse
	}
}

// Ways lists the ways in which the carrier is read, in order of preference.
func (r Recipe) Ways() []Way {
	ways := []Way{Page, Rendered, Scraper}
	if r.Scripted {
		ways = []Way{Rendered, Page, Scraper}
	}
	if len(r.API) > 0 {
		ways = append([]Way{API}, ways...)
	}
	return ways
}

// PrintsDiesel tells whether the carrier prints a diesel price by any of its ways.
func (r Recipe) PrintsDiesel() bool { return !r.Rule.NoDiesel }

// PriceMonday is the Monday whose national price of diesel the week that begins on first follows. A holiday may have
// moved first by a day.
func (r Recipe) PriceMonday(first contracts.Date) contracts.Date {
	const week = 7
	due := r.Publication.Effective
	ahead := (int(due) - int(first.Time().Weekday()) + week) % week
	if ahead > week/2 {
		ahead -= week
	}
	begins := first.AddDays(ahead)
	if r.PriceLag > 0 {
		return begins.AddDays(-r.PriceLag)
	}
	return begins.AddDays(-((int(due)-int(time.Monday)+week-1)%week + 1))
}

// withWeekday is the recipe whose rule knows on which weekday the carrier's weeks begin.
func (r Recipe) withWeekday() Recipe {
	day := r.Publication.Effective
	r.Rule.Weekday = &day
	return r
}

// Listing is the carrier as callers see it, without the health of its source.
func (r Recipe) Listing() contracts.CarrierListing {
	ways := r.Ways()
	l := contracts.CarrierListing{
		Code: r.Code, SCAC: r.SCAC, Name: r.Name, Headquarters: r.Headquarters, Coverage: r.Coverage,
		PublicationDay:       r.Publication.Day.String(),
		PublishesDieselPrice: r.PrintsDiesel(),
		HistoryWeeks:         r.HistoryWeeks,
		ExtractionMethod:     ways[0].Method(),
		FallbackMethods:      []contracts.Method{},
		SourceURL:            r.Pages[0],
		CacheTTLSeconds:      int(contracts.SurchargeTTL.Seconds()),
		FuelRule:             r.FuelRule,
	}
	for _, w := range ways[1:] {
		if m := w.Method(); m != l.ExtractionMethod && !slices.Contains(l.FallbackMethods, m) {
			l.FallbackMethods = append(l.FallbackMethods, m)
		}
	}
	return l
}
