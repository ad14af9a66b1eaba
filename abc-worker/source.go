package abcworker

import (
	"context"
	"log/slog"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// source answers for one state.
type source struct {
	state    contracts.State
	licenses *scrape.Source[string, *contracts.LicenseRecord]
	searches *scrape.Source[contracts.Query, register.Found]
	log      *slog.Logger
}

// newSource gives lookup and search breakers of their own, because they read different pages.
func newSource(s contracts.State, recipe register.Recipe, deps scrape.Deps, log *slog.Logger) *source {
	return &source{
		state: s, log: log,
		licenses: scrape.NewSource(string(s), deps, recipe.Lookup...),
		searches: scrape.NewSource(string(s)+" search", deps, recipe.Search...),
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

// searchRequest refuses a search in another state and one without a filter.
func (s *source) searchRequest(r contracts.SearchRequest) error {
	switch {
	case r.State != s.state:
		return s.wrongState(r.State)
	case r.Query == contracts.Query{}:
		return contracts.Errorf(contracts.InvalidRequest, "a search needs at least one of dba_name, owner_name and address")
	}
	return nil
}

// license reads one license. No record in the answer is proof that there is none.
func (s *source) license(ctx context.Context, r contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
	result, err := s.licenses.Read(ctx, r.Number)
	if err != nil {
		return contracts.LicenseAnswer{}, err
	}
	s.log.InfoContext(ctx, "read a license", "state", s.state, "path", result.Path,
		"found", result.Value != nil, "confidence", result.Confidence())
	return contracts.LicenseAnswer{
		Provenance: provenance(result.ReadAt, result.Method, result.EvidenceURL), Tally: result.Tally,
		State: s.state, Number: r.Number, Record: result.Value,
	}, nil
}

// search reads the licenses that match.
func (s *source) search(ctx context.Context, r contracts.SearchRequest) (contracts.SearchAnswer, error) {
	result, err := s.searches.Read(ctx, r.Query)
	if err != nil {
		return contracts.SearchAnswer{}, err
	}
	s.log.InfoContext(ctx, "searched licenses", "state", s.state, "path", result.Path,
		"total", result.Value.Total, "confidence", result.Confidence())
	return contracts.SearchAnswer{
		Provenance: provenance(result.ReadAt, result.Method, result.EvidenceURL), Tally: result.Tally,
		State: s.state, Query: r.Query, Total: result.Value.Total, Results: result.Value.Records,
	}, nil
}

// leastKept is how long an answer is cached at least, also when what it was read from is older than an answer may be.
const leastKept = 5 * time.Minute

// provenance lets an answer end a day after its source was read. The copy of a bulk file may be older than that,
// when no newer one could be had: such an answer is cached for leastKept only. It says itself how old it is.
func provenance(readAt time.Time, method contracts.Method, evidence string) contracts.Provenance {
	expires := readAt.Add(contracts.LicenseTTL)
	if soonest := time.Now().Add(leastKept); expires.Before(soonest) {
		expires = soonest
	}
	return contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: readAt.UTC(), ExpiresAt: expires.UTC(), Method: method, EvidenceURL: evidence}
}

// health is the health of lookups, with the last success of a lookup or search, whichever was later.
func (s *source) health() contracts.SourceHealth {
	health, search := s.licenses.Health(), s.searches.Health()
	if search.LastSuccess != nil && (health.LastSuccess == nil || search.LastSuccess.After(*health.LastSuccess)) {
		health.LastSuccess = search.LastSuccess
	}
	return health
}
