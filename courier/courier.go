package courier

import (
	"container/heap"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/feed"
	"assay.dev/platform/kv"
	"assay.dev/platform/panics"
	"assay.dev/platform/webhook"
)

// courier delivers while it has the right to.
type courier struct {
	log        *slog.Logger
	metrics    *metrics
	tracer     trace.Tracer
	js         jetstream.JetStream
	feed       *feed.Feed
	bucket     jetstream.KeyValue
	portfolios jetstream.KeyValue
	keysBucket jetstream.KeyValue
	sender     *sender
	schedule   []time.Duration
	grace      time.Duration

	wake chan struct{} // somebody became due

	mu        sync.Mutex
	endpoints map[string]*endpoint // by their keys
	due       dueHeap
	inFlight  map[string]int // requests by the owners of their endpoints
	keys      keyring
}

// endpoint is an endpoint with what is known of it beside its entry. The fields down to busy belong to the courier's
// lock, the others to the turn that is under way.
type endpoint struct {
	key      string
	env      contracts.Environment
	owner    string // the key without the id
	stored   webhook.Endpoint
	revision uint64
	gone     bool
	due      time.Time
	index    int  // in the heap; -1 outside
	busy     bool // a turn is under way
	again    bool // it became due meanwhile

	read    feed.Cursor // what was read of the changes
	handled feed.Cursor // what needs no more of this turn: delivered, to be tried again, or of no concern
	waiting []event     // read, not handled
	saved   time.Time   // when the place was noted
	isAhead bool        // handled lies before what was noted
	// mustSave: the place could not be noted; nothing more is sent before it is. edit is to be noted with it, if any.
	mustSave bool
	edit     func(*webhook.Endpoint)
	failing  time.Time // since when turns fail, or when that was last said; zero while they do not
	portfolio
}

// work delivers until ctx ends. What is due is found anew at each beginning. A stop lets requests under way finish. The
// loss of the lease cuts them: another process sends already.
func (c *courier) work(ctx, process context.Context) {
	c.mu.Lock()
	c.endpoints, c.due, c.inFlight, c.keys = map[string]*endpoint{}, nil, map[string]int{},
		keyring{owners: map[string]map[string]tenantKey{}}
	c.mu.Unlock()
	var helpers sync.WaitGroup
	helpers.Go(func() {
		_ = kv.Follower{
			JS: c.js, KV: c.bucket, Bucket: contracts.EndpointsBucket, Pattern: "*.*.*", Take: c.takeEntries,
			Failed: func(err error) { c.log.WarnContext(ctx, "the endpoints are not followed at the moment", "error", err) },
		}.Follow(ctx) // it ends with ctx
	})
	helpers.Go(func() { c.followKeys(ctx) })
	helpers.Go(func() { c.followChanges(ctx) })
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	var turns sync.WaitGroup
	c.dispatch(ctx, sending, &turns)
	if process.Err() == nil {
		cut()
	}
	helpers.Wait()
	c.metrics.endpoints.Reset() // who works tells of them
	c.metrics.retries.Set(0)
	defer time.AfterFunc(c.grace, cut).Stop()
	turns.Wait()
	c.saveAll(context.WithoutCancel(ctx))
}

// takeEntries notes endpoints as the bucket has them.
func (c *courier) takeEntries(entries ...jetstream.KeyValueEntry) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, entry := range entries {
		e := c.endpoints[entry.Key()]
		switch {
		case e != nil && entry.Revision() <= e.revision:
			continue
		case entry.Operation() != jetstream.KeyValuePut:
			c.forget(e)
			continue
		}
		var stored webhook.Endpoint
		if err := json.Unmarshal(entry.Value(), &stored); err != nil {
			c.log.Error("an endpoint cannot be understood", "key", entry.Key(), "error", err)
			continue
		}
		if e == nil {
			env, _, _ := strings.Cut(entry.Key(), ".")
			e = &endpoint{
				key: entry.Key(), env: contracts.Environment(env), owner: entry.Key()[:strings.LastIndexByte(entry.Key(),
					'.')], index: -1,
				read: stored.Cursor, handled: stored.Cursor,
			}
			c.endpoints[e.key] = e
		}
		e.stored, e.revision = stored, entry.Revision()
		c.dueAt(e, time.Now())
	}
	return nil
}

// forget ends an endpoint that was deleted. The caller has the lock.
func (c *courier) forget(e *endpoint) {
	if e == nil {
		return
	}
	e.gone = true
	delete(c.endpoints, e.key)
	if e.index >= 0 {
		heap.Remove(&c.due, e.index)
	}
}

// dueAt has an endpoint looked at, at that time at the latest. The caller has the lock.
func (c *courier) dueAt(e *endpoint, at time.Time) {
	switch {
	case e.gone:
		return
	case e.busy:
		e.again = true
		return
	case e.index < 0:
		e.due = at
		heap.Push(&c.due, e)
	case at.Before(e.due):
		e.due = at
		heap.Fix(&c.due, e.index)
	}
	select {
	case c.wake <- struct{}{}:
	default: // it is awake
	}
}

const (
	// gather is for how long changes are gathered before all endpoints are looked at.
	gather = 20 * time.Millisecond
	// lookAgain is how often they are looked at where nothing happens.
	lookAgain = 10 * time.Second
)

// followChanges has all endpoints looked at when there are changes.
func (c *courier) followChanges(ctx context.Context) {
	for seen := (feed.Cursor{}); clock.Sleep(ctx, gather) == nil; {
		waiting, cancel := context.WithTimeout(ctx, lookAgain)
		ended := c.feed.Wait(waiting, seen)
		cancel()
		if ended || ctx.Err() != nil {
			return
		}
		newest, err := c.feed.Newest()
		if err != nil {
			continue
		}
		seen = newest
		c.mu.Lock()
		now, stand := time.Now(), map[webhook.EndpointStatus]int{}
		retries := 0
		for _, e := range c.endpoints {
			stand[e.stored.Status()]++
			retries += len(e.stored.Retries)
			if e.stored.Takes() {
				c.dueAt(e, now)
			}
		}
		c.mu.Unlock()
		for _, status := range webhook.Statuses {
			c.metrics.endpoints.WithLabelValues(string(status)).Set(float64(stand[status]))
		}
		c.metrics.retries.Set(float64(retries))
	}
}

// dispatch begins the turns that are due, as many as may be under way, until ctx ends.
func (c *courier) dispatch(ctx, sending context.Context, turns *sync.WaitGroup) {
	slots := make(chan struct{}, maxInFlight)
	for {
		e, wait := c.next()
		if e == nil {
			timer := time.NewTimer(wait)
			select {
			case <-ctx.Done():
				timer.Stop()
				return
			case <-c.wake:
			case <-timer.C:
			}
			timer.Stop()
			continue
		}
		select {
		case <-ctx.Done():
			return
		case slots <- struct{}{}:
		}
		c.metrics.inFlight.Inc()
		turns.Go(func() {
			defer func() { <-slots; c.metrics.inFlight.Dec() }()
			var next time.Time
			if err := panics.Catch(sending, c.log,
				func() (err error) { next, err = c.turn(sending, e); return err }); sending.Err() == nil {
				next = c.judge(ctx, e, next, err)
			}
			c.done(e, next)
		})
	}
}

const (
	// again is the pause before an endpoint is looked at again for which something of our own failed.
	again = time.Second
	// crowded is the pause of an endpoint whose tenant has as many requests under way as it may.
	crowded = 50 * time.Millisecond
	idle    = time.Minute
)

// next takes the endpoint that is due; nil and how long to wait where none is.
func (c *courier) next() (*endpoint, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.due) > 0 {
		e := c.due[0]
		if wait := time.Until(e.due); wait > 0 {
			return nil, wait
		}
		if c.inFlight[e.owner] >= maxOfTenant {
			e.due = time.Now().Add(crowded)
			heap.Fix(&c.due, 0)
			continue
		}
		heap.Pop(&c.due)
		c.inFlight[e.owner]++
		e.busy, e.again = true, false
		return e, 0
	}
	return nil, idle
}

// done ends a turn. The next one is at that time; zero for when something happens.
func (c *courier) done(e *endpoint, next time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inFlight[e.owner]--; c.inFlight[e.owner] == 0 {
		delete(c.inFlight, e.owner)
	}
	e.busy = false
	if e.again {
		next = time.Now()
	}
	if !next.IsZero() {
		c.dueAt(e, next)
	}
}
