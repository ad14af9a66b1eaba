package abcworker_test

import (
	"context"
	"testing"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

// Answers that follow each other hold every match once, in order, and count all matches; and each page stands in the
// copy that it names.
func TestAnswersThatFollowEachOther(t *testing.T) {
	t.Parallel()
	sizes := license.Sizes{}
	for _, state := range contracts.States {
		sizes[state] = 2500
	}
	s := startWith(t, sizes)
	s.worker(func(c *abcworker.Config) { c.Jobs = false })
	s.must(s.sandbox.Fault(texasHost, "", sandbox.Broken))
	for state, path := range map[contracts.State]license.Path{
		contracts.CA: license.Mirror, contracts.TX: license.Mirror, contracts.NY: license.Primary, contracts.IL: license.Mirror,
	} {
		q := contracts.Query{OwnerName: "e"}
		want := s.register().Search(state, path, q)
		var got []string
		r := contracts.SearchRequest{State: state, Query: q, Schema: contracts.AnswerSchema}
		for range 10 {
			a := s.searchAfter(r)
			s.verifyPage(t, a, 100, a.Results[len(a.Results)/2].Position())
			if a.Total != len(want) || len(a.Results) > contracts.MaxKept {
				t.Errorf("%s: %d of %d, want %d", state, len(a.Results), a.Total, len(want))
			}
			for _, record := range a.Results {
				got = append(got, record.LicenseNumber)
			}
			if a.Whole {
				break
			}
			r.After = a.Results[len(a.Results)-1].Position()
		}
		t.Logf("%s: %d matches", state, len(got))
		if len(got) != len(want) {
			t.Fatalf("%s: %d matches, want %d", state, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i].LicenseNumber {
				t.Fatalf("%s: match %d is %s, want %s", state, i, got[i], want[i].LicenseNumber)
			}
		}
	}
}

func (s *system) searchAfter(r contracts.SearchRequest) contracts.SearchAnswer {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	a, err := bus.Call[contracts.SearchAnswer](ctx, s.client, contracts.SearchSubject(contracts.Test, r.State), r)
	s.must(err)
	return a
}
