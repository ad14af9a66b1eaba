package abcworker_test

import (
	"context"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
)

// A gateway of the version before shows all results that it is given, and its contract says 100 at most.
func TestGatewaysOfTheVersionBeforeAreGivenAHundredResults(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	q := contracts.Query{DBAName: "a"}
	now, err := s.search(contracts.NY, q)
	s.must(err)
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	before, err := bus.Call[contracts.SearchAnswer](ctx, s.client, contracts.SearchSubject(contracts.Test, contracts.NY),
		contracts.SearchRequest{State: contracts.NY, Query: q})
	s.must(err)
	if len(now.Results) <= contracts.MaxResults || len(before.Results) != contracts.MaxResults || before.Total != now.Total {
		t.Errorf("now %d results of %d, before %d of %d", len(now.Results), now.Total, len(before.Results), before.Total)
	}
	for i, r := range before.Results {
		if !same(r, now.Results[i]) {
			t.Errorf("result %d: %s, want %s", i, show(r), show(now.Results[i]))
		}
	}
}
