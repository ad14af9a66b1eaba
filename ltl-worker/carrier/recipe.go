// Package carrier holds what is known of the ten carriers: one file each, one line each in [Recipes].
//
// No live site could be reached when these were written. Each fact says how surely it is known: page (read in a stored
// copy of the source), code (seen in public code that reads it), doc (claimed by others), guess (our inference). A guess
// that is wrong makes its path fail, and never makes a wrong record.
package carrier

import (
	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// Recipe is all that is known of one carrier.
type Recipe struct {
	Code         contracts.Carrier
	SCAC         string // as filed; it may differ from Code
	Name         string
	Headquarters string
	Coverage     string
	// HistoryWeeks is how many weeks the carrier itself shows, as far as a request can ask for them.
	HistoryWeeks int
	Publication  Publication

	// Visit is opened first, for the session cookie that the other pages want; "" for none.
	Visit string
	// Pages show the weeks to people. The first one is the evidence; the others are tried when it does not read.
	Pages []string
	// Scripted pages are filled by scripts: they are rendered before they are tried as they come.
	Scripted bool
	// API are requests for the JSON behind the page, tried in turn; none when it is not known.
	API []Request

	// Rule tells the weeks of the carrier from everything else on its pages.
	Rule surcharge.Rule
	// APIRule is the Rule of the JSON.
	APIRule surcharge.Rule
}

// Request is one form of asking a JSON API.
type Request struct {
	Method string
	URL    string
	Body   string
}

// Recipes has one line for each carrier.
var Recipes = map[contracts.Carrier]Recipe{
	contracts.ODFL:    odfl,
	contracts.SAIA:    saia,
	contracts.ESTES:   estes,
	contracts.ABF:     abf,
	contracts.RLC:     rlc,
	contracts.TFORCE:  tforce,
	contracts.XPO:     xpo,
	contracts.SEFL:    sefl,
	contracts.AVERITT: averitt,
	contracts.FEDEX:   fedex,
}

// Ways a recipe is read; each is a path of its source.
type Way string

// The ways, with their names in metrics and transcripts.
const (
	API      Way = "api"
	Page     Way = "page"
	Rendered Way = "rendered"
	Scraper  Way = "scraper"
)

// Method is what an answer that was read in this way says of itself.
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

// Ways lists how the recipe is read, in order of preference.
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

// Listing is the carrier as callers see it, without the live part.
func (r Recipe) Listing() contracts.CarrierListing {
	ways := r.Ways()
	l := contracts.CarrierListing{
		Code: r.Code, SCAC: r.SCAC, Name: r.Name, Headquarters: r.Headquarters, Coverage: r.Coverage,
		PublicationDay:       r.Publication.Day.String(),
		PublishesDieselPrice: r.Rule.Diesel != surcharge.Absent,
		HistoryWeeks:         r.HistoryWeeks,
		ExtractionMethod:     ways[0].Method(),
		FallbackMethods:      []contracts.Method{},
		SourceURL:            r.Pages[0],
		CacheTTLSeconds:      int(contracts.SurchargeTTL.Seconds()),
	}
	for _, w := range ways[1:] {
		if m := w.Method(); m != l.ExtractionMethod && (len(l.FallbackMethods) == 0 || m != l.FallbackMethods[len(l.FallbackMethods)-1]) {
			l.FallbackMethods = append(l.FallbackMethods, m)
		}
	}
	return l
}
