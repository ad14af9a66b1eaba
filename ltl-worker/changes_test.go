package ltlworker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
)

// changes are all that were published of a carrier in the types that begin so, in their order.
func (s *system) changes(c contracts.Carrier, group string) (all []contracts.Change) {
	s.Helper()
	stream, err := s.js.Stream(s.Context(), contracts.ChangesStream.Name)
	s.must(err)
	for seq := uint64(1); seq <= stream.CachedInfo().State.LastSeq; seq++ {
		msg, err := stream.GetMsg(s.Context(), seq)
		s.must(err)
		var change contracts.Change
		s.must(json.Unmarshal(msg.Data, &change))
		if want := contracts.ChangeSubject(contracts.Test, contracts.LTL, change.Source, change.Type).Name; msg.Subject != want {
			s.Errorf("%s is published on %s", change.ID, msg.Subject)
		}
		if change.Source == string(c) && change.Type.Group() == group {
			all = append(all, change)
		}
	}
	return all
}

// inShort is a change such as "surcharge.revised 2026-09-16 50.12>51".
func inShort(c *contracts.Change) string {
	week := func(v *contracts.ChangeValues) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(v.Week.Percent)
	}
	return fmt.Sprintf("%s %s %s>%s", c.Type, c.Data.After.Week.EffectiveDate, week(c.Data.Before), week(c.Data.After))
}

// told are the changes of a carrier's weeks in short.
func (s *system) told(c contracts.Carrier) (all []string) {
	s.Helper()
	for _, change := range s.changes(c, "surcharge") {
		all = append(all, inShort(&change))
	}
	return all
}

// current has the carrier read and is its answer, which may be one of before: a worker answers before it stores what it read, and
// gives that to who asks meanwhile, and a reading in doubt does not replace a good one.
func (s *system) current(c contracts.Carrier) contracts.SurchargeAnswer {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	a, err := bus.Call[contracts.SurchargeAnswer](ctx, s.client, contracts.SurchargeSubject(contracts.Test, c),
		contracts.SurchargeRequest{Carrier: c, Fresh: true})
	s.must(err)
	return a
}

// askFresh is the carrier's answer, read after it was asked.
func (s *system) askFresh(c contracts.Carrier) (a contracts.SurchargeAnswer) {
	s.Helper()
	asked := time.Now()
	clocktest.Await(s, string(c)+" is read anew", func() bool {
		a = s.current(c)
		return a.ReadAt.After(asked)
	})
	return a
}

// A week that comes, one that is announced, one that is revised are told once by two workers, with the document that shows it,
// and a page that is in doubt tells nothing.
func TestChangesOfWeeksAreTold(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[time.Time]
	set := func(day, hour int) {
		at := time.Date(2026, 8, day, hour, 0, 0, 0, time.UTC)
		now.Store(&at)
	}
	set(10, 15)
	s := start(t, func() time.Time { return *now.Load() })
	s.worker()
	s.worker()
	var want []string
	step := func(news ...string) {
		t.Helper()
		s.askFresh(contracts.SAIA)
		want = append(want, news...)
		clocktest.Await(t, fmt.Sprintf("%q", want), func() bool { return slices.Equal(s.told(contracts.SAIA), want) })
	}
	step()
	weeks, err := s.js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	s.must(err)
	clocktest.Await(t, "the first look is archived", func() bool { // after it is told, and what comes later is held against it
		_, err := weeks.Get(t.Context(), "test.v2.SAIA.2026-08-05.1")
		return err == nil
	})
	set(11, 17)
	step("surcharge.announced 2026-08-12 >47.12") // the day before it begins
	set(12, 17)
	step()
	s.must(s.sandbox.Inject(sandbox.Fault{Host: "www.saia.com", Kind: sandbox.Reworded}))
	set(19, 17)
	if a := s.askFresh(contracts.SAIA); !a.InDoubt() || a.Weeks[0].EffectiveDate != "2026-08-19" {
		t.Errorf("not in doubt: %+v", a)
	}
	step()
	s.sandbox.ClearFaults()
	set(19, 21)
	step("surcharge.published 2026-08-19 >49.12")
	s.must(s.sandbox.Revise(contracts.SAIA, "2026-08-19", 49.62))
	set(19, 23)
	step("surcharge.revised 2026-08-19 49.12>49.62")
	for _, c := range s.changes(contracts.SAIA, "surcharge") {
		if len(c.Evidence.After) != 1 || c.Data.After.Week.EvidenceSHA256 == nil || c.Evidence.After[0].SHA256 != *c.Data.After.Week.EvidenceSHA256 {
			t.Errorf("%s has the evidence %+v", c.ID, c.Evidence)
		}
	}
}

// A page that shows more of the past than the archive has tells no change of it: the carrier published those weeks long ago.
func TestThePastOfAPageIsNotTold(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	weeks, err := s.js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	s.must(err)
	shown := s.sandbox.Surcharge(contracts.SAIA)
	key := func(w contracts.SurchargeWeek) string { return "test.v2.SAIA." + string(w.EffectiveDate) + ".1" }
	sighting := `{"at":"2026-01-01T00:00:00Z","path":"page","method":"structured_parse"}`
	_, err = weeks.PutString(t.Context(), key(shown[0]), fmt.Sprintf(`{"effective_date":%q,"fuel_surcharge_pct":%v,"required":2,"clean":2,"first":%s,"last":%s}`,
		shown[0].EffectiveDate, shown[0].Percent, sighting, sighting))
	s.must(err)
	s.worker()
	_, err = s.ask(contracts.SAIA)
	s.must(err)
	clocktest.Await(t, "the past is archived, and what is to be told of it is told", func() bool {
		e, err := weeks.Get(t.Context(), key(shown[1])) // the newest is told last
		return err == nil && !strings.Contains(string(e.Value()), `"untold"`)
	})
	if told := s.told(contracts.SAIA); told != nil {
		t.Errorf("%d changes, from %s to %s", len(told), told[0], told[len(told)-1])
	}
}

// The week that the sandbox is told to publish is read clean of every carrier that prints prices, and told.
func TestTheNextWeekOfTheSandboxIsTold(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[time.Time]
	set := func(day int) {
		at := time.Date(2026, 8, day, 17, 0, 0, 0, time.UTC)
		now.Store(&at)
	}
	set(12)
	s := start(t, func() time.Time { return *now.Load() })
	s.worker(withChromium)
	var priced []contracts.Carrier
	for _, c := range contracts.Carriers {
		if !s.askFresh(c).PrintsDiesel {
			continue
		}
		priced = append(priced, c)
		s.must(s.sandbox.PublishNext(c))
		if err := s.sandbox.PublishNext(c); err == nil {
			t.Errorf("%s publishes two weeks before their time", c)
		}
	}
	if len(priced) != 8 {
		t.Errorf("%v print prices, want 8; a new carrier that prints diesel counts too", priced)
	}
	set(13)
	for _, c := range priced {
		if a := s.askFresh(c); a.InDoubt() || a.Weeks[0].EffectiveDate > "2026-08-13" {
			t.Errorf("%s: in doubt %v, the newest week is %s", c, a.InDoubt(), a.Weeks[0].EffectiveDate)
		}
		clocktest.Await(t, string(c)+" tells of its next week", func() bool {
			told := s.told(c)
			return len(told) == 1 && strings.HasPrefix(told[0], "surcharge.announced 2026-08-")
		})
	}
}

// A table that takes the place of another is told with the dates of both, and who asks then gets the new one.
func TestAReplacedTableIsTold(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.archiveTable(contracts.SEFL, "2026-03-02", "2026-05-04")
	s.worker()
	a, err := s.askTable(contracts.SEFL, "")
	s.must(err)
	all := s.changes(contracts.SEFL, "table")
	if len(all) != 1 || all[0].ID != "SEFL.table.2" || all[0].Type != contracts.TableReplaced {
		t.Fatalf("told %+v", all)
	}
	before, after := all[0].Data.Before.Edition, all[0].Data.After.Edition
	if before.LastSeen.Format(time.DateOnly) != "2026-05-04" || !after.FirstSeen.Equal(*a.Edition.FirstSeen) || len(all[0].Evidence.After) == 0 {
		t.Errorf("from %+v to %+v, evidence %+v", before, after, all[0].Evidence)
	}
}

// A carrier that is read by another path, or not believed, or read again is told so once by two workers.
func TestHowACarrierStandsIsTold(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	s := start(t, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
	s.worker()
	s.worker()
	var want []contracts.ChangeType
	step := func(c contracts.Carrier, news ...contracts.ChangeType) {
		t.Helper()
		ahead.Add(int64(5 * time.Minute))
		want = append(want, news...)
		var got []contracts.ChangeType
		clocktest.Await(t, fmt.Sprintf("%q", want), func() bool {
			s.current(c) // again, since nothing is read for two seconds after a reading that brought no answer
			got = nil
			for _, change := range s.changes(c, "source") {
				got = append(got, change.Type)
			}
			return len(got) >= len(want) && slices.Equal(got[:len(want)], want) // a busy machine may have gone on to the next failure
		})
		if len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("told twice: %q", got)
		}
	}
	step(contracts.ODFL)
	s.must(s.sandbox.Fault("api.odfl.com", "", sandbox.Down))
	step(contracts.ODFL, contracts.SourceDegraded)
	s.sandbox.ClearFaults()
	step(contracts.ODFL, contracts.SourceRecovered)
	want = nil
	step(contracts.SAIA)
	s.must(s.sandbox.Inject(sandbox.Fault{Host: "www.saia.com", Kind: sandbox.Reworded}))
	step(contracts.SAIA, contracts.SourceInDoubt)
	s.sandbox.ClearFaults()
	step(contracts.SAIA, contracts.SourceRecovered)
}
