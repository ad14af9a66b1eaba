// Package register holds what the packages of the states have in common: the recipe that each of them makes, what
// its paths take and give, how the fields of a license are read, and what an answer may claim of them.
//
// A state is a package, such as california, whose function Recipe makes its [Recipe]: where its regulator
// publishes, what the regulator's words mean, and what each path can show. No state imports another.
package register

import (
	"context"
	"time"
	_ "time/tzdata" // images have no time zones of their own

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// Operation is what callers ask of a state.
type Operation string

// The operations.
const (
	Lookup Operation = "lookup"
	Search Operation = "search"
)

// Question is what a path is asked: a license by its number, or the licenses that match a query.
type Question struct {
	// Number is in the normal form of [contracts.NormalLicenseNumber]; empty for a search.
	Number string
	Query  contracts.Query
	// After is the license after which the results of a search begin.
	After contracts.Position
	// Fresh asks for what the source says now.
	Fresh bool

	// declined is set while the question goes from path to path, by one that cannot be asked it.
	declined *bool
}

// ForOnePass is the question for one pass over the paths, which may decline it.
func (q Question) ForOnePass() Question {
	q.declined = new(bool)
	return q
}

// Record is one license as a path read it.
type Record struct {
	contracts.LicenseRecord
	// Because says what the status follows from; it is empty when the source prints the status.
	Because string
	// Shown are members that this record has although its path cannot show them of every license.
	Shown contracts.Members
	// Unreadable are the members that are shown in a way that is not understood.
	Unreadable contracts.Members
	// Spots are where the number and, where it is printed, the status stand in the document; none where that is not known.
	Spots []scrape.Spot
}

// MatchGroup is N matches of which the same is to be said as of one of them.
type MatchGroup struct {
	Record
	N int
}

// Reading is what a path read. No record is what the path says when nothing matches; whether that proves anything is
// judged by what the path can show.
type Reading struct {
	// Records are those that match, in any order but where MatchGroups is set; at most one of a lookup.
	Records []Record
	// MatchGroups stand for all matches, where Records are some of them only, and the path knows them all: an answer says
	// of a search what is to be said of all its matches. nil: Records are what it speaks of.
	MatchGroups []MatchGroup
	// Total is how many match where Records are some of them only; 0 means that Records are all. More tells that there
	// are matches beyond the Records, which the path gives when it is asked to begin after the last of them.
	Total int
	More  bool
	// Unclear is how many matching rows could not be understood. They are not among Records.
	Unclear int
	// Cut says in a sentence that the source shows fewer licenses than match, such as "The form shows 250 of 900." It
	// is empty when nothing was cut. What [Reading.Total] leaves for later pages is not cut.
	Cut string
	// AccentsMissed tells that spellings with accents may be missing.
	AccentsMissed bool
	// PublishedAt is how old the source says its data is; zero when it does not say.
	PublishedAt time.Time
	// ReadAt is when the source was read; zero means just now. DataDate is that of the [mirror.Copy], of a copy.
	ReadAt, DataDate time.Time
	// RefreshFailed tells that a fresh reading was asked for, and that this is made of an older one.
	RefreshFailed bool
	// IsPast and IsShort are those of the [mirror.Copy].
	IsPast, IsShort bool
	EvidenceURL     string
	// Notes are further ones, such as which other types a number stands for.
	Notes []contracts.Note
}

// Answer is a reading after it was judged. Records are those of the page that was asked for.
type Answer struct {
	Records []contracts.LicenseRecord
	// Rows are the spots of the records by their numbers.
	Rows map[string][]scrape.Spot
	// Tallies are those of the records by themselves.
	Tallies               []contracts.Tally
	Total                 int
	Whole, Complete       bool
	RefreshFailed, IsPast bool
	PublishedAt           *time.Time
	NotReported, Inferred contracts.Members
	Notes                 []contracts.Note
}

// JudgedPath is a path that judges what it reads.
type JudgedPath = scrape.Path[Question, Answer]

// Path is one way to the licenses of a state, and what it can show of them.
type Path struct {
	Name   string
	Method contracts.Method
	// Timeout bounds one read; 0 means the default of package scrape.
	Timeout time.Duration
	// Noun is what is read, for people: "the daily export".
	Noun string
	// NotReported are the members that it cannot show; Inferred those that it always computes from something else.
	NotReported, Inferred contracts.Members
	// Misses says what may match and is not shown, in a sentence. A path that misses nothing proves that what it does
	// not show does not exist.
	Misses string
	// Asks tells whether the path can be asked the question; nil means any.
	Asks func(Question) bool
	// Schedule is how many days old, in the state's zone, the source may say that its data is; 0 when it never says.
	Schedule int
	// Form is set for a source that is asked by a form or rendered: all that it gave is kept, so that no page of the
	// results asks it again.
	Form bool
	Read func(context.Context, Question) (Reading, error)
}

// SaysActive tells whether a reading of a lookup says that the license is ACTIVE: what else the page says may speak
// against that.
func (r *Reading) SaysActive() bool {
	return len(r.Records) == 1 && r.Records[0].Status == contracts.Active
}

// How many days old data may be that are published on a schedule. What came before a holiday on a Thursday and the
// Friday after it is still the newest on Monday.
const (
	BusinessDays = 5
	Daily        = 3
)

// Recipe is what is known of one state.
type Recipe struct {
	// Listing describes the state to callers, without what [Recipe.Describe] adds.
	Listing contracts.StateListing
	// Required are the members that every answer must give, at most nine. They belong to the operation, not to the
	// path.
	Required map[Operation]contracts.Members
	// Lookup and Search are the ways to the state's licenses, the preferred one first.
	Lookup, Search []Path
	// Bulk are the files in whose copy customers are looked for.
	Bulk BulkFiles
	// Lists are the delinquent lists that the state publishes.
	Lists []HoldList
	// LookupHosts are where lookups begin, by the paths that there are: while the queues before all of them are full, a
	// lookup is refused before anything is done for it. None where that is left to the paths.
	LookupHosts []string
	// Paid tells that the first path of lookups costs money each time.
	Paid bool
	// Zone is where the regulator's days begin.
	Zone  *time.Location
	Clock func() time.Time
}

// Paths are the paths of an operation, each judging what it reads.
func (r Recipe) Paths(op Operation) []JudgedPath {
	var all []JudgedPath
	for _, p := range r.paths(op) {
		j := judge{Recipe: r, Path: p, op: op}
		all = append(all, JudgedPath{Name: p.Name, Method: p.Method, Timeout: p.Timeout, Read: j.read})
	}
	return all
}

func (r Recipe) paths(op Operation) []Path {
	if op == Lookup {
		return r.Lookup
	}
	return r.Search
}

// First is the path that a question should be answered by. Any other one is a fallback.
func (r Recipe) First(op Operation, q Question) Path {
	for _, p := range r.paths(op) {
		if p.Asks == nil || p.Asks(q) {
			return p
		}
	}
	return r.paths(op)[0]
}

// Deps is what recipes read through.
type Deps struct {
	Environment contracts.Environment
	Fetcher     *scrape.Fetcher
	Mirrors     *mirror.Store
	// Answers keeps paid renders for later questions. When it is nil, each render serves one question only.
	Answers *cache.Store
	// Keeper keeps what is read for several answers at once. nil keeps nothing.
	Keeper *evidence.Keeper
	// Solver asks captcha-worker which service solves CAPTCHAs. Solve and Render have captcha-worker do paid work. All
	// are nil where no captcha-worker runs. The id names the job: a second call with the same id finds the first one's
	// result and is not paid for.
	Solver func(ctx context.Context) (contracts.SolverAnswer, error)
	Solve  func(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error)
	Render func(ctx context.Context, id string, job contracts.RenderJob) (contracts.RenderResult, error)
	// ReportBad tells the solving service that a site refused its solve. It returns at once. It may be nil.
	ReportBad func(contracts.SolveRef)
	// SODAToken is sent to Socrata's open-data services; empty means none.
	SODAToken string
	// HoldColumns are the columns of TX's delinquent list.
	HoldColumns HoldColumns
	Clock       func() time.Time
}

// Today is the date in a regulator's time zone: licenses expire at its midnight.
func (d Deps) Today(zone *time.Location) contracts.Date { return contracts.DateOf(d.Clock().In(zone)) }
