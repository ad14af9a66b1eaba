package cache_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
)

// The owner's process dies over its fetch: somebody who waits takes over when the lease ends.
func TestDeadOwnerIsReplaced(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	others := stores(t, srv, 3)
	conn := bustest.Connect(t, srv)
	dying := open(t, conn, cache.Deps{MaxFetch: 100 * time.Second, Lease: time.Second})
	begun, hang := make(chan struct{}), make(chan struct{})
	defer close(hang)
	go func() {
		_, _ = cache.Fill(context.Background(), dying, key, func(ctx context.Context) (page, error) {
			close(begun)
			<-hang
			return page{}, contracts.Errorf(contracts.Internal, "dead men tell no tales")
		})
	}()
	<-begun
	conn.Close()
	var fetches atomic.Int64
	codes := crowd(t, others, 20, func(context.Context) (page, error) {
		fetches.Add(1)
		return newPage("a", time.Hour), nil
	})
	if fetches.Load() != 1 || codes[""] != 60 {
		t.Errorf("%d fetches, %v", fetches.Load(), codes)
	}
}

// A fetch may take longer than the lease: a living owner renews it.
func TestLivingOwnerKeepsItsLease(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	records := flights(t, srv)
	var all []*cache.Store
	for range 2 {
		all = append(all, open(t, bustest.Connect(t, srv), cache.Deps{IOTime: patient}))
	}
	renewed := func() (times uint64) {
		e, err := records.Get(context.Background(), string(key)+".0")
		if err != nil {
			return 0
		}
		return e.Revision() - 1 // nothing else is written to the bucket
	}
	var fetches atomic.Int64
	codes := crowd(t, all, 5, func(context.Context) (page, error) {
		fetches.Add(1)
		if !clocktest.Holds(func() bool { return renewed() > 4 }) { // a lease is renewed three times before it would end
			t.Error("the lease is not renewed")
		}
		return newPage("a", time.Hour), nil
	})
	if fetches.Load() != 1 || codes[""] != 10 {
		t.Errorf("%d fetches, %v", fetches.Load(), codes)
	}
}

// A process that stops hands its flight over at once.
func TestStoppingOwnerIsReplaced(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	stopping, err := cache.Open(within(t, patient), bustest.JetStream(t, bustest.Connect(t, srv)), cache.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan struct{})
	go func() {
		_, _ = cache.Fill(context.Background(), stopping, key, func(ctx context.Context) (page, error) {
			close(begun)
			<-ctx.Done()
			return page{}, ctx.Err()
		})
	}()
	<-begun
	other := stores(t, srv, 1)
	go func() {
		if err := stopping.Close(within(t, 10*time.Millisecond)); err != nil {
			t.Error(err)
		}
	}()
	codes := crowd(t, other, 5, func(context.Context) (page, error) { return newPage("a", time.Hour), nil })
	if codes[""] != 5 {
		t.Errorf("%v", codes)
	}
	if _, err := cache.Fill(within(t, patient), stopping, key+".x",
		func(context.Context) (page, error) { return page{}, nil }); contracts.CodeOf(err) != contracts.Busy {
		t.Errorf("a closed store: %v", err)
	}
}

// NATS goes and comes back while a fetch is under way: the owner's callers and the waiters all get the answer.
func TestNATSRestartsDuringAFlight(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	var all []*cache.Store
	for range 3 {
		all = append(all, open(t, bustest.Connect(t, srv), cache.Deps{}))
	}
	begun, restarted := make(chan struct{}, 10), make(chan struct{})
	done := make(chan map[contracts.Code]int, 1)
	go func() {
		done <- crowd(t, all, 5, func(context.Context) (page, error) {
			begun <- struct{}{}
			<-restarted
			return newPage("a", time.Hour), nil
		})
	}()
	<-begun
	bustest.Restart(t, srv)
	for _, s := range all { // an answer that ends while NATS is away is told and not stored
		clocktest.Await(t, "each store has its connection back", func() bool {
			_, err := s.Get(within(t, patient), key)
			return errors.Is(err, cache.ErrMiss)
		})
	}
	close(restarted)
	if codes := <-done; codes[""] != 15 {
		t.Errorf("%v", codes)
	}
	clocktest.Await(t, "the answer is stored", func() bool {
		_, err := all[0].Get(within(t, 5*time.Second), key)
		return err == nil
	})
}

// A server dies while a fetch is under way over three: nobody reads the source again, and the answer is kept.
func TestAServerDiesDuringAFlight(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	t.Parallel()
	servers := bustest.Cluster(t, buckets...)
	registry := prometheus.NewRegistry()
	var all []*cache.Store
	for _, srv := range servers {
		// the lease is longer than an election
		all = append(all, open(t, bustest.Connect(t, srv), cache.Deps{Metrics: registry, Lease: patient, IOTime: patient}))
	}
	for _, s := range all {
		clocktest.Await(t, "each store's buckets answer", func() bool {
			_, err := s.Get(within(t, patient), key)
			return errors.Is(err, cache.ErrMiss) && leaderOf(servers, contracts.FlightsBucket) >= 0
		})
	}
	var fetches atomic.Int64
	begun, died := make(chan struct{}, 10), make(chan struct{})
	done := make(chan map[contracts.Code]int, 1)
	go func() {
		done <- crowd(t, all, 5, func(context.Context) (page, error) {
			fetches.Add(1)
			begun <- struct{}{}
			<-died
			return newPage("a", time.Hour), nil
		})
	}()
	<-begun
	clocktest.Await(t, "the others wait", func() bool { return waiting(t, registry) == 2 })
	servers[leaderOf(servers, contracts.FlightsBucket)].Shutdown()
	clocktest.Await(t, "another server leads", func() bool { return leaderOf(servers, contracts.FlightsBucket) >= 0 })
	close(died)
	if codes := <-done; codes[""] != 15 || fetches.Load() != 1 {
		t.Errorf("%d fetches, %v", fetches.Load(), codes)
	}
}

// leaderOf is the index of the running server that leads a bucket, -1 without one.
func leaderOf(servers []*server.Server, b contracts.Bucket) int {
	return slices.IndexFunc(servers, func(s *server.Server) bool {
		return s.Running() && s.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, b.Stream())
	})
}

// What was read is told before it is stored: a bucket that takes nothing keeps nobody waiting.
func TestAnswerDoesNotWaitForTheBucket(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	t.Parallel()
	servers := bustest.Cluster(t, buckets...)
	const ioTime = 8 * time.Second
	store := open(t, bustest.Connect(t, servers[0]), cache.Deps{IOTime: ioTime})
	var read time.Time
	_, err := cache.Fill(within(t, patient), store, key, func(context.Context) (page, error) {
		servers[1].Shutdown()
		servers[2].Shutdown() // one of three is no quorum
		read = time.Now()
		return newPage("a", time.Hour), nil
	})
	if took := time.Since(read); err != nil || took > ioTime/2 {
		t.Errorf("%v, %s after the source was read", err, took)
	}
}

// Without NATS the source is still read.
func TestNATSIsAway(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	all := []*cache.Store{open(t, bustest.Connect(t, srv), cache.Deps{})}
	bustest.Stop(srv)
	codes := crowd(t, all, 3, func(context.Context) (page, error) { return newPage("a", time.Hour), nil })
	if codes[""] != 3 {
		t.Errorf("%v", codes)
	}
}

// Where NATS is back when the source was read, the answer takes the place of the one that had expired, and not of one
// that was ended meanwhile.
func TestNATSIsBackAfterTheRead(t *testing.T) {
	t.Parallel()
	for name, isEnded := range map[string]bool{"expired": false, "ended": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := bustest.Buckets(t, buckets...)
			store := open(t, bustest.Connect(t, srv), cache.Deps{})
			life := -time.Second
			if isEnded {
				life = time.Hour
			}
			text, err := json.Marshal(newPage("old", life))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := answersBucket(t, srv).Put(within(t, patient), string(key), text); err != nil {
				t.Fatal(err)
			}
			opts := bustest.Stop(srv)
			var other *cache.Store
			_, err = cache.Fill(within(t, patient), store, key, func(context.Context) (page, error) {
				other = open(t, bustest.Connect(t, bustest.Start(t, opts)), cache.Deps{IOTime: patient})
				if err := cache.End(within(t, patient), other, key, time.Now()); err != nil {
					t.Error(err)
				}
				clocktest.Await(t, "the store has its connection back", func() bool {
					e, _ := store.Get(within(t, patient), key)
					return e.Revision > 0
				})
				return newPage("new", time.Hour), nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := store.Close(within(t, patient)); err != nil {
				t.Error(err)
			}
			if _, err := other.Get(within(t, patient), key); errors.Is(err, cache.ErrMiss) != isEnded {
				t.Errorf("after the read: %v", err)
			}
		})
	}
}

// An answer that was taken away after its flight landed is read anew by the first who asks, after one short wait.
func TestEvictedAnswerIsReadAnew(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	conn := bustest.Connect(t, srv)
	store := open(t, conn, cache.Deps{MaxFetch: 2 * patient, Lease: 2 * patient}) // no other wait ends in time
	fetch := func(context.Context) (page, error) { return newPage("a", time.Hour), nil }
	if _, err := cache.Fill(t.Context(), store, key, fetch); err != nil {
		t.Fatal(err)
	}
	stored(t, store)
	bucket, err := bustest.JetStream(t, conn).KeyValue(t.Context(), contracts.AnswersBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := bucket.Delete(t.Context(), string(key)); err != nil {
		t.Fatal(err)
	}
	if _, err := cache.Fill(within(t, patient), store, key, fetch); err != nil {
		t.Fatal(err)
	}
}
