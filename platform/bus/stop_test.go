package bus_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

// Two workers stop and start in turn under load. No request may fail, and none may need the client's repetition: each
// is begun and ended exactly once.
func TestStopLosesNothing(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	var begun, ended atomic.Int64
	handle := func(_ context.Context, q question) (answer, error) {
		begun.Add(1)
		runtime.Gosched()
		ended.Add(1)
		return answer{q.Text}, nil
	}
	start := func() (stop func()) {
		conn := bustest.Connect(t, srv)
		s, err := bus.Serve(bus.Deps{Conn: conn}, service(200, handle))
		if err != nil {
			t.Error(err)
			return func() {}
		}
		return func() {
			stopAndClose(t, s, conn)
		}
	}
	keep := start()
	ctx, cancel := context.WithCancel(context.Background())
	var callers sync.WaitGroup
	var calls, failed atomic.Int64
	for range 4 {
		client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv), Patience: clocktest.Patience})
		for range 4 {
			callers.Go(func() { load(t, ctx, client, &calls, &failed) })
		}
	}
	for range 30 {
		next, before := start(), calls.Load()
		clocktest.Await(t, "calls to both", func() bool { return calls.Load() > before+50 })
		keep()
		keep = next
	}
	cancel()
	callers.Wait()
	keep()
	if failed.Load() > 0 || begun.Load() != calls.Load() || ended.Load() != calls.Load() {
		t.Errorf("%d of %d calls failed; %d begun, %d ended", failed.Load(), calls.Load(), begun.Load(), ended.Load())
	}
	t.Logf("%d calls, %d handled", calls.Load(), ended.Load())
}

func load(t *testing.T, ctx context.Context, client *bus.Client, calls, failed *atomic.Int64) {
	for i := 0; ctx.Err() == nil; i++ {
		call, cancel := context.WithTimeout(context.Background(), patient)
		text := fmt.Sprint(i)
		start := time.Now()
		got, err := ask(call, client, text)
		cancel()
		calls.Add(1)
		if err != nil || got.Text != text || time.Since(start) > patient/2-time.Second { // a lost request is sent again then
			failed.Add(1)
			t.Errorf("%+v, %v after %s", got, err, time.Since(start))
		}
	}
}

func stopAndClose(t *testing.T, s *bus.Server, conn *nats.Conn) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		t.Error(err)
	}
	if err := bus.Close(ctx, conn); err != nil {
		t.Error(err)
	}
}

func TestStopCutsShortWhatDoesNotEnd(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	entered := make(chan struct{}, 2)
	s, err := bus.Serve(bus.Deps{Conn: bustest.Connect(t, srv)},
		service(1, func(ctx context.Context, _ question) (answer, error) {
			entered <- struct{}{}
			<-ctx.Done()
			return answer{}, ctx.Err()
		}))
	if err != nil {
		t.Fatal(err)
	}
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	result := make(chan error, 1)
	go func() {
		_, err := ask(within(t, patient), client, "x")
		result <- err
	}()
	<-entered
	go func() { // the caller is told to go elsewhere, and does
		serve(t, bustest.Connect(t, srv), echo)
		entered <- struct{}{}
	}()
	<-entered
	s.SetGrace(patient)
	if err := s.Stop(within(t, 300*time.Millisecond)); err != nil {
		t.Error(err)
	}
	if err := <-result; err != nil {
		t.Error(err)
	}
}
