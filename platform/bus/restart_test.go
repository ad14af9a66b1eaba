package bus_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

// After NATS was away, servers and clients go on by themselves.
func TestCallsGoOnAfterARestart(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	serve(t, bustest.Connect(t, srv), echo)
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	if _, err := ask(within(t, patient), client, "x"); err != nil {
		t.Fatal(err)
	}
	bustest.Restart(t, srv)
	clocktest.Await(t, "calls are answered again", func() bool {
		_, err := ask(within(t, time.Second), client, "x")
		return err == nil
	})
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
		client := bus.NewClient(bus.Deps{Conn: connect(i % 3), Patience: clocktest.Patience})
		callers.Go(func() { load(t, ctx, client, &calls, &failed) })
	}
	clocktest.Await(t, "many calls", func() bool { return calls.Load() > 200 })
	servers[2].Shutdown() // some clients', no worker's
	before := calls.Load()
	clocktest.Await(t, "many more calls", func() bool { return calls.Load() > before+500 })
	cancel()
	callers.Wait()
	t.Logf("%d calls", calls.Load())
}

// The worker's NATS server dies while the worker works: the answer goes out through another one.
func TestAReplyOutlivesTheWorkersServer(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t)
	entered := make(chan struct{}, 2)
	conn := bustest.Connect(t, servers[0])
	serve(t, conn, func(_ context.Context, q question) (answer, error) {
		entered <- struct{}{}
		// A reply that is written before the connection is known to be lost is lost with it, and the request comes again.
		if !clocktest.Holds(func() bool { return conn.ConnectedUrl() != servers[0].ClientURL() }) {
			t.Error("the worker keeps its server")
		}
		return answer{q.Text}, nil
	})
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, servers[1]), Patience: clocktest.Patience})
	awaitInterest(t, client)
	go func() {
		<-entered
		servers[0].Shutdown()
	}()
	start := time.Now()
	if got, err := ask(within(t, patient), client, "x"); err != nil || got.Text != "x" ||
		time.Since(start) > patient/2 {
		t.Errorf("%+v, %v after %s", got, err, time.Since(start))
	}
}

// awaitInterest waits until the client's server knows of the worker. The empty question is refused before the handler.
func awaitInterest(t *testing.T, client *bus.Client) {
	t.Helper()
	clocktest.Await(t, "the worker is seen", func() bool {
		_, err := ask(within(t, time.Second), client, "")
		return contracts.CodeOf(err) == contracts.InvalidRequest
	})
}

// A subject that is seldom asked for has no workers for a moment, while another of its kind was answered just now: the call waits for
// them, as it does for a subject that everybody asks for.
func TestWorkersOfSeldomSubjectsAreAwaited(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	spans, tracer := recorder(t)
	serve(t, bustest.Connect(t, srv), echo)
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv), Tracer: tracer})
	awaitInterest(t, client)
	for _, c := range []struct {
		name, template string
		repeated       int
	}{{"of a kind that was answered", subject.Template, 5}, {"of another kind", "assay.v1.{env}.other.{x}", 1}} {
		seldom := contracts.Subject{Name: "assay.v1.test.echo.B", Template: c.template}
		_, err := bus.Call[answer](within(t, patient), client, seldom, question{Text: "x"})
		ended := spans.Ended()
		if got := len(ended[len(ended)-1].Events()); contracts.CodeOf(err) != contracts.NoWorker || got != c.repeated {
			t.Errorf("%s: %v after %d repetitions, want %d", c.name, err, got, c.repeated)
		}
	}
}
