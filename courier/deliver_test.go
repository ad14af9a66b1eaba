package courier

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/feed"
	"assay.dev/platform/lease"
	"assay.dev/platform/webhook"
)

func verify(t *testing.T, secret string, r received) {
	t.Helper()
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err == nil {
		err = verifier.Verify(r.body, r.Header)
	}
	if err != nil {
		t.Errorf("the official library refuses %v: %v", r.Header, err)
	}
}

// A change is delivered once, as it stands in the stream, to the endpoints that want it, and signed by every secret that counts.
func TestAChangeIsDelivered(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	portfolios, err := s.js.KeyValue(t.Context(), contracts.PortfoliosBucket.Name)
	s.must(err)
	_, err = portfolios.Put(t.Context(), "test.owner.bars", []byte(`{"name":"bars","licenses":[{"state":"CA","license_number":"2"}]}`))
	s.must(err)
	s.change(contracts.Test, "0") // before the endpoints are made
	all, other, two, gone := s.receiver(nil), s.receiver(nil), s.receiver(nil), s.receiver(nil)
	first, secret := s.keep(all.URL)
	second, newer := s.keep(all.URL+"/rotated", func(e *webhook.Endpoint) { e.Types = []contracts.ChangeType{contracts.StatusChanged} })
	rotated := s.kept(second)
	_, old := s.sealer.New(second)
	_, ended := s.sealer.New(second)
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	old.Until, ended.Until = &soon, &past
	rotated.Secrets = append(rotated.Secrets, old, ended)
	s.put(second, rotated)
	for _, e := range []func(*webhook.Endpoint){
		func(e *webhook.Endpoint) { e.Types = []contracts.ChangeType{contracts.LicenseAppeared} },
		func(e *webhook.Endpoint) { e.Products = []contracts.Product{contracts.LTL} },
		func(e *webhook.Endpoint) { e.Paused = true },
		func(e *webhook.Endpoint) { e.Disabled = "x" },
	} {
		s.keep(other.URL, e)
	}
	s.keep(two.URL, func(e *webhook.Endpoint) { e.Portfolio = "bars" })
	lost, _ := s.keep(gone.URL, func(e *webhook.Endpoint) { e.Portfolio = "gone" })
	s.courier()
	s.courier() // stands by
	var want []string
	var docs [][]byte
	for i := range 5 {
		id, doc := s.change(contracts.Test, fmt.Sprint(i+1))
		s.change(contracts.Live, fmt.Sprint(i+1, "live"))
		want, docs = append(want, id), append(docs, doc)
	}
	degraded, err := json.Marshal(contracts.Change{ID: "CA.source", Type: contracts.SourceDegraded, Product: contracts.ABC, Source: "CA"})
	s.must(err)
	_, err = s.js.Publish(t.Context(), contracts.ChangeSubject(contracts.Test, contracts.ABC, "CA", contracts.SourceDegraded).Name, degraded)
	s.must(err)
	var toFirst, toSecond []received
	s.await("all are delivered and noted", func() bool {
		toFirst, toSecond = nil, nil
		for _, r := range all.got() {
			to := &toFirst
			if strings.Contains(r.Get("Webhook-Signature"), " ") {
				to = &toSecond
			}
			if !slices.ContainsFunc(*to, func(before received) bool { return before.id() == r.id() }) {
				*to = append(*to, r)
			}
		}
		return len(toFirst) == 6 && len(toSecond) == 5 && len(distinct(two.ids())) == 2 && s.kept(first).Cursor.Sequence >= 10 && s.kept(second).Cursor.Sequence >= 10 && s.kept(lost).Disabled != ""
	})
	for i, id := range want {
		if toFirst[i].id() != id || toSecond[i].id() != id || string(toFirst[i].body) != string(docs[i]) {
			t.Errorf("delivery %d: %s %s %s", i, toFirst[i].id(), toSecond[i].id(), toFirst[i].body)
		}
		verify(t, secret, toFirst[i])
		verify(t, newer, toSecond[i])
		if n := len(strings.Fields(toSecond[i].Get("Webhook-Signature"))); n != 2 {
			t.Errorf("%d signatures, want that of the new secret and of the old one", n)
		}
	}
	if join(distinct(two.ids())) != join([]string{"CA.e.2", "CA.source"}) || len(other.got())+len(gone.got()) > 0 {
		t.Errorf("of the portfolio: %v, others: %v %v", two.ids(), other.ids(), gone.ids())
	}
	s.await("the attempts are noted", func() bool { return len(s.deliveries(first)) >= 6 })
	if !clocktest.Stays(func() bool {
		return len(all.got()) == 11 && len(two.got()) == 2 && len(s.deliveries(first)) == 6
	}) && s.turns.Load() < 2 {
		t.Errorf("%d requests, %d of the portfolio and %d attempts in one turn", len(all.got()), len(two.got()), len(s.deliveries(first)))
	}
	_, err = portfolios.Put(t.Context(), "test.owner.bars", []byte(`{"name":"bars","licenses":[{"state":"CA","license_number":"6"}]}`))
	s.must(err)
	s.change(contracts.Test, "6")
	s.await("a license that came to the portfolio is told of", func() bool { return slices.Contains(two.ids(), "CA.e.6") })
	if entry, err := s.bucket.Get(t.Context(), first); err != nil || strings.Contains(string(entry.Value()), strings.TrimPrefix(secret, "whsec_")) {
		t.Errorf("the secret is kept in the clear: %v", err)
	}
}

// distinct are the ids without those that came before: a courier that takes over repeats what was not noted.
func distinct(ids []string) (once []string) {
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}

// put replaces an endpoint.
func (s *stand) put(key string, e webhook.Endpoint) {
	s.Helper()
	doc, err := json.Marshal(e)
	s.must(err)
	_, err = s.bucket.Put(s.Context(), key, doc)
	s.must(err)
}

// What fails is tried again by the schedule, or when the endpoint says; what follows does not wait for it.
func TestAFailureIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	r := s.receiver(func(w http.ResponseWriter, r *http.Request, n int) {
		switch n {
		case 1:
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte("no"))
		case 2:
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	key, secret := s.keep(r.URL)
	s.courier(func(c *Config) { c.Schedule = []time.Duration{300 * time.Millisecond, time.Millisecond} })
	id, _ := s.change(contracts.Test, "1")
	s.await("the third attempt", func() bool { return len(r.got()) == 3 && len(s.kept(key).Retries) == 0 })
	got := r.got()
	if join(r.ids()) != join([]string{id, id, id}) || got[1].at.Sub(got[0].at) < 300*time.Millisecond || got[2].at.Sub(got[1].at) < 2*time.Second {
		t.Errorf("attempts of %v at %s, %s, %s", r.ids(), got[0].at, got[1].at, got[2].at)
	}
	for _, g := range got {
		verify(t, secret, g)
	}
	next, _ := s.change(contracts.Test, "2")
	s.await("the next", func() bool { return len(r.got()) == 4 })
	if e := s.kept(key); r.ids()[3] != next || e.FailingSince != nil || e.Status() != "active" {
		t.Errorf("%v %+v", r.ids(), e)
	}
	s.await("four attempts are noted", func() bool { return len(s.deliveries(key)) == 4 })
	if d := s.deliveries(key); d[0].Status != 500 || d[0].Reply != "no" || d[0].NextAt == nil || d[1].Attempt != 2 || d[2].Status != 200 || d[2].NextAt != nil {
		t.Errorf("noted %+v", d)
	}
}

// An event is given up after the last attempt where another one arrives, and an endpoint that has a hundred to be tried again gets nothing new.
func TestRetriesAreBounded(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	down, full := s.receiver(status(500)), s.receiver(status(500))
	once := s.receiver(func(w http.ResponseWriter, r *http.Request, n int) {
		if strings.HasSuffix(r.Header.Get("Webhook-Id"), ".1") {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	key, _ := s.keep(once.URL)
	waits, _ := s.keep(down.URL)
	s.courier(func(c *Config) { c.Schedule = []time.Duration{time.Hour} })
	one, _ := s.change(contracts.Test, "1")
	two, _ := s.change(contracts.Test, "2")
	for _, k := range []string{key, waits} {
		s.await("both were tried", func() bool { return s.kept(k).Cursor == s.place() })
		e := s.kept(k)
		for i := range e.Retries {
			e.Retries[i].Due = time.Now()
		}
		s.put(k, e)
	}
	s.await("it is given up", func() bool { return len(once.got()) == 3 && len(s.kept(key).Retries) == 0 })
	if e := s.kept(key); join(once.ids()) != join([]string{one, two, one}) || e.Status() != "failing" || e.Cursor != s.place() {
		t.Errorf("%v %+v", once.ids(), e)
	}
	s.await("nothing is given up where nothing arrives", func() bool {
		return len(down.got()) == 4 && !slices.ContainsFunc(s.kept(waits).Retries, func(r webhook.Retry) bool { return r.Attempts != 2 })
	})
	if e := s.kept(waits); len(e.Retries) != 2 {
		t.Errorf("%+v", e)
	}
	other := newStand(t)
	key, _ = other.keep(full.URL)
	first := other.place().Sequence
	for i := range webhook.MaxRetries + 20 {
		other.change(contracts.Test, fmt.Sprint(i))
	}
	other.courier(func(c *Config) { c.Schedule = []time.Duration{time.Hour} })
	other.await("it has as many as may be", func() bool { return len(other.kept(key).Retries) == webhook.MaxRetries })
	other.change(contracts.Test, "more")
	if !clocktest.Stays(func() bool {
		return other.kept(key).Cursor.Sequence == first+webhook.MaxRetries && len(full.got()) == webhook.MaxRetries
	}) {
		t.Errorf("at %d after %d requests", other.kept(key).Cursor.Sequence-first, len(full.got()))
	}
}

// What a person asks for is sent once, also while the endpoint is paused.
func TestByHand(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	r := s.receiver(status(500))
	id, doc := s.change(contracts.Test, "1")
	key, secret := s.keep(r.URL, func(e *webhook.Endpoint) {
		e.Paused = true
		e.ByHand = []webhook.Retry{
			{Event: "test.x", Due: time.Now()}, {Event: id, Sequence: s.place().Sequence, Due: time.Now()}, {Event: "CA.other", Sequence: 1, Due: time.Now()},
		}
	})
	s.courier()
	s.await("both are sent", func() bool { return len(s.kept(key).ByHand) == 0 })
	got := r.got()
	if len(got) != 2 || got[0].id() != "test.x" || got[1].id() != id || string(got[1].body) != string(doc) || s.kept(key).FailingSince != nil {
		t.Fatalf("%v %+v", r.ids(), s.kept(key))
	}
	for _, g := range got {
		verify(t, secret, g)
	}
}

// An attempt by hand that works ends a failure: an endpoint is disabled where every attempt of five days failed.
func TestByHandEndsAFailure(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	monday := time.Now().Add(-100 * time.Hour)
	key, _ := s.keep(s.receiver(status(204)).URL, func(e *webhook.Endpoint) {
		e.FailingSince, e.ByHand = &monday, []webhook.Retry{{Event: "test.x", Due: time.Now()}}
	})
	s.courier()
	s.await("it is sent", func() bool { return len(s.kept(key).ByHand) == 0 })
	if e := s.kept(key); e.FailingSince != nil || e.Status() != "active" {
		t.Errorf("%+v", e)
	}
}

// A place of a life of the stream that is over is one of this life only as far as both are the same.
func TestARestoredStreamIsReadAgain(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	var ids []string
	for i := range 5 {
		id, _ := s.change(contracts.Test, fmt.Sprint(i))
		ids = append(ids, id)
	}
	stream, err := s.js.Stream(t.Context(), contracts.ChangesStream.Name)
	s.must(err)
	cfg := stream.CachedInfo().Config
	cfg.Metadata[contracts.RestoredKey] = "2"
	_, err = s.js.UpdateStream(t.Context(), cfg)
	s.must(err)
	ahead, behind := s.receiver(nil), s.receiver(nil)
	s.keep(ahead.URL, func(e *webhook.Endpoint) { e.Cursor = feed.Cursor{Epoch: "before", Sequence: 4} })
	s.keep(behind.URL, func(e *webhook.Endpoint) { e.Cursor = feed.Cursor{Epoch: "before", Sequence: 1} })
	s.courier()
	s.await("what the backup did not have", func() bool { return len(ahead.got()) == 3 && len(behind.got()) == 4 })
	if join(ahead.ids()) != join(ids[2:]) || join(behind.ids()) != join(ids[1:]) {
		t.Errorf("%v %v", ahead.ids(), behind.ids())
	}
}

// A courier that dies without a word is replaced, and one that stops gives its work away at once; nothing is lost between them.
func TestAnotherTakesOver(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	r := s.receiver(nil)
	s.keep(r.URL)
	flights, err := s.js.KeyValue(t.Context(), contracts.FlightsBucket.Name)
	s.must(err)
	_, err = flights.Put(t.Context(), contracts.CourierLease, []byte("taken")) // of one that is dead
	s.must(err)
	began := time.Now()
	stop := s.courier()
	var want []string
	publish := func() {
		id, _ := s.change(contracts.Test, fmt.Sprint(len(want)))
		want = append(want, id)
	}
	publish()
	s.await("the first one works", func() bool { return len(r.got()) == 1 })
	if took := time.Since(began); took < lease.Time {
		t.Errorf("it did not wait for the one that may live: %s", took)
	} else {
		t.Logf("it took over after %s", took)
	}
	s.courier()
	publish()
	s.await("one works", func() bool { return slices.Contains(r.ids(), want[1]) })
	s.must(stop())
	publish()
	s.await("the other one works", func() bool { return slices.Contains(r.ids(), want[2]) })
	got := r.ids()
	if s.turns.Load() > 2 {
		got = distinct(got)
	}
	if join(got) != join(want) {
		t.Errorf("%v, want %v", r.ids(), want)
	}
}
