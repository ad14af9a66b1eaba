package answers

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock"
	"assay.dev/platform/clock/clocktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// question asks for the newest week of one carrier; nobody serves its subject.
func question(c contracts.Carrier) Question[contracts.SurchargeAnswer] {
	return Question[contracts.SurchargeAnswer]{
		Key: contracts.SurchargeKey(contracts.Test, c), View: View{Size: 1}, Subject: contracts.SurchargeSubject(contracts.Test, c),
		Request: contracts.SurchargeRequest{Carrier: c}, MaxTime: clocktest.Patience,
		Body: func(a contracts.SurchargeAnswer, view View) (contracts.Provenance, any, error) {
			return a.Provenance, a.Body(view.Size), nil
		},
	}
}

type fixture struct {
	*Store
	t       *testing.T
	entries jetstream.KeyValue
}

func open(t *testing.T, js jetstream.JetStream, deps bus.Deps) fixture {
	t.Helper()
	shared, err := cache.Open(t.Context(), js, cache.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(Deps{
		Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Cache: shared, Client: bus.NewClient(deps), MaxBytes: 1 << 20, SharedTime: clocktest.Patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		_ = shared.Close(context.Background())
	})
	entries, err := js.KeyValue(t.Context(), contracts.AnswersBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{s, t, entries}
}

func surcharge(percent float64, ttl time.Duration) contracts.SurchargeAnswer {
	now := time.Now()
	return contracts.SurchargeAnswer{
		Provenance: contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: now, ExpiresAt: now.Add(ttl), Method: contracts.APIMirror}, Carrier: contracts.ODFL,
		Weeks: []contracts.ObservedWeek{{SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: "2026-09-21", Percent: percent}}},
	}
}

// put stores an answer that is servable for ttl.
func (f fixture) put(percent float64, ttl time.Duration) {
	f.t.Helper()
	f.store(surcharge(percent, ttl))
}

func (f fixture) store(answer contracts.SurchargeAnswer) {
	f.t.Helper()
	value, err := json.Marshal(answer)
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := f.entries.Put(f.t.Context(), string(question(contracts.ODFL).Key), value); err != nil {
		f.t.Fatal(err)
	}
}

// get asks, and expects the answer's percentage from tier; 0 expects a failure.
func (f fixture) get(what string, percent float64, tier Tier) {
	f.t.Helper()
	found, err := Get(f.t.Context(), f.Store, question(contracts.ODFL))
	if percent == 0 {
		if err == nil {
			f.t.Errorf("%s: answered from %s", what, found.Tier)
		}
		return
	}
	if err != nil {
		f.t.Errorf("%s: %v", what, err)
		return
	}
	if got := f.percent(found); got != percent || found.Tier != tier {
		f.t.Errorf("%s: %v from %s, want %v from %s", what, got, found.Tier, percent, tier)
	}
}

func (f fixture) percent(found Found) float64 {
	f.t.Helper()
	var body contracts.Surcharge
	if err := json.Unmarshal(found.Body, &body); err != nil {
		f.t.Fatal(err)
	}
	return body.Weeks[0].Percent
}

// await asks until the answer is of that percentage: the request that has a copy looked at does not wait for long.
func (f fixture) await(percent float64) {
	f.t.Helper()
	clocktest.Await(f.t, fmt.Sprintf("the answer is %v", percent), func() bool {
		found, err := Get(f.t.Context(), f.Store, question(contracts.ODFL))
		if err != nil {
			f.t.Fatal(err)
		}
		return f.percent(found) == percent
	})
}

// due makes the copy one that must be compared with the shared entry.
func (f fixture) due() {
	f.copied().checkAt.Store(0)
}

func (f fixture) copied() *Answer {
	a, _ := f.copies.GetIfPresent(name{question(contracts.ODFL).Key, View{Size: 1}})
	return a
}

func TestCopiesFollowTheSharedEntry(t *testing.T) {
	srv := bustest.Server(t)
	conn := bustest.Connect(t, srv)
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	f.get("nothing stored and no worker", 0, "")
	f.put(40, time.Hour)
	f.get("first", 40, Shared)
	f.get("again", 40, Local)
	f.put(41, time.Hour)
	f.get("not looked at yet", 40, Local)
	f.due()
	f.await(41)
	f.due()
	f.get("looked at and the same", 41, Local)
	if err := f.entries.Delete(t.Context(), string(question(contracts.ODFL).Key)); err != nil {
		t.Fatal(err)
	}
	f.due()
	f.get("the entry is gone and no worker can replace it", 41, Local)
	f.due()
	bustest.Stop(srv)
	began := time.Now()
	f.get("NATS is away", 41, Local)
	if took := time.Since(began); took > clocktest.Patience/2 {
		t.Errorf("without NATS a held copy took %s", took)
	}
}

// A copy whose entry was ended, such as when an acceptance was taken back, is served no longer although nobody has a better one.
func TestACopyOfAnEndedAnswerIsNotServed(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	f.heldPatience = clocktest.Patience // a bucket that is slow to say so leaves the copy to those who ask meanwhile
	asked := question(contracts.ODFL)
	for _, fresh := range []bool{false, true} {
		f.put(40, time.Hour)
		f.get("first", 40, Shared)
		if err := cache.End(t.Context(), f.cache, asked.Key, time.Now()); err != nil {
			t.Fatal(err)
		}
		f.due()
		f.copied().ReadAt = time.Now().Add(-FreshEnough)
		asked.Fresh = fresh
		if found, err := Get(t.Context(), f.Store, asked); err == nil {
			t.Errorf("fresh %t: answered from %s", fresh, found.Tier)
		}
		f.get("nothing is left", 0, "")
	}
}

// Who asks for a copy that was ended waits for the worker, however slow: the copy is not what there is meanwhile.
func TestACopyOfAnEndedAnswerIsNotServedWhileAWorkerReads(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	asked := question(contracts.ODFL)
	worker, err := bus.Serve(bus.Deps{Conn: conn}, bus.Service{Name: "ltl", Version: "1.0.0", Capacity: 2, MaxTime: time.Minute, Endpoints: []bus.Endpoint{
		bus.Handle("surcharge", asked.Subject, func(ctx context.Context, _ contracts.SurchargeRequest) (contracts.SurchargeAnswer, error) {
			return surcharge(42, time.Hour), clock.Sleep(ctx, 10*heldPatience)
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Stop(context.Background()) }()
	clocktest.Await(t, "nobody is given the ended answer", func() bool { // a bucket that is slow to say so leaves the copy to those who ask meanwhile
		f.put(40, time.Hour)
		f.Forget(asked.Key)
		f.get("first", 40, Shared)
		if err := cache.End(t.Context(), f.cache, asked.Key, time.Now()); err != nil {
			t.Fatal(err)
		}
		f.due()
		found, err := Get(t.Context(), f.Store, asked)
		return err == nil && f.percent(found) == 42
	})
}

// What a change outdates is not served from a copy: not from one that there is, nor from one that a look under way makes.
func TestForgottenCopiesAreNotServed(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	key := question(contracts.ODFL).Key
	f.put(40, time.Hour)
	f.get("first", 40, Shared)
	f.put(41, time.Hour)
	f.Forget(key)
	f.get("forgotten", 41, Shared)
	f.put(42, time.Hour)
	f.ForgetAll(key + "X")
	f.get("another one's", 41, Local)
	f.ForgetAll(key[:len(key)-1])
	f.get("forgotten with others", 42, Shared)

	f.Forget(key)
	asked := question(contracts.ODFL)
	body := asked.Body
	asked.Body = func(a contracts.SurchargeAnswer, view View) (contracts.Provenance, any, error) {
		f.Forget(key)
		return body(a, view)
	}
	if _, err := Get(t.Context(), f.Store, asked); err != nil {
		t.Fatal(err)
	}
	if f.copied() != nil {
		t.Error("a look that began before the change made a copy")
	}
}

// A copy in doubt is compared with the shared entry within seconds: an operator may have accepted what the source says.
func TestCopiesInDoubtAreLookedAtSooner(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	for note, want := range map[contracts.NoteCode]time.Duration{contracts.NoteFallback: checkEvery, contracts.NoteWordingChanged: checkAgain} {
		a := surcharge(40, time.Hour)
		a.Notes = []contracts.Note{{Code: note}}
		began := time.Now()
		kept, err := keep(f.Store, name{}, question(contracts.ODFL), a, 1, Shared)
		if left := time.Unix(0, kept.checkAt.Load()).Sub(began); err != nil || left < want || left > want+time.Since(began) {
			t.Errorf("%s: looked at after %s, %v; want %s", note, left, err, want)
		}
	}
}

// A worker replies before it stores: until then the shared entry, and what other workers make of it, is older than the copy.
func TestAnOlderAnswerDoesNotReplaceACopy(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	older := surcharge(40, time.Hour)
	older.ReadAt = older.ReadAt.Add(-time.Hour)
	f.store(older)
	asked := question(contracts.ODFL)
	viewed := name{asked.Key, asked.View}
	for name, c := range map[string]struct {
		note   contracts.NoteCode // of the copy
		fresh  bool
		reply  bool // the older answer is a worker's, which could not read anew
		want   float64
		tier   Tier
		failed bool
	}{
		"a look":                      {want: 41, tier: Local},
		"fresh, and no worker":        {fresh: true, want: 41, tier: Local, failed: true},
		"a worker's older reply":      {reply: true, want: 41, tier: Local, failed: true},
		"in doubt":                    {note: contracts.NoteWordingChanged, want: 40, tier: Shared},
		"in doubt, and fresh":         {note: contracts.NoteWordingChanged, fresh: true, want: 40, tier: Local, failed: true},
		"in doubt, and a worker's":    {note: contracts.NoteWordingChanged, reply: true, want: 40, tier: Worker, failed: true},
		"by a fallback, not in doubt": {note: contracts.NoteFallback, want: 41, tier: Local},
	} {
		held := surcharge(41, time.Hour)
		held.ReadAt = held.ReadAt.Add(-FreshEnough)
		if c.note != "" {
			held.Notes = []contracts.Note{{Code: c.note}}
		}
		f.Forget(asked.Key)
		asked.Fresh, asked.forgets = c.fresh, f.forgets.Load()
		if _, err := keep(f.Store, viewed, asked, held, 0, Worker); err != nil {
			t.Fatal(err)
		}
		f.due()
		get := func() (Found, error) { return Get(t.Context(), f.Store, asked) }
		if c.reply {
			reply := older
			reply.RefreshFailed = true
			get = func() (Found, error) { return keep(f.Store, viewed, asked, reply, 0, Worker) }
		}
		found, err := get()
		if err != nil || f.percent(found) != c.want || found.Tier != c.tier || found.RefreshFailed != c.failed {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
		f.get(name+", then", c.want, Local)
	}
}

// A copy whose entry is gone is good until it expires: who asks is not kept waiting while a worker reads the source.
func TestSlowWorkersAreNotWaitedForWithACopyAtHand(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	asked, read := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(asked) }) // silence is asked again
	worker, err := bus.Serve(bus.Deps{Conn: conn}, bus.Service{Name: "ltl", Version: "1.0.0", Capacity: 2, MaxTime: time.Minute, Endpoints: []bus.Endpoint{
		bus.Handle("surcharge", question(contracts.ODFL).Subject, func(context.Context, contracts.SurchargeRequest) (contracts.SurchargeAnswer, error) {
			once()
			<-read
			return surcharge(42, time.Hour), nil
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Stop(context.Background()) }()
	f.put(41, time.Hour)
	f.get("first", 41, Shared)
	if err := f.entries.Delete(t.Context(), string(question(contracts.ODFL).Key)); err != nil {
		t.Fatal(err)
	}
	f.due()
	f.get("a worker is asked", 41, Local)
	<-asked
	f.due()
	f.get("a worker is still asked", 41, Local)
	close(read)
	f.await(42)
}

func TestExpiredCopiesAreNotServed(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	f := open(t, bustest.JetStream(t, conn), bus.Deps{Conn: conn})
	f.put(40, time.Hour)
	f.get("fresh", 40, Shared)
	f.put(40, -time.Second)
	f.copied().ExpiresAt = time.Now()
	f.get("expired", 0, "")
}
