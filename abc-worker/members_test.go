package abcworker_test

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

func (s *system) members(r contracts.MembersRequest) (contracts.MembersAnswer, error) {
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.MembersAnswer](ctx, s.client, contracts.MembersSubject(contracts.Test, r.State), r)
}

// mayCopySay tells what is wrong with what a copy says of a license of the register; empty for nothing.
func mayCopySay(state contracts.State, l license.License, m contracts.Member) string {
	in := l.Mirror
	if state == contracts.NY { // the copy is of the first path's data
		in = cmp.Or(l.Primary, l.Mirror)
	}
	codes := map[contracts.VerdictCode]bool{}
	for _, r := range m.Reasons {
		codes[r.Code] = true
	}
	switch {
	case l.Truth != nil && codes[contracts.VerdictAbsent]:
		return "a license that exists is absent"
	case m.Status == nil:
		if m.Verdict != contracts.Unverified && !codes[contracts.VerdictAbsent] || l.Truth == nil && m.Verdict == contracts.Pass {
			return "a verdict without a status"
		}
	case in == nil:
		if l.Case != "transfer, the old owner" { // its number is the new owner's
			return "the copy does not show it"
		}
	case *m.Status != in.Status || m.ExpirationDate != in.ExpirationDate:
		return "another status or date"
	case m.Verdict == contracts.Pass && (in.Status != contracts.Active || slices.Contains(m.Inferred, "status") || !codes[contracts.VerdictSuspensionsHidden]):
		return "it does not pass so"
	case state == contracts.IL && m.Verdict != contracts.Unverified:
		return "no status of IL's copy proves anything"
	}
	return ""
}

// What a copy tells of each license of each register is what the copy shows, and absence is told where the copy proves it only.
func TestMembersAreWhatTheCopyTells(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for _, state := range contracts.States {
		verdicts := map[contracts.LicenseVerdict]int{}
		for batch := range slices.Chunk(s.register().Of(state), contracts.MaxMembers) {
			q := contracts.MembersRequest{State: state}
			for _, l := range batch {
				q.Numbers = append(q.Numbers, l.Number)
			}
			a, err := s.members(q)
			if err != nil || len(a.Members) != len(batch) || len(a.Edition.Evidence) == 0 {
				t.Fatalf("%s: %d members, %v", state, len(a.Members), err)
			}
			for i, m := range a.Members {
				verdicts[m.Verdict]++
				if wrong := mayCopySay(state, batch[i], m); wrong != "" {
					t.Errorf("%s %s (%s): %s: %s", state, batch[i].Number, batch[i].Case, wrong, show(m))
				}
			}
		}
		if state != contracts.IL && (verdicts[contracts.Pass] == 0 || verdicts[contracts.Fail] == 0) {
			t.Errorf("%s: %v", state, verdicts)
		}
		t.Logf("%s: %v", state, verdicts)
	}
	a, err := s.members(contracts.MembersRequest{State: contracts.CA, Numbers: s.plain(contracts.CA, 1), On: "2099-01-01"})
	if err != nil || a.Members[0].Verdict != contracts.Fail {
		t.Errorf("on a day after it expires: %v %s", err, show(a))
	}
}

func TestMembersThatTheCopyDoesNotList(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for state, want := range map[contracts.State]struct {
		number  string
		verdict contracts.LicenseVerdict
		code    contracts.VerdictCode
	}{
		contracts.CA: {"99999999", contracts.Unverified, contracts.VerdictNotListed},
		contracts.TX: {"999999999", contracts.Unverified, contracts.VerdictNotListed},
		contracts.FL: {"BEV9999999", contracts.Unverified, contracts.VerdictNotListed},
		contracts.NY: {"0340-99-999999", contracts.Fail, contracts.VerdictAbsent},
		contracts.IL: {"1A-9999999", contracts.Fail, contracts.VerdictAbsent},
	} {
		a, err := s.members(contracts.MembersRequest{State: state, Numbers: []string{want.number}})
		if err != nil || a.Members[0].Verdict != want.verdict || a.Members[0].Reasons[0].Code != want.code {
			t.Errorf("%s: %v %s", state, err, show(a))
		}
	}
	a, err := s.members(contracts.MembersRequest{State: contracts.NY, Numbers: []string{"9999999"}})
	if err != nil || a.Members[0].Verdict != contracts.Unverified {
		t.Errorf("a former serial number, which no copy has, proves something: %v %s", err, show(a))
	}
	if _, err := s.members(contracts.MembersRequest{State: contracts.CA, Numbers: make([]string, contracts.MaxMembers+1)}); contracts.CodeOf(err) != contracts.InvalidRequest {
		t.Errorf("too many: %v", err)
	}
}

// What IL's copy cannot prove is taken from a lookup that somebody made within a day, also for another day of the verdict.
func TestAStoredLookupProvesWhatTheCopyCannot(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.renders()
	s.worker()
	var active, other license.License
	for _, l := range s.register().Of(contracts.IL) {
		switch today := contracts.IL.Today(time.Now()); {
		case l.Primary == nil || l.Mirror == nil || l.PrimaryUnclear:
		case l.Primary.Status == contracts.Active && l.Primary.ExpirationDate > today.AddDays(2) && active.Number == "":
			active = l
		case l.Primary.Status == contracts.Active && l.Primary.ExpirationDate > today.AddDays(2):
			other = l
		}
	}
	if _, err := s.lookup(contracts.IL, active.Number); err != nil {
		t.Fatal(err)
	}
	q := contracts.MembersRequest{State: contracts.IL, Numbers: []string{active.Number, other.Number}}
	a, err := s.members(q)
	if err != nil || a.Members[0].Verdict != contracts.Pass || a.Members[0].LookedUpAt == nil || a.Members[1].Verdict != contracts.Unverified || a.Members[1].LookedUpAt != nil {
		t.Errorf("%v %s", err, show(a))
	}
	q.On = active.Primary.ExpirationDate.AddDays(1)
	if a, err := s.members(q); err != nil || a.Members[0].Verdict != contracts.Fail {
		t.Errorf("the day after it expires: %v %s", err, show(a))
	}
}

func TestNoCopyIsNoAnswerAboutMembers(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.must(s.sandbox.Inject(sandbox.Fault{Host: "www.abc.ca.gov", Kind: sandbox.Broken}))
	s.worker()
	_, err := s.members(contracts.MembersRequest{State: contracts.CA, Numbers: []string{"400000"}})
	if contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("%v", err)
	}
}

// A suspension that a lookup showed stops deliveries, although the copy, which shows none, tells that the license is active; also where the lookup
// was asked for with the license's type and the delivery without it, or the other way round.
func TestAStoredLookupShowsASuspension(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	today, seen := contracts.CA.Today(time.Now()), 0
	for _, l := range s.register().Of(contracts.CA) {
		if seen == 2 {
			return
		}
		if l.Primary == nil || l.Mirror == nil || l.Primary.LicenseTypeCode != l.Mirror.LicenseTypeCode || l.Mirror.Status != contracts.Active || l.PrimaryUnclear ||
			!slices.ContainsFunc(l.Primary.Suspensions, func(of contracts.Suspension) bool {
				return of.StartDate <= today && (of.EndDate == "" || of.EndDate >= today)
			}) {
			continue
		}
		q := contracts.MembersRequest{State: contracts.CA, Numbers: []string{l.Number, l.Mirror.LicenseTypeCode + "-" + l.Number}}
		a, err := s.members(q)
		if err != nil || a.Members[0].Verdict != contracts.Pass || a.Members[0].Reasons[0].Code != contracts.VerdictSuspensionsHidden {
			t.Fatalf("by the copy: %v %s", err, show(a))
		}
		if _, err := s.lookup(contracts.CA, q.Numbers[seen]); err != nil {
			t.Fatal(err)
		}
		clocktest.Await(t, "the lookup is stored", func() bool {
			a, err = s.members(q)
			return err == nil && !slices.ContainsFunc(a.Members, func(m contracts.Member) bool { return m.LookedUpAt == nil })
		})
		for _, m := range a.Members {
			if m.Verdict != contracts.Conditional || m.Reasons[0].Code != contracts.VerdictSuspensionOpen {
				t.Errorf("after the lookup of %s: %s", q.Numbers[seen], show(m))
			}
		}
		seen++
	}
	t.Fatal("the sandbox has no such license")
}

// A lookup that found something doubtful is not passed over for the copy, which knows less. One by another path than its source's first
// knows no more than the copy.
func TestAStoredDoubtOverrulesTheCopy(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	n := s.plain(contracts.CA, 1)[0]
	q := contracts.MembersRequest{State: contracts.CA, Numbers: []string{n}}
	s.look(contracts.CA, n)
	s.await(func() bool {
		a, err := s.members(q)
		return err == nil && a.Members[0].LookedUpAt != nil && a.Members[0].Verdict == contracts.Pass
	})
	answers, err := s.js.KeyValue(t.Context(), contracts.AnswersBucket.Name)
	s.must(err)
	key := contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: contracts.CA, Number: n})
	stored, err := answers.Get(t.Context(), string(key))
	s.must(err)
	doc, err := kv.Expand(stored.Value())
	s.must(err)
	for _, c := range []struct {
		notes []contracts.Note
		want  contracts.LicenseVerdict
	}{{nil, contracts.Unverified}, {[]contracts.Note{{Code: contracts.NoteFallback, Message: "Another path answered."}}, contracts.Pass}} {
		doubted, err := cache.Decode[contracts.LicenseAnswer](key, doc)
		s.must(err)
		doubted.Tally, doubted.Notes = contracts.TallyOf(true, false, false), c.notes
		text, err := json.Marshal(doubted)
		s.must(err)
		_, err = answers.Put(t.Context(), string(key), kv.Compress(text))
		s.must(err)
		if a, err := s.members(q); err != nil || a.Members[0].Verdict != c.want {
			t.Errorf("with the notes %v: %v %s, want %s", c.notes, err, show(a), c.want)
		}
	}
}

// What an edition says as of its own date counts more than a lookup before it, and less than one after it. What no edition shows, a lookup
// of the day tells.
func TestTheNewerReadingCounts(t *testing.T) {
	t.Parallel()
	s := start(t)
	var early atomic.Int64 // a lookup counts for a day, and after a weekend an edition is older
	s.worker(func(c *abcworker.Config) {
		c.Clock = func() time.Time { return time.Now().Add(-time.Duration(early.Load())) }
	})
	answers, err := s.js.KeyValue(t.Context(), contracts.AnswersBucket.Name)
	s.must(err)
	found := s.look(contracts.CA, s.plain(contracts.CA, 1)[0])
	found.Record.ExpirationDate = contracts.CA.Today(time.Now()).AddDays(100)
	pending := caseOf(s, contracts.CA, "revocation pending, not yet").Number
	listed := s.plain(contracts.IL, 1)[0]
	for _, c := range []struct { // in this order: two are of one license
		name     string
		state    contracts.State
		number   string
		isBefore bool
		want     contracts.LicenseVerdict
	}{
		{"revocation is pending since the lookup", contracts.CA, pending, true, contracts.Unverified},
		{"the page says active since", contracts.CA, pending, false, contracts.Pass},
		{"issued since the edition", contracts.NY, "0340-99-999999", false, contracts.Pass},
		{"taken out since the lookup", contracts.NY, "0340-99-999998", true, contracts.Fail},
		{"IL's copy has no status", contracts.IL, listed, true, contracts.Pass},
	} {
		q := contracts.MembersRequest{State: c.state, Numbers: []string{c.number}}
		a, err := s.members(q)
		if err != nil || a.Members[0].LookedUpAt != nil || a.Edition.PublishedAt == nil {
			t.Fatalf("%s: before: %v %s", c.name, err, show(a))
		}
		stored, record := found, *found.Record
		stored.State, stored.Number, stored.Record = c.state, c.number, &record
		record.LicenseNumber = c.number
		if stored.ReadAt = a.Edition.PublishedAt.Add(time.Minute); c.isBefore {
			stored.ReadAt = a.Edition.PublishedAt.Add(-time.Minute)
		}
		text, err := json.Marshal(stored)
		s.must(err)
		key := contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: c.state, Number: c.number})
		_, err = answers.Put(t.Context(), string(key), kv.Compress(text))
		s.must(err)
		early.Store(int64(time.Since(stored.ReadAt)))
		a, err = s.members(q)
		if m := a.Members[0]; err != nil || m.Verdict != c.want || (m.LookedUpAt != nil) != (c.want == contracts.Pass) {
			t.Errorf("%s: %v %s, want %s", c.name, err, show(a), c.want)
		}
	}
}

// Where another type of a license's number is not good, a lookup says so, and so does the copy, before a lookup and after.
func TestAnotherTypeThatIsNotGood(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	var n, typed string
	for _, l := range s.register().California() {
		if l.Case == "four types" && l.Blocks[2].Type != l.Blocks[0].Type { // one that was surrendered
			n, typed = l.Number, l.Blocks[0].Type+"-"+l.Number
		}
	}
	q := contracts.MembersRequest{State: contracts.CA, Numbers: []string{n, typed, caseOf(s, contracts.CA, "two types").Number}}
	check := func() {
		a, err := s.members(q)
		s.must(err)
		for i, want := range []bool{true, false, false} {
			m := a.Members[i]
			says := slices.ContainsFunc(m.Reasons, func(r contracts.VerdictReason) bool { return r.Code == contracts.VerdictOtherTypeNotGood })
			if m.Verdict != contracts.Pass || says != want {
				t.Errorf("%s", show(m))
			}
		}
	}
	check()
	found := s.look(contracts.CA, n)
	if !found.Noted(contracts.NoteOtherTypes) || !found.Noted(contracts.NoteOtherTypeNotGood) {
		t.Errorf("%s", show(found))
	}
	check()
}

// A lookup does not count any more when an edition comes that does not list the license.
func TestAStoredLookupEndsWithTheLicense(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.watcher(contracts.CA)
	s.comparedOnce(contracts.CA)
	n := s.plain(contracts.CA, 1)[0]
	q := contracts.MembersRequest{State: contracts.CA, Numbers: []string{n}}
	if a := s.look(contracts.CA, n); a.Record == nil || a.Record.Status != contracts.Active {
		t.Fatalf("before: %s", show(a))
	}
	s.await(func() bool {
		a, err := s.members(q)
		return err == nil && a.Members[0].LookedUpAt != nil && a.Members[0].Verdict == contracts.Pass
	})
	s.must(s.register().Edit(contracts.CA, time.Now(), map[string]license.Edit{n: {Status: contracts.Revoked}}))
	s.await(func() bool {
		a, err := s.members(q)
		return err == nil && a.Members[0].Verdict == contracts.Unverified && a.Members[0].LookedUpAt == nil
	})
}
