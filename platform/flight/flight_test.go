package flight_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"assay.dev/platform/flight"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type (
	group = flight.Group[string, int]
	read  = flight.Read[int]
)

func newGroup(most int) *group {
	return flight.NewGroup[string, int](slog.New(slog.DiscardHandler), most)
}

// get joins the read of key and waits for it.
func get(ctx context.Context, g *group, key string, f func(context.Context, *read) (int, error)) (int, error) {
	r, _, err := g.Join(ctx, key, f)
	if err != nil {
		return 0, err
	}
	return r.Wait(ctx)
}

func TestTenThousandCallersAreOneRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(1)
		down := errors.New("down")
		for name, want := range map[string]error{"value": nil, "failure": down} {
			var reads atomic.Int64
			var callers sync.WaitGroup
			for range 10_000 {
				callers.Go(func() {
					v, err := get(t.Context(), g, name, func(context.Context, *read) (int, error) {
						reads.Add(1)
						time.Sleep(time.Second)
						return 7, want
					})
					if v != 7 || !errors.Is(err, want) {
						t.Errorf("%d, %v", v, err)
					}
				})
			}
			callers.Wait()
			if reads.Load() != 1 {
				t.Errorf("%s: %d reads", name, reads.Load())
			}
		}
	})
}

func TestAReadOutlivesItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(0)
		hangsUp, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		f := func(ctx context.Context, _ *read) (int, error) {
			time.Sleep(time.Minute)
			return 7, ctx.Err()
		}
		first := make(chan error, 1)
		go func() {
			_, err := get(hangsUp, g, "a", f)
			first <- err
		}()
		synctest.Wait()
		if v, err := get(t.Context(), g, "a", f); v != 7 || err != nil {
			t.Errorf("who joined got %d, %v", v, err)
		}
		if err := <-first; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who hung up got %v", err)
		}
	})
}

// A value that is settled is everybody's at once, also of those who come while the read goes on.
func TestSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(0)
		begun := time.Now()
		for range 2 {
			v, err := get(t.Context(), g, "a", func(_ context.Context, r *read) (int, error) {
				r.Settle(7, nil)
				time.Sleep(time.Minute)
				return 8, errors.New("too late")
			})
			if v != 7 || err != nil || time.Since(begun) > 0 {
				t.Errorf("%d, %v after %s", v, err, time.Since(begun))
			}
		}
		if err := g.Close(t.Context()); err != nil || time.Since(begun) != time.Minute {
			t.Errorf("closed after %s: %v", time.Since(begun), err)
		}
	})
}

func TestAPanicIsAnError(t *testing.T) {
	var log bytes.Buffer
	g := flight.NewGroup[string, int](slog.New(slog.NewTextHandler(&log, nil)), 0)
	_, err := get(t.Context(), g, "a", func(context.Context, *read) (int, error) { panic("boom") })
	if err == nil || !strings.Contains(log.String(), "boom") {
		t.Errorf("%v, logged %q", err, log.String())
	}
}

func TestBoundAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(1)
		r, _, err := g.Join(t.Context(), "a", func(ctx context.Context, _ *read) (int, error) {
			<-ctx.Done()
			return 0, context.Cause(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := get(t.Context(), g, "b", nil); !errors.Is(err, flight.ErrFull) {
			t.Errorf("a second read: %v", err)
		}
		patience, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if err := g.Close(patience); err != nil || time.Since(begun) != time.Second {
			t.Errorf("closed after %s: %v", time.Since(begun), err)
		}
		if _, err := r.Wait(t.Context()); !errors.Is(err, flight.ErrClosed) {
			t.Errorf("what Close cancelled ended with %v", err)
		}
		if _, err := get(t.Context(), g, "c", nil); !errors.Is(err, flight.ErrClosed) {
			t.Errorf("a read after Close: %v", err)
		}
	})
}
