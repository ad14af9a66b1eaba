package abcworker_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox/texas"
)

func (s *system) place(number string, hold *texas.Hold) {
	s.Helper()
	if !s.sandbox.Licensing().Holds.Place(number, hold, time.Now()) {
		s.Fatalf("there is no license %s", number)
	}
}

// list is what TX's list says of licenses; none while it is not read.
func (s *system) list(numbers ...string) (contracts.PublicList, bool) {
	s.Helper()
	a, err := s.members(contracts.MembersRequest{State: contracts.TX, Numbers: numbers, ListsOnly: true})
	s.must(err)
	if len(a.Lists) == 0 {
		return contracts.PublicList{}, false
	}
	return a.Lists[0], true
}

// What TX's list says comes with its date and its kept file. Of several rows the strictest counts, and a number that the list does not have is
// not said to be free.
func TestTexasPublishesADelinquentList(t *testing.T) {
	t.Parallel()
	s := start(t)
	n := s.plain(contracts.TX, 4)
	today := contracts.TX.Today(time.Now())
	s.place(n[0], &texas.Hold{Since: today.AddDays(-3)})
	s.place(n[1], &texas.Hold{Since: today, Exempt: true})
	s.place(n[2], nil)
	s.worker(func(c *abcworker.Config) {
		c.HoldColumns = register.HoldColumns{Number: "license_id", Since: "effective_date", Exempt: "bankruptcy"}
	})
	l, ok := s.list(n[0], n[1], n[2], "BG571927")
	if !ok || l.List != "102.32" || l.Date.DaysSince(today) < -1 || l.Date.DaysSince(today) > 1 || len(l.Evidence) != 1 || l.Evidence[0].Role != contracts.RoleFile {
		t.Fatalf("%v %+v", ok, l)
	}
	if l.Named[n[0]] != (contracts.ListEntry{Since: today.AddDays(-3)}) || l.Named[n[1]] != (contracts.ListEntry{Since: today, IsExempt: true}) || len(l.Named) != 2 {
		t.Errorf("%+v", l.Named)
	}
	if !slices.Equal(l.Unsure, []string{"BG571927"}) {
		t.Errorf("unsure: %v", l.Unsure)
	}
	a, err := s.members(contracts.MembersRequest{State: contracts.TX, Numbers: n})
	s.must(err)
	if len(a.Members) != 4 || len(a.Lists) != 1 || len(a.Lists[0].Named) != 2 {
		t.Errorf("with the copy of the register: %+v", a.Lists)
	}
}

// A list without one of its columns is not read: that is told of it, and nothing of a license.
func TestADelinquentListWithoutItsColumnIsNotRead(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker(func(c *abcworker.Config) {
		c.HoldColumns = register.HoldColumns{Number: "license_id", Since: "delinquent_on"}
		c.States, c.Watched = abcworker.States{contracts.TX}, abcworker.States{contracts.TX}
		c.MirrorMaxAge, c.MirrorRetry = 200*time.Millisecond, 100*time.Millisecond
	})
	clocktest.Await(t, "that the list is degraded is told", func() bool { return s.changesOf(contracts.SourceDegraded) == 1 })
	if c := s.changes()[0]; c.Source != "TX-holds" || !strings.Contains(c.Data.After.Why, "TX-holds") {
		t.Errorf("%+v", c)
	}
	if _, ok := s.list(s.plain(contracts.TX, 1)[0]); ok {
		t.Error("the list is read")
	}
}

// Two editions of the list that differ are told, each license once, whatever many come and go; editions of the register beside it are not mixed up.
func TestHoldsArePlacedAndLifted(t *testing.T) {
	t.Parallel()
	s := startWith(t, sizes(contracts.TX))
	n := s.plain(contracts.TX, 70)
	for _, number := range n[:60] {
		s.place(number, &texas.Hold{Since: "2026-11-02"})
	}
	s.watcher(contracts.TX)
	s.comparedOnce(contracts.TX)
	s.comparedOnce("TX-holds")
	var want []string
	for i, number := range n {
		switch {
		case i < 55: // most of the list at once
			s.place(number, nil)
			want = append(want, fmt.Sprintf("hold.lifted %s 2026-11-02>", number))
		case i < 60:
			s.place(number, &texas.Hold{Since: "2026-11-01"})
			want = append(want, fmt.Sprintf("hold.placed %s 2026-11-02>2026-11-01", number))
		default:
			s.place(number, &texas.Hold{Since: "2026-11-16"})
			want = append(want, fmt.Sprintf("hold.placed %s >2026-11-16", number))
		}
	}
	clocktest.Await(t, "the changes", func() bool { return s.published() >= len(want) })
	net := map[string][2]string{} // editions in between may have been read
	ids := map[string]bool{}
	since := func(v *contracts.ChangeValues) string {
		if v == nil {
			return ""
		}
		if v.Exempt == nil || *v.Exempt {
			t.Fatalf("%+v does not say that it is not exempt", v)
		}
		return string(v.HeldSince)
	}
	settled := func() bool {
		clear(net)
		clear(ids)
		for _, c := range s.changes() {
			isToldTwice := ids[c.ID]
			ids[c.ID] = true
			if !isToldTwice && c.Source == "TX-holds" && c.Type.Group() == contracts.SourceDegraded.Group() {
				continue // a list that changed between the reading of its rows and their count is not taken
			}
			if isToldTwice || c.Source != "TX" || c.Type.Group() != "hold" || len(c.Evidence.After) != 1 || len(c.Evidence.Before) != 1 {
				t.Fatalf("%+v", c)
			}
			one, isKnown := net[c.Data.LicenseNumber]
			if isKnown && one[1] != since(c.Data.Before) {
				t.Fatalf("%s begins with %s, after %s", c.ID, since(c.Data.Before), one[1])
			}
			if !isKnown {
				one[0] = since(c.Data.Before)
			}
			one[1] = since(c.Data.After)
			net[c.Data.LicenseNumber] = one
		}
		return len(net) == len(n)
	}
	clocktest.Await(t, "all differences", settled)
	if !clocktest.Stays(func() bool { return len(s.changes()) == len(ids) }) {
		t.Error("more was told")
	}
	for _, line := range want {
		fields := strings.Fields(line)
		before, after, _ := strings.Cut(line[strings.LastIndex(line, " ")+1:], ">")
		if net[fields[1]] != [2]string{before, after} {
			t.Errorf("%s: told %v", line, net[fields[1]])
		}
	}
}

// A list that was not read for a day names whom it named, and says of nobody else that they are free.
func TestADelinquentListThatIsNotReadAnyMore(t *testing.T) {
	t.Parallel()
	s := start(t)
	n := s.plain(contracts.TX, 2)
	s.place(n[0], &texas.Hold{Since: "2026-11-02"})
	s.place(n[1], nil)
	var late atomic.Int64
	s.worker(func(c *abcworker.Config) {
		c.MirrorRetry = time.Hour
		c.Clock = func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
	})
	if l, ok := s.list(n...); !ok || len(l.Unsure) != 0 || len(l.Named) != 1 {
		t.Fatalf("%v %+v", ok, l)
	}
	late.Store(int64(25 * time.Hour))
	if l, ok := s.list(n...); !ok || !slices.Equal(l.Unsure, n[1:]) || l.Named[n[0]].Since != "2026-11-02" {
		t.Errorf("%v %+v", ok, l)
	}
}
