package worker_test

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/telemetry"
	"assay.dev/platform/worker"
)

// register is a state's register, which the workers of a deployment read.
type register struct {
	*testing.T
	nats     *server.Server
	client   *bus.Client
	reads    atomic.Int64
	byWhom   atomic.Pointer[string] // the request id of the last read
	down     atomic.Bool
	fallback atomic.Bool
	asked    atomic.Int64
	age      time.Duration // of what a read gives; more than a minute: it could not be renewed
	slow     chan struct{} // when it is set, a read waits until it is closed
}

func newRegister(t *testing.T) *register {
	t.Helper()
	nats := bustest.Server(t)
	return &register{T: t, nats: nats, client: bus.NewClient(bus.Deps{Conn: bustest.Connect(t, nats)})}
}

func (r *register) read(ctx context.Context, req contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
	r.reads.Add(1)
	id := telemetry.RequestID(ctx)
	r.byWhom.Store(&id)
	if r.slow != nil {
		<-r.slow
	}
	now := time.Now().Add(-r.age)
	a := contracts.LicenseAnswer{State: req.State, Number: req.Number, Provenance: contracts.Provenance{
		Schema: contracts.AnswerSchema, ReadAt: now, ExpiresAt: now.Add(time.Hour), Method: contracts.StructuredParse,
		RefreshFailed: r.age > time.Minute,
	}}
	if r.fallback.Load() {
		a.Notes = []contracts.Note{{Code: contracts.NoteFallback}}
	}
	if r.down.Load() {
		return a, contracts.Errorf(contracts.SourceUnavailable, "down")
	}
	return a, nil
}

// worker starts a worker that serves CA.
func (r *register) worker(adjust ...func(*worker.Answers)) {
	r.Helper()
	s := toy()
	s.Product, s.Capacity = contracts.ABC, 100
	start(r.T, r.nats, s, func(ctx context.Context, w *worker.Worker) ([]worker.Source, error) {
		if _, err := w.OpenAnswers(ctx); err != nil {
			return nil, err
		}
		answers := w.Answers("CA")
		for _, f := range adjust {
			f(answers)
		}
		key := func(req contracts.LicenseRequest) contracts.CacheKey {
			return contracts.LicenseKey(contracts.Test, req)
		}
		return []worker.Source{{
			Code: "CA", Listing: func(h contracts.SourceHealth) any { return contracts.StateListing{SourceHealth: h} },
			Health: func() contracts.SourceHealth { return contracts.SourceHealth{} },
			Endpoints: []bus.Endpoint{bus.HandleStored("license-CA", contracts.LicenseSubject(contracts.Test, contracts.CA), key,
				func(ctx context.Context, req contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
					r.asked.Add(1)
					return worker.Answer(ctx, answers, key(req), req.Fresh, func(ctx context.Context) (contracts.LicenseAnswer, error) {
						return r.read(ctx, req)
					})
				})},
		}}, nil
	})
}

func (r *register) ask(number string, fresh bool) (contracts.LicenseAnswer, error) {
	ctx, cancel := context.WithTimeout(telemetry.WithRequestID(context.Background(), "order-17"), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.LicenseAnswer](ctx, r.client, contracts.LicenseSubject(contracts.Test, contracts.CA),
		contracts.LicenseRequest{State: contracts.CA, Number: number, Fresh: fresh})
}

// keep stores an answer that is so old.
func (r *register) keep(number string, age time.Duration, edit ...func(*contracts.Provenance)) contracts.LicenseAnswer {
	r.Helper()
	answers, err := bustest.JetStream(r.T, bustest.Connect(r.T, r.nats)).KeyValue(r.Context(), contracts.AnswersBucket.Name)
	if err != nil {
		r.Fatal(err)
	}
	at := time.Now().Add(-age).UTC() // after what takes long on a busy machine
	a := contracts.LicenseAnswer{State: contracts.CA, Number: number, Provenance: contracts.Provenance{
		Schema: contracts.AnswerSchema, ReadAt: at, ExpiresAt: at.Add(contracts.LicenseTTL), Method: contracts.StructuredParse,
	}}
	for _, f := range edit {
		f(&a.Provenance)
	}
	value, err := json.Marshal(a)
	if err != nil {
		r.Fatal(err)
	}
	key := contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: contracts.CA, Number: number})
	if _, err := answers.Put(r.Context(), string(key), value); err != nil {
		r.Fatal(err)
	}
	return a
}

func TestAFreshReading(t *testing.T) {
	t.Parallel()
	paid := func(a *worker.Answers) { a.Paid = true }
	fallbackFails := func(a *worker.Answers) { a.FallbackFails = true }
	rendered := func(p *contracts.Provenance) { p.Method = contracts.ScraperAPI }
	byFallback := func(p *contracts.Provenance) { p.Notes = []contracts.Note{{Code: contracts.NoteFallback}} }
	for name, c := range map[string]struct {
		adjust         func(*worker.Answers)
		age            time.Duration
		stored         func(*contracts.Provenance)
		down, fallback bool
		read, failed   bool
	}{
		"of a young answer":                      {age: 50 * time.Second},
		"of an old one":                          {age: 70 * time.Second, read: true},
		"that is paid for, of a young one":       {adjust: paid, age: 14 * time.Minute},
		"that is paid for, of an old one":        {adjust: paid, age: 16 * time.Minute, read: true},
		"of one that was rendered":               {age: 14 * time.Minute, stored: rendered},
		"that fails":                             {age: time.Hour, down: true, failed: true},
		"by a fallback that is no worse":         {age: time.Hour, fallback: true, read: true},
		"by a fallback that is worse":            {adjust: fallbackFails, age: time.Hour, fallback: true, failed: true},
		"by a fallback, of one by that fallback": {adjust: fallbackFails, age: time.Hour, stored: byFallback, fallback: true, read: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRegister(t)
			r.down.Store(c.down)
			r.fallback.Store(c.fallback)
			r.worker(func(a *worker.Answers) {
				if c.adjust != nil {
					c.adjust(a)
				}
			})
			stored := r.keep("1", c.age, func(p *contracts.Provenance) {
				if c.stored != nil {
					c.stored(p)
				}
			})
			a, err := r.ask("1", true)
			if err != nil || a.ReadAt.Equal(stored.ReadAt) == c.read || a.RefreshFailed != c.failed {
				t.Errorf("read at %s of %s, failed %v, %v", a.ReadAt, stored.ReadAt, a.RefreshFailed, err)
			}
			if asked := r.reads.Load() == 1; asked != (c.read || c.failed) {
				t.Errorf("%d reads", r.reads.Load())
			}
			if a, err := r.ask("1", false); err != nil || a.RefreshFailed {
				t.Errorf("the failure is kept: %+v, %v", a, err)
			}
		})
	}
}

func TestAFreshReadingWithoutAStoredAnswer(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	r.worker()
	r.down.Store(true)
	if _, err := r.ask("1", true); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("a source that is down: %v", err)
	}
	r.down.Store(false)
	if a, err := r.ask("2", true); err != nil || a.RefreshFailed || r.reads.Load() != 2 {
		t.Errorf("%+v, %v after %d reads", a, err, r.reads.Load())
	}
	if by := *r.byWhom.Load(); by != "order-17" {
		t.Errorf("read for %q", by)
	}
}

// All who ask for one fresh reading are told when it is none, whoever of them reads.
func TestAFreshReadingOfManyIsNone(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	r.age = 2 * time.Minute
	for range 2 {
		r.worker()
	}
	const many = 8
	number := 0
	clocktest.Await(t, "nobody comes so late that the source is read once more", func() bool {
		number++
		r.slow = make(chan struct{})
		r.reads.Store(0)
		r.asked.Store(0)
		var asking sync.WaitGroup
		told := make(chan bool, many)
		for range many {
			asking.Go(func() {
				a, err := r.ask(strconv.Itoa(number), true)
				if err != nil {
					t.Error(err)
				}
				told <- a.RefreshFailed
			})
		}
		clocktest.Await(t, "all ask", func() bool { return r.asked.Load() >= many })
		close(r.slow)
		asking.Wait()
		for range many {
			if failed := <-told; !failed && r.reads.Load() == 1 {
				t.Error("somebody is not told")
			}
		}
		return t.Failed() || r.reads.Load() == 1
	})
}

// While one worker reads a license of the state anew, all workers answer for the others with what is stored.
func TestASourceIsReadAnewOnceAtATime(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	for range 3 {
		r.worker()
	}
	first, second := r.keep("1", time.Hour), r.keep("2", time.Hour)
	r.slow = make(chan struct{})
	reading := make(chan contracts.LicenseAnswer)
	go func() {
		a, err := r.ask("1", true)
		if err != nil {
			t.Error(err)
		}
		reading <- a
	}()
	clocktest.Await(t, "a reading has begun", func() bool { return r.reads.Load() > 0 })
	for range 20 {
		if a, err := r.ask("2", true); err != nil || !a.ReadAt.Equal(second.ReadAt) || a.RefreshFailed {
			t.Errorf("meanwhile: %+v, %v", a, err)
			break
		}
	}
	if n := r.reads.Load(); n != 1 {
		t.Errorf("%d reads at a time", n)
	}
	close(r.slow)
	if a := <-reading; a.ReadAt.Equal(first.ReadAt) {
		t.Error("the first was not read")
	}
	clocktest.Await(t, "the turn is given back", func() bool {
		a, err := r.ask("2", true)
		return err == nil && !a.ReadAt.Equal(second.ReadAt)
	})
}
