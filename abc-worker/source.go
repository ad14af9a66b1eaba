package abcworker

import (
	"context"
	"log/slog"
	"time"

	"assay.dev/abc-worker/state"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// source answers for one state.
type source struct {
	state    contracts.State
	recipe   state.Recipe
	licenses *scrape.Source[string, *contracts.LicenseRecord]
	searches *scrape.Source[contracts.Query, state.Found]
	log      *slog.Logger
}

// newSource gives lookup and search their own breakers: they read different pages.
func newSource(s contracts.State, recipe state.Recipe, deps scrape.Deps, log *slog.Logger) *source {
	return &source{
		state: s, recipe: recipe, log: log,
		licenses: scrape.NewSource(string(s), deps, recipe.Lookup...),
		searches: scrape.NewSource(string(s)+" search", deps, recipe.Search...),
	}
}

// licenseRequest refuses a request for another state or without a number of this one, and brings the number into its normal
// form, which the gateway has done already.
func (s *source) licenseRequest(r contracts.LicenseRequest) (contracts.LicenseRequest, error) {
	if r.State != s.state {
		return r, contracts.Errorf(contracts.InvalidRequest, "state %q is asked where %s is served", contracts.Printable(string(r.State)), s.state)
	}
	number, err := contracts.NormalLicenseNumber(s.state, r.Number)
	r.Number = number
	return r, err
}

func (s *source) searchRequest(r contracts.SearchRequest) error {
	switch {
	case r.State != s.state:
		return contracts.Errorf(contracts.InvalidRequest, "state %q is asked where %s is served", contracts.Printable(string(r.State)), s.state)
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
	s.log.InfoContext(ctx, "read a license", "state", s.state, "path", result.Path, "found", result.Value != nil, "confidence", result.Confidence())
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
	s.log.InfoContext(ctx, "searched licenses", "state", s.state, "path", result.Path, "total", result.Value.Total, "confidence", result.Confidence())
	return contracts.SearchAnswer{
		Provenance: provenance(result.ReadAt, result.Method, result.EvidenceURL), Tally: result.Tally,
		State: s.state, Query: r.Query, Total: result.Value.Total, Results: result.Value.Records,
	}, nil
}

// leastKept is how long an answer is kept whose source could not be read for longer than an answer may be old.
const leastKept = 5 * time.Minute

// provenance lets an answer end a day after its source was read. The last good copy of a bulk file may be older: such an
// answer is kept for a moment only, and says itself how old it is.
func provenance(readAt time.Time, method contracts.Method, evidence string) contracts.Provenance {
	expires := readAt.Add(contracts.LicenseTTL)
	if soonest := time.Now().Add(leastKept); expires.Before(soonest) {
		expires = soonest
	}
	return contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: readAt.UTC(), ExpiresAt: expires.UTC(), Method: method, EvidenceURL: evidence}
}

// health is that of the lookup, and the last success of either.
func (s *source) health() contracts.SourceHealth {
	health, search := s.licenses.Health(), s.searches.Health()
	if search.LastSuccess != nil && (health.LastSuccess == nil || search.LastSuccess.After(*health.LastSuccess)) {
		health.LastSuccess = search.LastSuccess
	}
	return health
}
