// Package register holds what the packages of the states have in common: the recipe that each of them makes, what
// its paths take and give, and how the fields of a license are read.
//
// A state is a package, such as california, whose function Recipe makes its [Recipe]: where its regulator
// publishes, what the regulator's words mean, and what each path can prove. No state imports another.
package register

import (
	"context"
	"time"
	_ "time/tzdata" // images have no time zones of their own

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/scrape"
)

// A lookup takes a number in the normal form of [contracts.NormalLicenseNumber]. No record (nil) is proof that
// there is no such license. A path that cannot prove that fails with kind unavailable instead.
type (
	LookupPath    = scrape.Path[string, *contracts.LicenseRecord]
	LookupReading = scrape.Reading[*contracts.LicenseRecord]
)

// A search takes a query with at least one member. A path that cannot answer a query fails with kind unavailable.
type (
	SearchPath    = scrape.Path[contracts.Query, Found]
	SearchReading = scrape.Reading[Found]
)

// Found is what a search gives. Total counts all matches; Records are the first [contracts.MaxResults] of them,
// ordered by license number.
type Found struct {
	Total   int
	Records []contracts.LicenseRecord
}

// Recipe is what is known of one state.
type Recipe struct {
	// Listing describes the state to callers. Its health, which changes while the worker runs, is empty here.
	Listing contracts.StateListing
	// Lookup and Search are the ways to the state's licenses, the preferred one first.
	Lookup []LookupPath
	Search []SearchPath
}

// Deps is what recipes read through.
type Deps struct {
	Environment contracts.Environment
	Fetcher     *scrape.Fetcher
	Mirrors     *mirror.Store
	// Answers keeps paid renders for later questions. When it is nil, each render serves one question only.
	Answers *cache.Store
	// Solver asks captcha-worker which service solves CAPTCHAs. Solve and Render have captcha-worker do paid work. All are
	// nil where no captcha-worker runs. The id names the job: a second call with the same id finds the first one's result
	// and is not paid for.
	Solver func(ctx context.Context) (contracts.SolverAnswer, error)
	Solve  func(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error)
	Render func(ctx context.Context, id string, job contracts.RenderJob) (contracts.RenderResult, error)
	// ReportBad tells the solving service that a site refused its solve. It returns at once. It may be nil.
	ReportBad func(contracts.SolveRef)
	// SODAToken is sent to Socrata's open-data services; empty means none.
	SODAToken string
	Clock     func() time.Time
}

// Today is the date in a regulator's time zone: licenses expire at its midnight.
func (d Deps) Today(zone *time.Location) contracts.Date { return contracts.DateOf(d.Clock().In(zone)) }

// Zone is the time zone of that name, such as "America/Chicago". It panics when there is none: names are literals.
func Zone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return zone
}
