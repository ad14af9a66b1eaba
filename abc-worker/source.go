package abcworker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// source answers for one state.
type source struct {
	state    contracts.State
	recipe   register.Recipe
	licenses *scrape.Source[register.Question, register.Answer]
	searches *scrape.Source[register.Question, register.Answer]
	fetcher  *scrape.Fetcher
	keeper   *evidence.Keeper
	log      *slog.Logger
}

// newSource gives lookup and search breakers of their own, because they read different pages.
func newSource(s contracts.State, recipe register.Recipe, with register.Deps, deps scrape.Deps) *source {
	return &source{
		state: s, recipe: recipe, fetcher: with.Fetcher, keeper: with.Keeper, log: deps.Log,
		licenses: scrape.NewSource(string(s), deps, recipe.Paths(register.Lookup)...),
		searches: scrape.NewSource(string(s)+" search", deps, recipe.Paths(register.Search)...),
	}
}

// licenseRequest is r with its number in the normal form. It refuses a request for another state, and a number that
// is none of this state. The gateway has done the same, but other clients may call the worker too.
func (s *source) licenseRequest(r contracts.LicenseRequest) (contracts.LicenseRequest, error) {
	if r.State != s.state {
		return r, s.wrongState(r.State)
	}
	number, err := contracts.NormalLicenseNumber(s.state, r.Number)
	r.Number = number
	return r, err
}

func (s *source) wrongState(asked contracts.State) error {
	return contracts.Errorf(contracts.InvalidRequest,
		"state %q is asked where %s is served", contracts.Printable(string(asked)), s.state)
}

// searchRequest refuses a search in another state, one without a filter, and a filter without a letter or digit, which
// would match everything.
func (s *source) searchRequest(r contracts.SearchRequest) error {
	switch {
	case r.State != s.state:
		return s.wrongState(r.State)
	case r.Query == contracts.Query{}:
		return contracts.Errorf(contracts.InvalidRequest, "a search needs at least one of dba_name, owner_name and address")
	}
	return r.Validate()
}

// fullRetry is the retry time for callers who find the queues full, before a read or during it.
const fullRetry = 15 * time.Second

// admitLookup takes the place before a host that a lookup begins with.
func (s *source) admitLookup(ctx context.Context) (context.Context, func(), error) {
	if len(s.recipe.LookupHosts) == 0 {
		return cache.Anybody(ctx)
	}
	ctx, leave, err := s.fetcher.TakePlace(ctx, s.recipe.LookupHosts...)
	if err != nil {
		return ctx, nil, contracts.Wrap(err, contracts.SourceUnavailable, "too many requests wait for %s; retry later",
			s.state).After(fullRetry)
	}
	return ctx, leave, nil
}

// license reads one license. No record in the answer is proof that there is none.
func (s *source) license(ctx context.Context, r contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
	q := register.Question{Number: r.Number, Fresh: r.Fresh}
	result, err := s.licenses.Read(ctx, q.ForOnePass())
	if err != nil {
		return contracts.LicenseAnswer{}, told(err)
	}
	a := contracts.LicenseAnswer{
		Provenance: s.provenance(ctx, register.Lookup, q, result), Tally: result.Tally, State: s.state, Number: r.Number,
	}
	if len(result.Value.Records) > 0 {
		a.Record = &result.Value.Records[0]
	}
	a.EndWithVerdict(time.Now())
	s.log.InfoContext(ctx, "read a license", "state", s.state, "path", result.Path,
		"found", a.Record != nil, "confidence", result.Confidence())
	return a, nil
}

// search reads the licenses that match.
func (s *source) search(ctx context.Context, r contracts.SearchRequest) (contracts.SearchAnswer, error) {
	q := register.Question{Query: r.Query, After: r.After, Fresh: r.Fresh}
	result, err := s.searches.Read(ctx, q.ForOnePass())
	if err != nil {
		return contracts.SearchAnswer{}, told(err)
	}
	found := result.Value
	s.log.InfoContext(ctx, "searched licenses", "state", s.state, "path", result.Path,
		"total", found.Total, "complete", found.Complete, "confidence", result.Confidence())
	a := contracts.SearchAnswer{
		Provenance: s.provenance(ctx, register.Search, q, result), Tally: result.Tally,
		State: s.state, Query: r.Query, After: r.After, Total: found.Total, Results: found.Records, Tallies: found.Tallies,
		Whole:       found.Whole,
		NotReported: found.NotReported, Inferred: found.Inferred,
	}
	a.EndWithVerdict(time.Now())
	return a, nil
}

// told is a failure to read with what is known in spite of it, for callers.
func told(err error) error {
	var known *register.PartialFinding
	if contracts.CodeOf(err) != contracts.SourceUnavailable || !errors.As(err, &known) {
		return err
	}
	return contracts.Wrap(err, contracts.SourceUnavailable, "%s; look at the register itself, or retry later",
		known.Text).After(contracts.AsError(err).RetryAfter)
}

// leastKept is how long an answer is cached at least, also when what it was read from is past, or older than an answer
// may be.
const leastKept = 5 * time.Minute

// provenance lets an answer end a day after its source was read. The copy of a bulk file may be older than that, or than
// that of another worker, when no newer one could be had: such an answer is cached for leastKept only. It says itself how
// old it is. An answer by another path than the first of its operation ends soon, and so does one for which a second
// source could not be asked.
func (s *source) provenance(
	ctx context.Context, op register.Operation, q register.Question, result scrape.Result[register.Answer],
) contracts.Provenance {
	now := time.Now()
	expires := result.ReadAt.Add(contracts.LicenseTTL)
	if soonest := now.Add(leastKept); result.Value.IsPast || expires.Before(soonest) {
		expires = soonest
	}
	notes := slices.Clone(result.Value.Notes)
	first := s.recipe.First(op, q)
	fallback := result.Path != first.Name
	if fallback {
		notes = append(notes, contracts.Note{Code: contracts.NoteFallback, Message: fmt.Sprintf(
			"This should be read from %s, which could not answer; the answer is kept for 15 minutes at most.", first.Noun)})
	}
	missed := func(n contracts.Note) bool { return n.Code == contracts.NoteAccentsNotSearched }
	if latest := now.Add(contracts.FallbackTTL); (fallback || slices.ContainsFunc(notes, missed)) &&
		expires.After(latest) {
		expires = latest
	}
	p := result.Provenance()
	p.PublishedAt, p.ExpiresAt, p.Complete, p.Notes = result.Value.PublishedAt, expires.UTC(), result.Value.Complete, notes
	p.RefreshFailed = result.Value.RefreshFailed
	kept, all := s.keeper.Keep(ctx, evidence.Reading{Source: string(s.state), Path: result.Path, Rows: result.Value.Rows},
		result.Documents)
	p.NameEvidence(kept, all, now)
	return p
}

// health is the health of lookups, with the last success of a lookup or search, whichever was later.
func (s *source) health() contracts.SourceHealth {
	health, search := s.licenses.Health(), s.searches.Health()
	if search.LastSuccess != nil && (health.LastSuccess == nil || search.LastSuccess.After(*health.LastSuccess)) {
		health.LastSuccess, health.LastPath = search.LastSuccess, search.LastPath
	}
	return health
}
