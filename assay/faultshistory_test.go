package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/captcha-worker/credits"
	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// historyFaults are checked by models: concurrent clients use a store as the services do, through connections of their own, while
// its leader is killed and restarted twice or the network is slow.
var historyFaults = []fault{
	{name: "history of keys: create, revoke, read; leaders die", must: "linearizable", run: keysHistory},
	{name: "history of the ledger: reserve, settle, read; leaders die", must: "linearizable: never more than the budget, settled once", run: ledgerHistory},
	{name: "history of the limiter: three gateways, 50 ms of latency", must: "≤ 20 in any 60 s for a limit of 20", run: limiterHistory},
	{name: "history of flights: three workers, 50 ms of latency", must: "each key is fetched once, and all get what was fetched", run: flightsHistory},
	{name: "history of the archive: keep, read; leaders die", must: "a kept week stays: readers see it 20 s later at the latest", run: archiveHistory},
	{name: "history of evidence: keep, read; leaders die", must: "a kept document stays, byte for byte", run: evidenceHistory},
}

// operationTime bounds one operation of a history.
const operationTime = 15 * time.Second

func (r *row) within() (context.Context, context.CancelFunc) {
	return context.WithTimeout(r.Context(), operationTime)
}

// keyInput is an operation on one key: create, revoke or read.
type keyInput struct{ what, id string }

// keysModel's state of a key is "", "good" or "revoked", as is the output of a read.
var keysModel = porcupine.Model{
	Partition: partition(func(input any) any { return input.(keyInput).id }),
	Init:      func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		switch input.(keyInput).what {
		case "create":
			return state == "", "good"
		case "revoke":
			return state != "" || output == unknown{}, map[any]any{"": "", "good": "revoked", "revoked": "revoked"}[state]
		}
		return output == state || output == unknown{}, state
	},
}

func keysHistory(r *row) {
	d := r.system()
	h := newHistory()
	var work []func()
	for client, js := range r.clients(d, 6) {
		store, err := keys.OpenStore(r.Context(), js)
		r.need(err)
		work = append(work, func() {
			for range 8 {
				r.useKey(h, client, store)
			}
		})
	}
	r.whileLeadersDie(d, contracts.KeysBucket.Stream(), work...)
	h.check(r, keysModel)
}

// useKey creates a key, reads it, revokes it and reads it again.
func (r *row) useKey(h *history, client int, store *keys.Store) {
	ctx, cancel := r.within()
	defer cancel()
	call := h.now()
	key, err := store.Create(ctx, keys.Record{Tenant: "history", Environment: contracts.Test, Products: contracts.Products})
	hash, parsed := keys.Parse(key)
	if parsed != nil {
		r.holds(false, "no key: %v", err)
		return
	}
	id := hash.ID()
	h.note(client, keyInput{"create", id}, call, orUnknown("", err))
	read := func() {
		h.do(client, keyInput{"read", id}, func() any {
			all, err := store.List(ctx)
			state := ""
			for _, one := range all {
				if one.ID == id {
					state = map[bool]string{true: "good", false: "revoked"}[one.RevokedAt.IsZero()]
				}
			}
			return orUnknown(state, err)
		})
	}
	read()
	h.do(client, keyInput{"revoke", id}, func() any { return orUnknown("", store.Revoke(ctx, key)) })
	read()
}

func orUnknown(output any, err error) any {
	if err != nil {
		return unknown{}
	}
	return output
}

// ledgerInput is an operation on the ledger of a month: reserve and settle of a job, or read.
type ledgerInput struct {
	what string
	job  int
}

const (
	ledgerBudget = 30
	ledgerJobs   = 40
)

// ledgerModel's state has a letter for each job: '.' nothing, 'p' pending, 's' settled. Each job costs 1.
var ledgerModel = porcupine.Model{
	Init: func() any { return strings.Repeat(".", ledgerJobs) },
	Step: func(state, input, output any) (bool, any) {
		s, in := state.(string), input.(ledgerInput)
		left := ledgerBudget - strings.Count(s, "p") - strings.Count(s, "s")
		with := func(letter string) string { return s[:in.job] + letter + s[in.job+1:] }
		lost := output == unknown{}
		switch {
		case in.what == "read":
			return lost || output == left, s
		case in.what == "reserve" && s[in.job] != '.':
			return lost || output == "again", s
		case in.what == "reserve" && left == 0:
			return lost || output == "spent", s
		case in.what == "reserve":
			return lost || output == "fresh", with("p")
		case s[in.job] == 'p':
			return true, with("s")
		}
		return true, s
	},
}

func ledgerHistory(r *row) {
	d := r.system()
	h := newHistory()
	var work []func()
	for client, js := range r.clients(d, 4) {
		bucket, err := js.KeyValue(r.Context(), contracts.CreditsBucket.Name)
		r.need(err)
		kind := contracts.JobKind(fmt.Sprint("history", r.seed))
		ledger := credits.Open(js, bucket, contracts.Live, kind, ledgerBudget, false)
		random := rand.New(rand.NewPCG(r.seed, uint64(client)))
		work = append(work, func() {
			for range 25 {
				r.useLedger(h, client, ledger, random.IntN(ledgerJobs))
				_ = clock.Sleep(r.Context(), 100*time.Millisecond)
			}
		})
	}
	r.whileLeadersDie(d, contracts.CreditsBucket.Stream(), work...)
	h.check(r, ledgerModel)
}

// useLedger reserves for a job, settles it when the grant is fresh, as a worker does, and reads what is left.
func (r *row) useLedger(h *history, client int, l *credits.Ledger, job int) {
	ctx, cancel := r.within()
	defer cancel()
	id, fresh := fmt.Sprint("job-", job), false
	h.do(client, ledgerInput{"reserve", job}, func() any {
		_, isFresh, err := l.Reserve(ctx, id, 1)
		fresh = isFresh && err == nil
		switch {
		case errors.Is(err, credits.ErrSpent):
			return "spent"
		case fresh:
			return "fresh"
		}
		return orUnknown("again", err)
	})
	if fresh {
		h.do(client, ledgerInput{"settle", job}, func() any { return orUnknown("", l.Settle(ctx, id, 1)) })
	}
	h.do(client, ledgerInput{what: "read"}, func() any {
		m, err := l.Read(ctx)
		return orUnknown(int(m.Remaining()), err)
	})
}

const historyLimit = 20

// admission is when a request was made and answered.
type admission struct{ call, answer int64 }

// limiterModel's state are the calls of requests that were admitted by a lease of the shared ledger. Two requests are surely within a window when the later one was answered
// before the earlier one's call and the window.
var limiterModel = porcupine.Model{
	Init: func() any { return []int64(nil) },
	Step: func(state, input, _ any) (bool, any) {
		in, calls, within := input.(admission), state.([]int64), 0
		for _, call := range calls {
			if call > in.answer-int64(ratelimit.Window) {
				within++
			}
		}
		return within < historyLimit, append(slices.Clone(calls), in.call)
	},
	Equal: func(a, b any) bool { return slices.Equal(a.([]int64), b.([]int64)) },
}

func limiterHistory(r *row) {
	const while = 70 * time.Second
	d := r.system()
	for _, s := range d.servers {
		s.link.impair(r.T, "latency", attributes{"latency": 25, "jitter": 10}) // in each direction
	}
	h := newHistory()
	tenant := ratelimit.Tenant{Environment: contracts.Live, Name: fmt.Sprint("history-", r.seed)}
	ctx, stop := context.WithTimeout(r.Context(), while)
	defer stop()
	var working sync.WaitGroup
	var mu sync.Mutex
	local, admitted := 0, 0
	for client, js := range r.clients(d, 3) {
		l, err := ratelimit.Open(r.Context(), js, 0)
		r.need(err)
		working.Go(func() { _ = l.Follow(ctx) })
		working.Go(func() {
			for ctx.Err() == nil {
				call := h.now()
				decision := l.Take(r.Context(), tenant, historyLimit)
				mu.Lock()
				switch {
				case decision.Allowed && decision.Local:
					local++
				case decision.Allowed:
					admitted++
					h.note(client, admission{call, h.now()}, call, true)
				}
				mu.Unlock()
				_ = clock.Sleep(ctx, 150*time.Millisecond)
			}
		})
	}
	working.Wait()
	r.holds(admitted >= historyLimit, "%d admitted in %s; %d more by a gateway alone, which found the store too slow", admitted, while, local)
	h.check(r, limiterModel)
}

// fillInput is a fetch of a key's answer, or a fill, which gives what was fetched.
type fillInput struct{ what, key string }

// flightsModel's state of a key is what was fetched.
var flightsModel = porcupine.Model{
	Partition: partition(func(input any) any { return input.(fillInput).key }),
	Init:      func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		if input.(fillInput).what == "fetch" {
			return state == "", output
		}
		return state != "" && (output == state || output == unknown{}), state
	},
}

// fetched is an answer of the flights' history.
type fetched struct {
	contracts.Provenance
	Value string `json:"value"`
}

func flightsHistory(r *row) {
	d := r.system()
	for _, s := range d.servers {
		s.link.impair(r.T, "latency", attributes{"latency": 25, "jitter": 10})
	}
	h := newHistory()
	var stores []*cache.Store
	for _, js := range r.clients(d, 3) {
		s, err := cache.Open(r.Context(), js, cache.Deps{})
		r.need(err)
		defer func() { r.need(s.Close(context.WithoutCancel(r.Context()))) }()
		stores = append(stores, s)
	}
	for key := range 40 {
		var asking sync.WaitGroup
		for client := range 9 {
			asking.Go(func() { r.fill(h, client, stores[client%3], fmt.Sprintf("history.%d.%d", r.seed, key)) })
		}
		asking.Wait()
	}
	h.check(r, flightsModel)
}

func (r *row) fill(h *history, client int, s *cache.Store, key string) {
	ctx, cancel := r.within()
	defer cancel()
	h.do(client, fillInput{"fill", key}, func() any {
		a, err := cache.Fill(ctx, s, contracts.CacheKey(key), func(ctx context.Context) (fetched, error) {
			now := time.Now()
			value := fmt.Sprint(client, "-", h.now())
			h.do(client, fillInput{"fetch", key}, func() any {
				_ = clock.Sleep(ctx, 100*time.Millisecond)
				return value
			})
			return fetched{contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: now, ExpiresAt: now.Add(time.Hour), Method: contracts.APIMirror}, value}, nil
		})
		return orUnknown(a.Value, err)
	})
}

// keptInput is the keeping of something under a key, or its reading.
type keptInput struct{ what, key string }

// keptModel's state of a key tells whether it was kept, as does the output of a reading.
var keptModel = porcupine.Model{
	Partition: partition(func(input any) any { return input.(keptInput).key }),
	Init:      func() any { return false },
	Step: func(state, input, output any) (bool, any) {
		if input.(keptInput).what == "keep" {
			return true, true
		}
		return output == state || output == unknown{}, state
	},
}

// archiveLag is how far a reader may be behind: its watch needs this long to find that its server is gone.
const archiveLag = 20 * time.Second

func archiveHistory(r *row) {
	const clients = 4
	d := r.system()
	h := newHistory()
	var work []func()
	for client, js := range r.clients(d, clients) {
		a := r.openArchive(js)
		work = append(work, func() {
			for week := range 12 {
				r.useArchive(h, client, (client+1)%clients, a, week)
				_ = clock.Sleep(r.Context(), 300*time.Millisecond)
			}
			_ = clock.Sleep(r.Context(), archiveLag+time.Second)
			r.useArchive(h, client, (client+1)%clients, a, 12)
		})
	}
	r.whileLeadersDie(d, contracts.WeeksBucket.Stream(), work...)
	h.check(r, keptModel)
}

func (r *row) openArchive(js jetstream.JetStream) *archive.Archive {
	bucket, err := js.KeyValue(r.Context(), contracts.WeeksBucket.Name)
	r.need(err)
	report := func(context.Context, string, contracts.SurchargeRevision) error { return nil }
	a, err := archive.Open(contracts.Live, js, bucket, slog.New(slog.DiscardHandler), prometheus.NewRegistry(), report, nil)
	r.need(err)
	r.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), operationTime)
		defer cancel()
		if err := a.Stop(ctx); err != nil {
			r.Error(err)
		}
	})
	return a
}

// useArchive keeps a week of the client's own carrier and reads those of another client's. Weeks of different seeds differ.
func (r *row) useArchive(h *history, client, other int, a *archive.Archive, week int) {
	ctx, cancel := r.within()
	defer cancel()
	day := func(week int) contracts.Date {
		return contracts.DateOf(time.Date(2010+int(r.seed%10), 1, 6+7*week, 0, 0, 0, 0, time.UTC))
	}
	own := contracts.Carriers[client]
	h.do(client, keptInput{"keep", fmt.Sprint(own, day(week))}, func() any {
		return orUnknown(true, a.Keep(ctx, own, archive.Observation{
			Carrier: own, At: time.Now(), Source: archive.Source{Path: "page", Method: contracts.StructuredParse},
			Weeks: []contracts.ObservedWeek{{SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: day(week), Percent: 30}}},
		}))
	})
	call := max(0, h.now()-int64(archiveLag))
	weeks, err := a.Weeks(ctx, contracts.Carriers[other])
	for i := range week {
		kept := slices.ContainsFunc(weeks, func(w archive.Week) bool { return w.Date == day(i) })
		h.note(client, keptInput{"read", fmt.Sprint(contracts.Carriers[other], day(i))}, call, orUnknown(kept, err))
	}
}

func evidenceHistory(r *row) {
	d := r.system()
	h := newHistory()
	var work []func()
	all := r.clients(d, 4)
	for client, js := range all {
		k, err := evidence.Open(evidence.Deps{JetStream: js, Environment: contracts.Test, Product: contracts.LTL, Parser: "history"})
		r.need(err)
		defer func() { r.need(k.Stop(context.WithoutCancel(r.Context()))) }()
		reader := evidence.NewStore(all[(client+1)%len(all)])
		work = append(work, func() {
			var kept []contracts.Evidence
			for n := range 40 {
				r.useEvidence(h, client, k, reader, n, &kept)
				_ = clock.Sleep(r.Context(), 100*time.Millisecond)
			}
		})
	}
	r.whileLeadersDie(d, contracts.EvidenceStream(contracts.Test).Name, work...)
	h.check(r, keptModel)
}

// useEvidence keeps a document and reads it over another connection, and one that was kept before.
func (r *row) useEvidence(h *history, client int, k *evidence.Keeper, s *evidence.Store, n int, kept *[]contracts.Evidence) {
	ctx, cancel := r.within()
	defer cancel()
	body := fmt.Sprintf("<html>%d %d %d</html>", r.seed, client, n)
	page := &scrape.Page{
		URL: fmt.Sprintf("https://carrier.example/%d/%d", client, n), Status: http.StatusOK, Body: []byte(body), ReadAt: time.Now(),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
	}
	call := h.now()
	now, _ := k.Keep(ctx, evidence.Reading{Source: "ODFL", Path: "page"}, []scrape.Document{{Page: page}})
	for _, e := range now {
		h.note(client, keptInput{"keep", e.SHA256}, call, true)
	}
	*kept = append(*kept, now...)
	for _, e := range append(now, *kept...)[:min(2, len(*kept))] {
		h.do(client, keptInput{"read", e.SHA256}, func() any {
			doc, err := s.Get(ctx, contracts.Test, e.SHA256, e.At, func(contracts.Product) error { return nil })
			switch {
			case contracts.CodeOf(err) == contracts.NotFound || contracts.CodeOf(err) == contracts.Gone:
				return false
			case err != nil:
				return unknown{}
			}
			sum := sha256.Sum256(doc.Body)
			return hex.EncodeToString(sum[:]) == e.SHA256
		})
	}
}
