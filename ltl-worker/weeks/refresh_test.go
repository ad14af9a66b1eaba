package weeks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/trust"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

// bench holds a source whose page is a function, over a real server.
type bench struct {
	testing.TB
	js      jetstream.JetStream
	store   *cache.Store
	archive *archive.Archive
	metrics *Metrics
	now     atomic.Pointer[time.Time]
	looks   atomic.Int64 // how often somebody asked for the time, as a refresher does each time it looks at a carrier
	reads   atomic.Int64
	page    func() (reader.Found, error)
	html    string // of the page, where there is one
	books   wording.Bucket
	source  *Source
}

func newBench(t testing.TB, c contracts.Carrier) *bench {
	t.Helper()
	b := &bench{TB: t}
	at := time.Now()
	b.now.Store(&at)
	b.js = bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	var err error
	b.metrics, err = NewMetrics(prometheus.NewRegistry())
	b.must(err)
	b.store, err = cache.Open(t.Context(), b.js, cache.Deps{})
	b.must(err)
	t.Cleanup(func() { _ = b.store.Close(context.Background()) })
	weeks, err := b.js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	b.must(err)
	b.archive, err = archive.Open(contracts.Live, b.js, weeks, slog.New(slog.DiscardHandler), prometheus.NewRegistry(),
		func(context.Context, string, contracts.SurchargeRevision) error { return nil }, nil)
	b.must(err)
	t.Cleanup(func() { _ = b.archive.Stop(context.Background()) })
	keeper, err := evidence.Open(evidence.Deps{JetStream: b.js, Environment: contracts.Live, Product: contracts.LTL})
	b.must(err)
	t.Cleanup(func() { _ = keeper.Stop(context.Background()) })
	b.books, err = wording.OpenBucket(t.Context(), contracts.Live, b.js)
	b.must(err)
	b.must(b.books.Accept(t.Context(), c, trust.Edition{Path: "page", By: "the test", At: at}))
	words, err := wording.Open(t.Context(), contracts.Live, b.js, func(contracts.Carrier) []trust.Edition { return nil }, slog.New(slog.DiscardHandler))
	b.must(err)
	following, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- words.Follow(following) }()
	t.Cleanup(func() { stop(); b.must(<-ended) })
	b.source = NewSource(&reader.Reader{Recipe: carrier.Config{}.Recipe(c)}, Deps{
		Environment: contracts.Live, Archive: b.archive, Words: words, Keeper: keeper, Kept: evidence.NewStore(b.js),
		Metrics: b.metrics, Log: slog.New(slog.DiscardHandler), Clock: b.clock,
	})
	b.source.Judge.Price = func(context.Context, contracts.Date) (float64, bool) { return 5.599, true }
	b.source.use([]reader.Path{{
		Name: "page", Method: contracts.StructuredParse,
		Read: func(ctx context.Context, _ contracts.Date) (reader.Reading, error) {
			b.reads.Add(1)
			found, err := b.page()
			scrape.Record(ctx, scrape.Document{Page: &scrape.Page{URL: "https://carrier.example/", Body: []byte(cmp.Or(b.html, fmt.Sprint(found)))}})
			return reader.Reading{Value: found, Tally: contracts.Tally{Clean: 1, Required: 1}, EvidenceURL: "https://carrier.example/"}, err
		},
	}})
	return b
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) answer(ctx context.Context, _ bool) (contracts.SurchargeAnswer, error) {
	return b.source.Read(ctx)
}

func (b *bench) clock() time.Time {
	b.looks.Add(1)
	return *b.now.Load()
}

func (b *bench) refresher() *Refresher {
	return &Refresher{
		Environment: contracts.Live, Store: b.store, Sources: []*Source{b.source}, Metrics: b.metrics,
		Log: slog.New(slog.DiscardHandler), Clock: b.clock, Every: 10 * time.Millisecond, Accepted: b.source.Words.Accepted(),
	}
}

// accepts accepts what the page says now, and waits until the worker knows it.
func (b *bench) accepts(figures bool) {
	b.Helper()
	found, err := b.page()
	b.must(err)
	code := b.source.recipe.Code
	known := len(b.source.Words.Of(code).Editions)
	b.must(b.books.Accept(b.Context(), code, trust.NewEdition(found.Trusted("page"), "the test", b.clock(), "", figures)))
	clocktest.Await(b, "the worker knows what is accepted", func() bool { return len(b.source.Words.Of(code).Editions) > known })
}

// run runs refreshers until so is true, and until each has looked some ten times more.
func (b *bench) run(so func() bool, rs ...*Refresher) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, len(rs))
	for _, r := range rs {
		go func() { ended <- r.Run(ctx) }()
	}
	clocktest.Await(b, "what the refreshers are run for", so)
	enough := b.looks.Load() + 10*int64(len(rs))
	clocktest.Await(b, "they look again and again", func() bool { return b.looks.Load() >= enough })
	cancel()
	for range rs {
		b.must(<-ended)
	}
}

func (b *bench) keep(expires time.Time) {
	b.Helper()
	b.keepRead(b.clock(), expires, contracts.StructuredParse)
}

// keepRead stores an answer that was read at a moment.
func (b *bench) keepRead(read, expires time.Time, by contracts.Method) {
	b.Helper()
	answers, err := b.js.KeyValue(b.Context(), contracts.AnswersBucket.Name)
	b.must(err)
	value, err := json.Marshal(contracts.SurchargeAnswer{
		Provenance: contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: read, ExpiresAt: expires, Method: by}, Carrier: b.source.recipe.Code,
	})
	b.must(err)
	_, err = answers.Put(b.Context(), string(contracts.SurchargeKey(contracts.Live, b.source.recipe.Code)),
		kv.Compress(value))
	b.must(err)
}

func weekOf(d contracts.Date, pct float64) contracts.ObservedWeek {
	return contracts.ObservedWeek{
		SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: d, Percent: pct}, Tally: contracts.Tally{Clean: 2, Required: 2},
	}
}

// current is the newest week that is in force now, as the carrier shows it.
func (b *bench) current() (reader.Found, error) {
	due := b.source.recipe.Publication.Posted(b.clock())
	if due > contracts.Today(b.clock()) {
		due = due.AddDays(-7)
	}
	return reader.Found{Reading: surcharge.Reading{Weeks: []contracts.ObservedWeek{weekOf(due, 50)}}}, nil
}

func TestRefreshWhenTheAnswerEnds(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.page = b.current
	b.keep(b.clock().Add(-time.Second))
	b.run(func() bool { return b.reads.Load() > 0 }, b.refresher(), b.refresher(), b.refresher())
	if n := b.reads.Load(); n != 1 {
		t.Errorf("%d reads by three workers, want 1", n)
	}
	if e, err := b.store.Get(t.Context(), contracts.SurchargeKey(contracts.Live, contracts.TFORCE)); err != nil ||
		!e.Fresh(b.clock()) {
		t.Errorf("stored: %+v, %v", e.Provenance, err)
	}
}

// An answer is replaced before it ends, by one worker and once. What was paid for, and what lives for minutes, is not.
func TestRefreshAheadOfTheEnd(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.page = b.current
	end := b.clock().Add(time.Minute)
	for _, other := range []struct {
		read time.Time
		by   contracts.Method
	}{{end.Add(-5 * time.Minute), contracts.StructuredParse}, {end.Add(-time.Hour), contracts.ScraperAPI}} {
		b.keepRead(other.read, end, other.by)
		b.run(func() bool { return true }, b.refresher())
	}
	if n := b.reads.Load(); n != 0 {
		t.Errorf("%d reads ahead of answers that are not worth it", n)
	}
	b.keepRead(end.Add(-time.Hour), end, contracts.StructuredParse)
	b.run(func() bool { return b.reads.Load() > 0 }, b.refresher(), b.refresher(), b.refresher())
	if n := b.reads.Load(); n != 1 {
		t.Errorf("%d reads by three workers, want 1", n)
	}
	if e, err := b.store.Get(t.Context(), contracts.SurchargeKey(contracts.Live, contracts.TFORCE)); err != nil || !e.ExpiresAt.After(end) {
		t.Errorf("stored: %+v, %v", e.Provenance, err)
	}
}

func TestNoRefreshOfAFreshAnswerNorOfNone(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.page = b.current
	b.run(func() bool { return true }, b.refresher())
	b.keep(b.clock().Add(time.Hour))
	b.run(func() bool { return true }, b.refresher())
	if n := b.reads.Load(); n != 0 {
		t.Errorf("%d reads, want none", n)
	}
}

func TestPublicationDuringARestartIsNotMissed(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.page = b.current
	b.archive.Observe(archive.Observation{
		Carrier: contracts.TFORCE, At: b.clock().AddDate(0, 0, -8),
		Weeks: []contracts.ObservedWeek{weekOf(contracts.Today(b.clock()).AddDays(-9), 49)},
	})
	b.run(func() bool {
		known, err := b.archive.Weeks(t.Context(), contracts.TFORCE)
		return err == nil && len(known) > 0
	})
	b.run(func() bool { return b.reads.Load() == 1 }, b.refresher())
}

func TestRefreshBacksOffAfterAFailure(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.page = func() (reader.Found, error) { return reader.Found{}, errors.New("down") }
	b.keep(b.clock().Add(-time.Second))
	b.run(func() bool { return b.reads.Load() > 0 }, b.refresher())
	if n := b.reads.Load(); n != 1 {
		t.Errorf("%d reads at once, want 1", n)
	}
}

func TestOnlyNextWeekOnThePage(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	today := contracts.Today(b.clock())
	b.page = func() (reader.Found, error) {
		return reader.Found{Reading: surcharge.Reading{Coming: []contracts.ObservedWeek{weekOf(today.AddDays(1), 52)}}}, nil
	}
	observe := func(d contracts.Date) {
		b.must(b.archive.Keep(t.Context(), contracts.TFORCE, archive.Observation{Carrier: contracts.TFORCE, At: b.clock(),
			Weeks: []contracts.ObservedWeek{weekOf(d, 51)}}))
		b.run(func() bool {
			known, err := b.archive.Weeks(t.Context(), contracts.TFORCE)
			for _, w := range known {
				if w.Date == d {
					return err == nil
				}
			}
			return false
		})
	}
	observe(today.AddDays(-20))
	if a, err := b.source.Read(t.Context()); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("an old week passes for the current one: %+v, %v", a.Weeks, err)
	}
	observe(today.AddDays(-6))
	a, err := b.source.Read(t.Context())
	if err != nil || len(a.Weeks) != 2 || a.Weeks[0].EffectiveDate != today.AddDays(-6) || a.Weeks[0].Percent != 51 {
		t.Errorf("answer %+v, %v", a.Weeks, err)
	}
	if tomorrow := a.ExpiresAt; tomorrow.After(b.clock().Add(25 * time.Hour)) {
		t.Errorf("expires %s, after the next week begins", tomorrow)
	}
}

func TestWeeksTakenBackAreNotServed(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	today := contracts.Today(b.clock())
	observed := []contracts.ObservedWeek{weekOf(today.AddDays(-1), 99), weekOf(today.AddDays(-3), 51),
		weekOf(today.AddDays(-10), 50)}
	b.must(b.archive.Keep(t.Context(), contracts.TFORCE, archive.Observation{Carrier: contracts.TFORCE, At: b.clock(), Weeks: observed}))
	b.run(func() bool {
		known, err := b.archive.Weeks(t.Context(), contracts.TFORCE)
		return err == nil && len(known) == 3
	})
	b.page = func() (reader.Found, error) {
		return reader.Found{Reading: surcharge.Reading{Weeks: []contracts.ObservedWeek{weekOf(today.AddDays(-3), 51.5)}}}, nil
	}
	a, err := b.source.Read(t.Context())
	if err != nil || len(a.Weeks) != 2 || a.Weeks[0].Percent != 51.5 || a.Weeks[1].Percent != 50 {
		t.Errorf("answer %+v, %v", a.Weeks, err)
	}
}
