package abcworker_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/texas"
)

// formerNumbers are licenses of TX that the copy shows clean, with the number that each had before 2021.
func (s *system) formerNumbers() (today []string, former map[string]string) {
	s.Helper()
	former = map[string]string{}
	for _, n := range s.plain(contracts.TX, 60) {
		i := slices.IndexFunc(s.register().Of(contracts.TX), func(l license.License) bool { return l.Number == n })
		for _, form := range s.register().Of(contracts.TX)[i].Forms {
			if form[0] >= 'A' && !strings.Contains(form, "-") {
				former[n], today = form, append(today, n)
			}
		}
	}
	return today, former
}

// hyphened is a former number as people write it.
func hyphened(former string) string {
	letters := strings.TrimRight(former, "0123456789")
	return strings.ToLower(letters) + "-" + former[len(letters):]
}

// A copy that lists the former number of a license knows the license by it: customers, members and delinquent lists.
func TestAFormerNumberIsThatOfTheLicense(t *testing.T) {
	t.Parallel()
	s := start(t)
	today, former := s.formerNumbers()
	if len(today) < 2 {
		t.Fatalf("%d licenses with a former number", len(today))
	}
	since := contracts.TX.Today(time.Now()).AddDays(-3)
	s.place(today[0], &texas.Hold{Since: since})
	s.place(today[1], nil)
	s.worker()
	asked := []string{former[today[0]], former[today[1]], "ZZ999999"}
	a, err := s.members(contracts.MembersRequest{State: contracts.TX, Numbers: asked})
	s.must(err)
	for i, n := range today[:2] {
		if m := a.Members[i]; m.LicenseNumber != n || m.Status == nil || *m.Status != contracts.Active {
			t.Errorf("%s is %s: %s", asked[i], n, show(m))
		}
	}
	if m := a.Members[2]; m.Status != nil || m.LicenseNumber != asked[2] || m.Verdict != contracts.Unverified {
		t.Errorf("a number that nothing has: %s", show(m))
	}
	l := a.Lists[0]
	if len(l.Named) != 1 || l.Named[asked[0]].Since != since || !slices.Equal(l.Unsure, asked[2:]) {
		t.Errorf("the list: %s", show(l))
	}
	found, err := s.match(contracts.MatchRequest{State: contracts.TX, Customers: []contracts.Customer{
		{LicenseNumber: asked[0]}, {LicenseNumber: hyphened(former[today[0]])}, {LicenseNumber: asked[0], Name: "Nobody's Diner", Street: "9 Nowhere Road"},
	}})
	s.must(err)
	for i, m := range found.Matches {
		matched := m.Outcome == contracts.Matched
		if len(m.Candidates) == 0 || m.Candidates[0].LicenseNumber != today[0] || matched == (i == 2) || strings.Contains(m.Reason, "has no license of the number") {
			t.Errorf("%d: %s", i, show(m))
		}
	}
}

// What was looked up by a former number ends with a change of the license, as what was looked up by that of today.
func TestAnswersByAFormerNumberEnd(t *testing.T) {
	s := start(t)
	s.solves(nil)
	today, former := s.formerNumbers()
	n := today[0]
	s.watcher(contracts.TX)
	s.comparedOnce(contracts.TX)
	for _, number := range []string{n, former[n]} {
		if a := s.look(contracts.TX, number); a.Record == nil || a.Record.LicenseNumber != n || a.Record.Status != contracts.Active {
			t.Fatalf("before: %s", show(a))
		}
	}
	s.must(s.register().Edit(contracts.TX, time.Now(), map[string]license.Edit{n: {Status: contracts.Suspended}}))
	s.awaitChanges(1)
	for _, number := range []string{n, former[n]} {
		if a := s.look(contracts.TX, number); a.Record == nil || a.Record.Status != contracts.Suspended {
			t.Errorf("after: %s", show(a))
		}
	}
}

// The serial that a license of NY had before 2022 is its former number; one that two licenses had is not understood.
func TestASerialIsThatOfTheLicense(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	licenses := s.register().Of(contracts.NY)
	older, isThere := s.register().Case(contracts.NY, "serial of two permits, the older")
	i := slices.IndexFunc(licenses, func(l license.License) bool {
		return l.Mirror != nil && l.Mirror.Status == contracts.Active && len(l.Forms) == 2 && !strings.Contains(l.Forms[0], "-")
	})
	twin := slices.IndexFunc(licenses, func(l license.License) bool { return l.Number == older.Number })
	if i < 0 || !isThere || twin < 0 {
		t.Fatal("the sandbox has no such licenses")
	}
	serial, today, two := licenses[i].Forms[0], licenses[i].Number, licenses[twin+1].Forms[0]
	a, err := s.members(contracts.MembersRequest{State: contracts.NY, Numbers: []string{serial, two, "9999999"}})
	s.must(err)
	if m := a.Members[0]; m.LicenseNumber != today || m.Verdict != contracts.Pass {
		t.Errorf("%s: %s", serial, show(m))
	}
	for _, m := range a.Members[1:] {
		if m.Verdict != contracts.Unverified {
			t.Errorf("%s", show(m))
		}
	}
	found, err := s.match(contracts.MatchRequest{State: contracts.NY, Customers: []contracts.Customer{{LicenseNumber: serial}}})
	s.must(err)
	if m := found.Matches[0]; m.Outcome != contracts.Matched || m.Candidates[0].LicenseNumber != today {
		t.Errorf("%s", show(m))
	}
}
