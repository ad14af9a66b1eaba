package bus_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bus/bustest"
)

// After NATS was away, servers and clients go on by themselves.
func TestCallsGoOnAfterARestart(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	serve(t, bustest.Connect(t, srv), echo)
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	if _, err := ask(within(t, time.Second), client, "x"); err != nil {
		t.Fatal(err)
	}
	bustest.Restart(t, srv)
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		_, err := ask(within(t, time.Second), client, "x")
		if err == nil {
			return
		}
		if time.Since(start) > 10*time.Second {
			t.Fatal(err)
		}
	}
}

// A NATS server dies under load: everybody moves to the others, and no call fails in the end.
func TestALostServerCostsNoCall(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t)
	connect := func(i int) *nats.Conn { return bustest.Connect(t, servers[i]) }
	serve(t, connect(0), echo)
	serve(t, connect(1), echo)
	ctx, cancel := context.WithCancel(context.Background())
	var callers sync.WaitGroup
	var calls, failed atomic.Int64
	for i := range 6 {
		client := bus.NewClient(bus.Deps{Conn: connect(i % 3)})
		callers.Go(func() { load(t, ctx, client, &calls, &failed) })
	}
	time.Sleep(300 * time.Millisecond)
	servers[2].Shutdown() // some clients', no worker's
	time.Sleep(700 * time.Millisecond)
	cancel()
	callers.Wait()
	t.Logf("%d calls", calls.Load())
}

// The worker's NATS server dies while the worker works: the answer goes out through another one.
func TestAReplyOutlivesTheWorkersServer(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t)
	entered := make(chan struct{}, 2)
	serve(t, bustest.Connect(t, servers[0]), func(_ context.Context, q question) (answer, error) {
		entered <- struct{}{}
		time.Sleep(100 * time.Millisecond)
		return answer{q.Text}, nil
	})
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, servers[1])})
	awaitInterest(t, client)
	go func() {
		<-entered
		servers[0].Shutdown()
	}()
	start := time.Now()
	if got, err := ask(within(t, 20*time.Second), client, "x"); err != nil || got.Text != "x" || time.Since(start) > 8*time.Second {
		t.Errorf("%+v, %v after %s", got, err, time.Since(start))
	}
}

// awaitInterest waits until the client's server knows of the worker. The empty question is refused before the handler.
func awaitInterest(t *testing.T, client *bus.Client) {
	t.Helper()
	for range 100 {
		if _, err := ask(within(t, time.Second), client, ""); contracts.CodeOf(err) == contracts.InvalidRequest {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the worker is not seen")
}

// An answer too large for a reply is read from where its worker stored it.
func TestLargeAnswerIsReadFromTheCache(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	conn := bustest.Connect(t, srv)
	type stored struct {
		contracts.Provenance
		Text string `json:"text"`
	}
	key := contracts.CacheKey("test.large")
	bucket, err := bus.OpenBucket(within(t, time.Second), bustest.JetStream(t, conn), contracts.AnswersBucket)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("large ", 1<<19)
	s, err := bus.Serve(bus.Deps{Conn: conn}, bus.Service{
		Name: "large", Version: "1.0.0", Capacity: 1, MaxTime: 5 * time.Second,
		Endpoints: []bus.Endpoint{bus.HandleStored("large", subject,
			func(question) contracts.CacheKey { return key },
			func(ctx context.Context, q question) (stored, error) {
				a := stored{contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour)}, text}
				_, err := bucket.Put(ctx, string(key), bus.Compress(mustJSON(a)))
				return a, err
			})},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, s)
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	got, err := bus.Call[stored](within(t, 5*time.Second), client, subject, question{Text: "x"})
	if err != nil || got.Text != text {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
}

func FuzzExpand(f *testing.F) {
	f.Add([]byte(`{"a":1}`))
	f.Add(bus.Compress(mustJSON(strings.Repeat("x", 100_000))))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := bus.Expand(data)
		if err != nil {
			return
		}
		again, err := bus.Expand(bus.Compress(doc))
		if strings.HasPrefix(string(doc), "\x1f\x8b") { // no JSON document
			return
		}
		if err != nil || string(again) != string(doc) {
			t.Errorf("%q became %q, %v", doc, again, err)
		}
	})
}
