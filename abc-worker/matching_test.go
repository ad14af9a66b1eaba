package abcworker_test

import (
	"context"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
)

func (s *system) match(r contracts.MatchRequest) (contracts.MatchAnswer, error) {
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.MatchAnswer](ctx, s.client, contracts.MatchSubject(contracts.Test, r.State), r)
}

// A worker finds the licenses of customers in its copy and names the edition; a state without a copy is an error, and never a customer
// without a license.
func TestCustomersAreFoundInTheCopy(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	ask := func(state contracts.State, customers ...contracts.Customer) (contracts.MatchAnswer, error) {
		return s.match(contracts.MatchRequest{State: state, Customers: customers})
	}
	for _, state := range contracts.States {
		var of contracts.LicenseRecord
		for _, l := range s.register().Of(state) {
			if l.Mirror != nil && l.Mirror.DBAName != "" && l.Mirror.Address.Street != "" {
				of = *l.Mirror
			}
		}
		a, err := ask(state, contracts.Customer{LicenseNumber: of.LicenseNumber}, contracts.Customer{Name: "Nobody's Diner", Street: "9 Nowhere", ZipCode: "00000"},
			contracts.Customer{Name: of.DBAName, Street: of.Address.Street, City: of.Address.City, ZipCode: of.Address.ZipCode})
		switch {
		case err != nil:
			t.Fatal(err)
		case len(a.Matches) != 3 || a.Edition.State != state || a.Edition.Licenses < 1000 || len(a.Edition.Evidence) == 0 || a.Edition.ReadAt.IsZero():
			t.Errorf("%s: %s", state, show(a))
		case a.Matches[0].Outcome != contracts.Matched || a.Matches[0].Candidates[0].LicenseNumber != of.LicenseNumber || a.Matches[1].Outcome != contracts.NoMatch:
			t.Errorf("%s: %s", state, show(a.Matches))
		case !a.Matches[2].Outcome.IsResolved() || a.Matches[2].Candidates[0].DBAName != of.DBAName:
			t.Errorf("%s: %s is %s", state, show(of), show(a.Matches[2]))
		}
	}
	if _, err := ask(contracts.CA); contracts.CodeOf(err) != contracts.InvalidRequest {
		t.Errorf("no customers: %v", err)
	}
}

func TestNoCopyIsNoAnswerAboutCustomers(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.must(s.sandbox.Inject(sandbox.Fault{Host: "www.abc.ca.gov", Kind: sandbox.Broken}))
	s.worker()
	_, err := s.match(contracts.MatchRequest{State: contracts.CA, Customers: []contracts.Customer{{LicenseNumber: "400000"}}})
	if contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("%v", err)
	}
}

// A license whose row is not understood is no match, and that is the reason, by whatever the customer's line gives.
func TestARowThatIsNotUnderstoodIsTheReason(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for _, l := range s.register().Of(contracts.IL) {
		if l.Case != "no expiration" || l.Primary == nil {
			continue
		}
		r := l.Primary
		of := contracts.Customer{Name: r.DBAName, Street: r.Address.Street, City: r.Address.City, ZipCode: r.Address.ZipCode}
		both := of
		both.LicenseNumber = l.Number
		a, err := s.match(contracts.MatchRequest{State: contracts.IL, Customers: []contracts.Customer{of, both, {LicenseNumber: l.Number}}})
		s.must(err)
		for i, m := range a.Matches {
			if m.Outcome != contracts.Review || m.Reason != "The register's row of the license that fits is not understood." {
				t.Errorf("%d: %s", i, show(m))
			}
		}
		return
	}
	t.Fatal("no such license")
}
