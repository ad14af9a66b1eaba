package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/clock/clocktest"
)

// natsFaults are those of the NATS servers and of the network before them.
var natsFaults = []fault{
	{
		name: "the gateways' NATS server is killed", brief: true, run: killClientsServer,
		must: "≤ 0.05 % of first tries fail, 0 requests fail, ≤ 500 ms are added",
	},
	{
		name: "the leader of the cache's stream is killed", run: killCacheLeader,
		must: "0 acknowledged writes lost; hits: 0 errors; < 0.1 % errors",
	},
	{
		name: "all NATS servers are down for 60 s", run: func(r *row) { r.withoutNATS(60*time.Second, 0, natsCluster.killAll, natsCluster.startAll) },
		must: "hits 100 %; misses 503 within 1 s; normal ≤ 10 s after",
	},
	{
		name: "all NATS servers hang (SIGSTOP) for 20 s", brief: true, run: func(r *row) {
			r.withoutNATS(r.atMost(20*time.Second), 100*time.Millisecond, natsCluster.hangAll, natsCluster.resumeAll)
		},
		must: "as killed: misses 503 within 1 s; no hit above 100 ms",
	},
	{
		name: "a black hole before all NATS servers for 20 s", run: func(r *row) {
			r.withoutNATS(20*time.Second, 100*time.Millisecond, natsCluster.swallowAll, natsCluster.repairAll)
		},
		must: "as killed: misses 503 within 1 s; no hit above 100 ms",
	},
	{
		name: "all NATS servers are cut off (connections refused) for 20 s", run: func(r *row) { r.withoutNATS(20*time.Second, 0, natsCluster.cutAll, natsCluster.repairAll) },
		must: "hits 100 %; misses 503 within 1 s; normal ≤ 10 s after",
	},
	{
		name: "the gateways' NATS server hangs (SIGSTOP) for 15 s", run: hangClientsServer,
		must: "hits: 0 errors, none above 100 ms; misses 200, or 503 within 1 s",
	},
	{
		name: "100 ms of latency before all NATS servers", run: func(r *row) { r.slowNetwork("latency", attributes{"latency": 100, "jitter": 20}) },
		must: "0 requests fail",
	},
	{
		name: "connections to all NATS servers close slowly, and one server is killed", run: slowClose,
		must: "hits: 0 errors; misses 200, or 503 within 1 s",
	},
}

// hitsHold fails the row when a cached answer failed or, where most is not 0, took longer than that.
func (r *row) hitsHold(sent *tally, most time.Duration) {
	r.Helper()
	failed := len(sent.hits.failed())
	slowest := sent.hits.slowest(http.StatusOK)
	r.holds(failed == 0 && (most == 0 || slowest <= r.bound(most)), "hits: %s", &sent.hits)
}

// shareFailed holds when less than that share of all requests failed.
func (r *row) shareFailed(sent *tally, less float64) {
	r.Helper()
	failed := sent.failed()
	r.holds(float64(len(failed)) <= less*float64(sent.count()), "%d of %d requests failed %s", len(failed), sent.count(), first(failed))
}

func first(failed []reply) string {
	if len(failed) == 0 {
		return ""
	}
	return fmt.Sprintf("(such as %.200s)", failed[0])
}

// repeats holds when at most that share of first tries had to be repeated.
func (r *row) repeats(again int, sent *tally, most float64) {
	r.Helper()
	r.holds(float64(again) <= most*float64(sent.count()), "%d first tries repeated (%.3f %% of requests)", again, 100*float64(again)/float64(sent.count()))
}

func killClientsServer(r *row) {
	d := r.system()
	before := d.repeated()
	kills := 0
	sent := d.observe(*loadRequests, func() {
		for until := d.turn.Load() + *loadRequests; ; {
			dead := d.servers.of(r.T, contracts.Gateway)
			dead.kill()
			kills++
			d.servers.awaitLeadersOtherThan(r.T, dead)
			if d.turn.Load() >= until {
				return
			}
			dead.restart(r.T)
			for _, s := range d.servers { // one fault at a time
				s.await(r.T)
			}
		}
	})
	r.saw("%d kills", kills)
	r.shareFailed(sent, 0)
	r.hitsHold(sent, 500*time.Millisecond)
	r.saw("cold: %s; solves: %s", &sent.cold, &sent.slow)
	r.saw("%d first tries repeated", d.repeated()-before)
}

// acknowledged writes entries to a bucket until ctx ends, and remembers which were acknowledged.
type acknowledged struct {
	mu      sync.Mutex
	keys    []string
	refused int
	longest time.Duration // between two acknowledgements
}

func (a *acknowledged) write(ctx context.Context, bucket jetstream.KeyValue) {
	last := time.Now()
	for i := 0; ctx.Err() == nil; i++ {
		key := fmt.Sprintf("faults.%d", i)
		once, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		_, err := bucket.Create(once, key, []byte(key))
		cancel()
		a.mu.Lock()
		if err != nil {
			a.refused++
		} else {
			a.keys = append(a.keys, key)
			a.longest = max(a.longest, time.Since(last))
			last = time.Now()
		}
		a.mu.Unlock()
		_ = clock.Sleep(ctx, 5*time.Millisecond)
	}
}

// lost counts acknowledged entries that are not there.
func (a *acknowledged) lost(r *row, bucket jetstream.KeyValue) (lost int) {
	for _, key := range a.keys {
		var e jetstream.KeyValueEntry
		var err error
		clocktest.Holds(func() bool {
			e, err = bucket.Get(r.Context(), key)
			return err == nil || errors.Is(err, jetstream.ErrKeyNotFound)
		})
		if err != nil || string(e.Value()) != key {
			lost++
		}
	}
	return lost
}

func killCacheLeader(r *row) {
	d := r.system()
	bucket, err := d.jetStream(r.T).KeyValue(r.Context(), contracts.AnswersBucket.Name)
	r.need(err)
	ctx, stop := context.WithCancel(r.Context())
	var writing sync.WaitGroup
	var acked acknowledged
	sent := d.observe(*loadRequests, func() {
		writing.Go(func() { acked.write(ctx, bucket) })
		for range 3 {
			dead := d.servers.leaderOf(r.T, contracts.AnswersBucket.Stream())
			dead.kill()
			d.servers.awaitLeadersOtherThan(r.T, dead)
			dead.restart(r.T)
			for _, s := range d.servers {
				s.await(r.T)
			}
		}
		stop()
		writing.Wait()
	})
	lost := acked.lost(r, bucket)
	r.holds(lost == 0, "3 kills; %d of %d acknowledged writes lost, %d refused, longest pause of writes %.1f s", lost, len(acked.keys), acked.refused, acked.longest.Seconds())
	r.hitsHold(sent, 0)
	r.shareFailed(sent, 0.001)
	r.saw("cold: %s; solves: %s", &sent.cold, &sent.slow)
}

func (c natsCluster) each(do func(*natsProcess)) {
	for _, s := range c {
		do(s)
	}
}

func (c natsCluster) killAll(*row)      { c.each((*natsProcess).kill) }
func (c natsCluster) startAll(r *row)   { c.each(func(s *natsProcess) { s.startAgain(r.T) }) }
func (c natsCluster) hangAll(*row)      { c.each((*natsProcess).hang) }
func (c natsCluster) resumeAll(*row)    { c.each((*natsProcess).resume) }
func (c natsCluster) swallowAll(r *row) { c.each(func(s *natsProcess) { s.link.swallow(r.T) }) }
func (c natsCluster) cutAll(*row)       { c.each(func(s *natsProcess) { s.link.Stop() }) }
func (c natsCluster) repairAll(*row)    { c.each(func(s *natsProcess) { s.link.repair() }) }

// withoutNATS takes all servers away for a while. No hit may take longer than slowest; 0 for no bound.
func (r *row) withoutNATS(while, slowest time.Duration, away, back func(natsCluster, *row)) {
	d := r.system()
	var began, ended time.Time
	var recovered time.Duration
	sent := d.observe(0, func() {
		r.need(clock.Sleep(r.Context(), 2*time.Second))
		began = time.Now()
		away(d.servers, r)
		r.need(clock.Sleep(r.Context(), while))
		ended = time.Now()
		back(d.servers, r)
		r.need(d.awaitAnswers())
		recovered = time.Since(ended)
		r.need(clock.Sleep(r.Context(), r.atMost(12*time.Second)))
	})
	normal := ended.Add(10 * time.Second)
	hits := &sent.hits
	slowest = r.bound(slowest)
	if !*faultsWhole && slowest > 0 { // on a machine as busy as that, a hit that waits is one that waits for NATS
		slowest = while / 2
	}
	r.holds(len(hits.failed()) == 0 && (slowest == 0 || hits.slowest(http.StatusOK) <= slowest),
		"hits, all the while: %s; %d above 100 ms (before the fault: %s)", hits, hits.above(100*time.Millisecond), hits.since(time.Time{}, began))
	for _, part := range []struct {
		what    string
		replies *replies
	}{{"cold", &sent.cold}, {"solves", &sent.slow}} {
		meanwhile := part.replies.since(began, ended)
		counts := meanwhile.statuses()
		r.holds(counts[http.StatusOK]+counts[http.StatusServiceUnavailable] == meanwhile.count() && meanwhile.slowest(http.StatusServiceUnavailable) <= r.bound(time.Second),
			"%s meanwhile: %s", part.what, meanwhile)
	}
	late := sent.cold.since(normal, time.Time{})
	r.holds(recovered <= r.bound(10*time.Second), "cold answers again after %.1f s", recovered.Seconds())
	r.holds(len(late.failed()) == 0, "%d of %d cold ones failed later than 10 s after %s", len(late.failed()), late.count(), first(late.failed()))
}

// awaitAnswers returns when each gateway answers something cold three times in a row.
func (d *deployed) awaitAnswers() error {
	var last error
	if !clocktest.Holds(func() bool { last = d.answers(3); return last == nil }) {
		return fmt.Errorf("no cold answers again: %w", last)
	}
	return nil
}

func (d *deployed) answers(times int) error {
	for range times {
		for _, g := range *d.gateways.Load() {
			if err := askEither([]*process{g}, 0, d.nextCold(), d.key); err != nil {
				return err
			}
		}
	}
	return nil
}

func hangClientsServer(r *row) {
	d := r.system()
	var began time.Time
	sent := d.observe(0, func() {
		hung := d.servers.of(r.T, contracts.Gateway)
		began = time.Now()
		hung.hang()
		r.need(clock.Sleep(r.Context(), 15*time.Second))
		hung.resume()
		r.need(clock.Sleep(r.Context(), 2*time.Second))
	})
	r.hitsHold(sent, 100*time.Millisecond)
	r.missesHold(sent.cold.since(began, time.Time{}))
	r.saw("solves: %s", &sent.slow)
}

func (r *row) slowNetwork(toxic string, a attributes) {
	d := r.system()
	for _, s := range d.servers {
		s.link.impair(r.T, toxic, a)
	}
	sent := d.observe(*loadRequests, func() {})
	r.shareFailed(sent, 0)
	r.hitsHold(sent, 0)
	r.saw("cold: %s; solves: %s", &sent.cold, &sent.slow)
}

func slowClose(r *row) {
	d := r.system()
	for _, s := range d.servers {
		s.link.impair(r.T, "slow_close", attributes{"delay": 5000})
	}
	sent := d.observe(*loadRequests, func() {
		r.need(clock.Sleep(r.Context(), time.Second))
		d.servers.of(r.T, contracts.Gateway).kill()
	})
	r.hitsHold(sent, 0)
	r.missesHold(&sent.cold)
	r.saw("solves: %s", &sent.slow)
}

// missesHold fails the row when a cold answer is neither 200 nor a 503 within a second.
func (r *row) missesHold(cold *replies) {
	r.Helper()
	counts := cold.statuses()
	r.holds(counts[http.StatusOK]+counts[http.StatusServiceUnavailable] == cold.count() &&
		cold.slowest(http.StatusServiceUnavailable) <= r.bound(time.Second), "cold: %s", cold)
}
