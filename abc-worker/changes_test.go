package abcworker_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	abcworker "assay.dev/abc-worker"
	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

// sizes are those of the registers that changes are looked for in: with ASSAY_SANDBOX_LICENSES=real those of the real
// ones, for a measurement.
func sizes(state contracts.State) license.Sizes {
	all := license.Small()
	if os.Getenv("ASSAY_SANDBOX_LICENSES") == "real" {
		all = license.RealSize()
	}
	return license.Sizes{state: all[state]}
}

// watcher has a worker watch one state. It asks the source all the time.
func (s *system) watcher(state contracts.State) {
	s.worker(func(c *abcworker.Config) {
		c.States, c.Watched = abcworker.States{state}, abcworker.States{state}
		c.MirrorMaxAge, c.MirrorRetry, c.MirrorTakeOver = 200*time.Millisecond, 100*time.Millisecond, 500*time.Millisecond
	})
}

// comparedOnce waits until the worker has an edition with which the next one is compared.
func (s *system) comparedOnce(state contracts.State) {
	s.Helper()
	bucket, err := s.js.KeyValue(s.Context(), contracts.ComparedBucket.Name)
	s.must(err)
	clocktest.Await(s, "the first edition", func() bool {
		_, err := bucket.Get(s.Context(), contracts.ComparedKey(contracts.Test, contracts.ABC, string(state)))
		return err == nil
	})
}

// changes are all that were published, in their order.
func (s *system) changes() (all []contracts.Change) {
	s.Helper()
	stream, err := s.js.Stream(s.Context(), contracts.ChangesStream.Name)
	s.must(err)
	for seq := uint64(1); seq <= stream.CachedInfo().State.LastSeq; seq++ {
		msg, err := stream.GetMsg(s.Context(), seq)
		s.must(err)
		var c contracts.Change
		s.must(json.Unmarshal(msg.Data, &c))
		if want := contracts.ChangeSubject(contracts.Test, contracts.ABC, c.Source, c.Type).Name; msg.Subject != want {
			s.Errorf("%s is published on %s", c.ID, msg.Subject)
		}
		all = append(all, c)
	}
	return all
}

// awaitChanges waits until so many were published, and looks that there are no more.
func (s *system) awaitChanges(n int) []contracts.Change {
	s.Helper()
	clocktest.Await(s, fmt.Sprintf("%d changes", n), func() bool { return s.published() >= n })
	if !clocktest.Stays(func() bool { return s.published() == n }) {
		s.Errorf("%d changes, want %d", s.published(), n)
	}
	return s.changes()
}

func (s *system) published() int {
	s.Helper()
	stream, err := s.js.Stream(s.Context(), contracts.ChangesStream.Name)
	s.must(err)
	return int(stream.CachedInfo().State.Msgs)
}

// plain are numbers of licenses without an oddity, each from another part of the register.
func (s *system) plain(state contracts.State, n int) (numbers []string) {
	s.Helper()
	for _, l := range s.register().Of(state) {
		if l.Case == "plain" {
			numbers = append(numbers, l.Number)
		}
	}
	step := len(numbers) / n
	for i := range n {
		numbers[i] = numbers[i*step]
	}
	return numbers[:n]
}

// told is a change in short, such as "license.status_changed 400123 ACTIVE>SUSPENDED".
func told(c *contracts.Change) string {
	value := func(v *contracts.ChangeValues) string {
		if v == nil {
			return ""
		}
		switch c.Type {
		case contracts.StatusChanged:
			return string(v.Status)
		case contracts.ExpirationChanged:
			return string(v.ExpirationDate)
		case contracts.HolderChanged:
			return v.OwnerName
		}
		return v.OwnerName + "/" + string(v.Status)
	}
	return fmt.Sprintf("%s %s %s>%s", c.Type, c.Data.LicenseNumber, value(c.Data.Before), value(c.Data.After))
}

// kindsOf are the changes that a state's copy can show.
func kindsOf(state contracts.State) []contracts.ChangeType {
	kinds := []contracts.ChangeType{contracts.LicenseAppeared, contracts.ExpirationChanged, contracts.HolderChanged}
	if state != contracts.IL && state != contracts.NY {
		kinds = append(kinds, contracts.StatusChanged)
	}
	if state == contracts.CA || state == contracts.NY {
		kinds = append(kinds, contracts.LicenseLeft)
	}
	return kinds
}

// plan is what happens to the licenses of a state: first makes those go that appear later, then makes the differences,
// which are told as want says.
type plan struct {
	first, then map[string]license.Edit
	want, left  []string
}

func (s *system) plan(state contracts.State, differences int) plan {
	p := plan{first: map[string]license.Edit{}, then: map[string]license.Edit{}}
	records := s.register().Golden(state, map[bool]license.Path{true: license.Primary, false: license.Mirror}[state == contracts.NY]) // NY's second path is its map
	kinds := kindsOf(state)
	for i, number := range s.plain(state, differences) {
		r, e, before, after := records[number], license.Edit{}, "", ""
		kind := kinds[i%len(kinds)]
		if kind == contracts.LicenseLeft && len(p.left) >= 40 { // 50 are many
			kind = contracts.HolderChanged
		}
		status := string(r.Status)
		if state == contracts.IL {
			status = ""
		}
		switch kind {
		case contracts.LicenseAppeared:
			p.first[number] = license.Edit{Gone: true}
			after = r.OwnerName + "/" + status
		case contracts.LicenseLeft:
			e.Gone, before = true, r.OwnerName+"/"+status
		case contracts.StatusChanged:
			e.Status, before, after = contracts.Suspended, status, "SUSPENDED"
		case contracts.ExpirationChanged:
			e.Expires = r.ExpirationDate.AddDays(365)
			before, after = string(r.ExpirationDate), string(e.Expires)
		case contracts.HolderChanged:
			e.Owner, before, after = "NEW HOLDER "+number+" LLC", r.OwnerName, "NEW HOLDER "+number+" LLC"
		}
		p.then[number] = e
		line := fmt.Sprintf("%s %s %s>%s", kind, number, before, after)
		if kind == contracts.LicenseLeft {
			p.left = append(p.left, line)
		} else {
			p.want = append(p.want, line)
		}
	}
	if state != contracts.CA { // CA's departures are told when a second edition lacks them
		p.want, p.left = append(p.want, p.left...), nil
	}
	return p
}

func TestChangesAreTheDifferencesOfTwoEditions(t *testing.T) {
	t.Parallel()
	for _, state := range contracts.States {
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			s := startWith(t, sizes(state))
			p := s.plan(state, 100)
			s.must(s.register().Edit(state, time.Now(), p.first))
			s.watcher(state)
			s.comparedOnce(state)
			s.must(s.register().Edit(state, time.Now(), p.then))
			all := s.awaitChanges(len(p.want))
			if state == contracts.CA {
				number := s.plain(state, 101)[100]
				expires := s.register().Golden(state, license.Mirror)[number].ExpirationDate
				s.must(s.register().Edit(state, time.Now(), map[string]license.Edit{number: {Expires: expires.AddDays(30)}}))
				p.want = append(append(p.want, p.left...),
					fmt.Sprintf("%s %s %s>%s", contracts.ExpirationChanged, number, expires, expires.AddDays(30)))
				all = s.awaitChanges(len(p.want))
			}
			s.checkChanges(state, all, p.want)
		})
	}
}

// checkChanges compares what was told with what happened, and looks at what every change has.
func (s *system) checkChanges(state contracts.State, all []contracts.Change, want []string) {
	s.Helper()
	var got []string
	ids := map[string]bool{}
	for i := range all {
		c := &all[i]
		got = append(got, told(c))
		if ids[c.ID] || !strings.HasPrefix(c.ID, string(state)+".") || c.Source != string(state) || c.Product != contracts.ABC || c.OccurredAt.IsZero() {
			s.Errorf("the envelope of %+v", c)
		}
		ids[c.ID] = true
		if len(c.Evidence.After) == 0 || c.Type != contracts.LicenseAppeared && len(c.Evidence.Before) == 0 {
			s.Errorf("%s has no evidence: %+v", c.ID, c.Evidence)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		s.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A stored answer ends before the change is published that contradicts it.
func TestAnswersEndBeforeTheirChange(t *testing.T) {
	t.Parallel()
	s := start(t)
	number := s.plain(contracts.CA, 1)[0]
	s.watcher(contracts.CA)
	s.comparedOnce(contracts.CA)
	before := s.look(contracts.CA, number).Record
	if before == nil || before.Status != contracts.Active {
		t.Fatalf("before: %+v", before)
	}
	found := func() contracts.Status {
		a, err := s.search(contracts.CA, contracts.Query{DBAName: before.DBAName})
		i := slices.IndexFunc(a.Results, func(r contracts.LicenseRecord) bool { return r.LicenseNumber == number })
		if err != nil || i < 0 {
			t.Errorf("the search: %v, %s", err, show(a))
			return ""
		}
		return a.Results[i].Status
	}
	if got := found(); got != contracts.Active {
		t.Fatalf("a search before: %s", got)
	}
	searched := make(chan contracts.Status, 1)
	changed := make(chan contracts.LicenseAnswer, 1)
	sub, err := s.js.CreateOrUpdateConsumer(t.Context(), contracts.ChangesStream.Name, jetstream.ConsumerConfig{AckPolicy: jetstream.AckNonePolicy})
	s.must(err)
	reading, err := sub.Consume(func(jetstream.Msg) { changed <- s.look(contracts.CA, number); searched <- found() })
	s.must(err)
	defer reading.Stop()
	s.must(s.register().Edit(contracts.CA, time.Now(), map[string]license.Edit{number: {Status: contracts.Suspended}}))
	select {
	case a := <-changed:
		if a.Record == nil || a.Record.Status != contracts.Suspended {
			t.Errorf("after its change was published, the answer says %+v", a.Record)
		}
		if got := <-searched; got != contracts.Suspended {
			t.Errorf("after its change was published, a search says %s", got)
		}
	case <-time.After(clocktest.Patience):
		t.Fatal("nothing is told")
	}
}

func (s *system) look(state contracts.State, number string) contracts.LicenseAnswer {
	s.Helper()
	a, err := s.lookup(state, number)
	if err != nil {
		s.Error(err)
	}
	return a
}

// changesOf counts the changes of a type.
func (s *system) changesOf(kind contracts.ChangeType) (n int) {
	s.Helper()
	for _, c := range s.changes() {
		if c.Type == kind {
			n++
		}
	}
	return n
}

// without makes a share of a state's plain licenses go, in one edition.
func (s *system) without(state contracts.State, percent int) map[string]license.Edit {
	s.Helper()
	gone := map[string]license.Edit{}
	for _, l := range s.register().Of(state) {
		if l.Case == "plain" && len(gone)*100 < percent*sizes(state)[state] {
			gone[l.Number] = license.Edit{Gone: true}
		}
	}
	return gone
}

func back(edits map[string]license.Edit) map[string]license.Edit {
	all := map[string]license.Edit{}
	for number := range edits {
		all[number] = license.Edit{}
	}
	return all
}

// A file that is cut in half is not taken: nothing is told of its licenses, but that the source is degraded.
func TestHalfAnEditionTellsNothing(t *testing.T) {
	t.Parallel()
	s := startWith(t, sizes(contracts.TX))
	s.watcher(contracts.TX)
	s.comparedOnce(contracts.TX)
	half := s.without(contracts.TX, 50)
	s.must(s.register().Edit(contracts.TX, time.Now(), half))
	if all := s.awaitChanges(1); all[0].Type != contracts.SourceDegraded || all[0].Data.After.Why == "" || all[0].Data.After.Since == nil {
		t.Fatalf("told %+v", all[0])
	}
	number := s.plain(contracts.TX, 1)[0]
	edits := back(half)
	edits[number] = license.Edit{Status: contracts.Suspended}
	s.must(s.register().Edit(contracts.TX, time.Now(), edits))
	all := s.awaitChanges(3)
	if told(&all[1]) != "license.status_changed "+number+" ACTIVE>SUSPENDED" || all[2].Type != contracts.SourceRecovered {
		t.Errorf("told %+v", all[1:])
	}
}

// A state that is read by another path, and by its first again, is told so. A path that is well ends no trouble of the copy.
func TestHowAStateStandsIsTold(t *testing.T) {
	t.Parallel()
	s := startWith(t, sizes(contracts.CA))
	s.watcher(contracts.CA)
	s.comparedOnce(contracts.CA)
	numbers := s.plain(contracts.CA, 4)
	for _, l := range s.register().Of(contracts.CA) { // these stay in half an edition
		if l.Case == "canceled" {
			numbers = append(numbers, l.Number)
		}
	}
	look := func(i int, path string) {
		t.Helper()
		a, err := s.lookup(contracts.CA, numbers[i])
		s.must(err)
		if string(a.Method) != path {
			t.Errorf("read by %s, want %s", a.Method, path)
		}
	}
	kinds := func(n int) (all string) {
		t.Helper()
		for _, c := range s.awaitChanges(n) {
			all += string(c.Type) + " of " + c.Source + "; "
		}
		return all
	}
	look(0, "structured_parse")
	s.must(s.sandbox.Fault("www.abc.ca.gov", "/licensing", sandbox.Down))
	look(1, "api_mirror")
	want := "source.degraded of CA; "
	if got := kinds(1); got != want {
		t.Fatalf("told %s", got)
	}
	s.sandbox.ClearFaults()
	look(2, "structured_parse")
	want += "source.recovered of CA; "
	if got := kinds(2); got != want {
		t.Fatalf("told %s", got)
	}
	s.must(s.sandbox.Fault("www.abc.ca.gov", "/licensing", sandbox.Down))
	look(3, "api_mirror")
	want += "source.degraded of CA; "
	if got := kinds(3); got != want {
		t.Fatalf("told %s", got)
	}
	half := s.without(contracts.CA, 50)
	s.must(s.register().Edit(contracts.CA, time.Now(), half))
	want += "source.degraded of CA; "
	if got := kinds(4); got != want {
		t.Fatalf("the trouble of the copy is not told: %s", got)
	}
	s.sandbox.ClearFaults()
	for i := range 2 { // the second look is listed after the first one was told, if it was
		at := time.Now()
		look(i+4, "structured_parse")
		bucket, err := s.js.KeyValue(t.Context(), contracts.SourcesBucket.Name)
		s.must(err)
		clocktest.Await(t, "the look in the listing", func() bool {
			entry, err := bucket.Get(t.Context(), contracts.ListingKey(contracts.Test, contracts.ABC, string(contracts.CA)))
			s.must(err)
			var h contracts.SourceHealth
			s.must(json.Unmarshal(entry.Value(), &h))
			return h.LastSuccess != nil && !h.LastSuccess.Before(at.Truncate(time.Second))
		})
	}
	if got := kinds(4); got != want {
		t.Errorf("a path that is well ends the trouble of the copy: %s", got)
	}
	s.must(s.register().Edit(contracts.CA, time.Now(), back(half)))
	want += "source.recovered of CA; "
	if got := kinds(5); got != want {
		t.Errorf("told %s", got)
	}
}

// An edition from which 15 % are gone is held until the next one, or an operator, says that they are.
func TestAnEditionWithTooManyGoneIsHeld(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		then func(*system, map[string]license.Edit)
		// left is how many licenses are told to have left in the end.
		left func(gone int) int
		// say is what the copy then says of one of them.
		say contracts.LicenseVerdict
	}{
		"they are back": {
			func(s *system, gone map[string]license.Edit) {
				s.must(s.register().Edit(contracts.NY, time.Now(), back(gone)))
			},
			func(int) int { return 0 }, contracts.Pass,
		},
		"the next edition lacks them too": {
			func(s *system, _ map[string]license.Edit) {
				number := s.plain(contracts.NY, 100)[99]
				s.must(s.register().Edit(contracts.NY, time.Now(), map[string]license.Edit{number: {Gone: true}}))
			},
			func(gone int) int { return gone + 1 }, contracts.Fail,
		},
		"an operator confirms it": {
			func(s *system, gone map[string]license.Edit) {
				n, of, err := mirror.Confirm(s.Context(), s.js, contracts.Test, contracts.NY)
				if err != nil || n != len(gone) || of < n {
					s.Errorf("%d of %d, %v", n, of, err)
				}
			},
			func(gone int) int { return gone }, contracts.Fail,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startWith(t, sizes(contracts.NY))
			s.watcher(contracts.NY)
			s.comparedOnce(contracts.NY)
			gone := s.without(contracts.NY, 11) // 15 % of the active ones
			s.must(s.register().Edit(contracts.NY, time.Now(), gone))
			if all := s.awaitChanges(1); all[0].Type != contracts.SourceDegraded {
				t.Fatalf("told %+v", all[0])
			}
			if _, _, err := mirror.Confirm(t.Context(), s.js, contracts.Test, contracts.FL); err == nil {
				t.Error("confirmed what is not held")
			}
			number := slices.Min(slices.Collect(maps.Keys(gone)))
			says := func() contracts.LicenseVerdict {
				a, err := s.members(contracts.MembersRequest{State: contracts.NY, Numbers: []string{number}})
				s.must(err)
				return a.Members[0].Verdict
			}
			if _, err := s.lookup(contracts.NY, number); contracts.CodeOf(err) != contracts.SourceUnavailable || says() != contracts.Unverified {
				t.Errorf("a license that is gone with many is absent: %s, %v", says(), err)
			}
			a, err := s.search(contracts.NY, contracts.Query{DBAName: "cafe"})
			if s.must(err); a.Complete || len(a.Results) == 0 {
				t.Errorf("a search of what is short: %s", show(a))
			}
			s.verifyPage(t, a, contracts.MaxKept, contracts.Position{})
			tt.then(s, gone)
			s.awaitChanges(2 + tt.left(len(gone)))
			clocktest.Await(t, "the copy says so", func() bool { return says() == tt.say })
			if n := s.changesOf(contracts.LicenseLeft); n != tt.left(len(gone)) || s.changesOf(contracts.SourceRecovered) != 1 {
				t.Errorf("%d left", n)
			}
		})
	}
}
