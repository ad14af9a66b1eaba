// Package state reads the liquor licenses of five states. Each state is one file with its recipe: where its regulator
// publishes, what its words mean, and what each path to it can prove.
package state

import (
	"context"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/scrape"
)

// A lookup is asked with a number in the normal form of [contracts.NormalLicenseNumber]. A nil record is proof that there
// is no such license; a path that cannot prove that fails with kind unavailable instead.
type (
	LookupPath    = scrape.Path[string, *contracts.LicenseRecord]
	LookupReading = scrape.Reading[*contracts.LicenseRecord]
)

// A search is asked with at least one member of the query. A path that cannot answer a query fails with kind unavailable.
type (
	SearchPath    = scrape.Path[contracts.Query, Found]
	SearchReading = scrape.Reading[Found]
)

// Found is what a search gives: Total counts all matches, Records are the first [contracts.MaxResults] by number.
type Found struct {
	Total   int
	Records []contracts.LicenseRecord
}

// Recipe is one state: its facts, and the paths to its licenses in order of preference.
type Recipe struct {
	// Listing has no live members.
	Listing contracts.StateListing
	Lookup  []LookupPath
	Search  []SearchPath
}

// Deps is what recipes read through.
type Deps struct {
	Environment contracts.Environment
	Fetcher     *scrape.Fetcher
	Mirrors     *mirror.Store
	// Answers may be nil: then a paid render serves its own read only.
	Answers *cache.Store
	// Solve and Render have paid work done; nil when nobody does it here. The id makes the job: one id is paid for once.
	Solve  func(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error)
	Render func(ctx context.Context, id string, job contracts.RenderJob) (contracts.RenderResult, error)
	// ReportBad tells the solver of a solve that the site refused. It does not wait, and may be nil.
	ReportBad func(contracts.SolveRef)
	// SODAToken is sent to Socrata services; empty: none.
	SODAToken string
	Clock     func() time.Time
}

// Mirrored are the states with bulk files, each under the state's code in package mirror.
var Mirrored = []contracts.State{contracts.CA, contracts.FL, contracts.IL}

// Recipes makes the recipe of each state.
var Recipes = map[contracts.State]func(Deps) Recipe{
	contracts.CA: California,
	contracts.FL: Florida,
	contracts.IL: Illinois,
	contracts.NY: NewYork,
	contracts.TX: Texas,
}
