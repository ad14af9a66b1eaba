package scrape

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestPolitenessSpacesRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPoliteness(1, 2)
		var mu sync.Mutex
		var starts []time.Time
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				release, err := p.acquire(t.Context(), "site", begins)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				starts = append(starts, time.Now())
				mu.Unlock()
				time.Sleep(100 * time.Millisecond)
				release()
			})
		}
		wg.Wait()
		for i := 1; i < len(starts); i++ {
			if gap := starts[i].Sub(starts[i-1]); gap < time.Second {
				t.Errorf("requests %d and %d are %s apart", i-1, i, gap)
			}
		}
	})
}

func TestPolitenessBoundsConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, how := range []pace{begins, goesOn, unpaced} {
			p := newPoliteness(100, 2)
			var running, most atomic.Int32
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					release, err := p.acquire(t.Context(), "site", how)
					if err != nil {
						t.Error(err)
						return
					}
					most.Store(max(most.Load(), running.Add(1)))
					time.Sleep(time.Second)
					running.Add(-1)
					release()
				})
			}
			wg.Wait()
			if most.Load() != 2 {
				t.Errorf("pace %d: %d at the same time", how, most.Load())
			}
		}
	})
}

func TestPolitenessWaitsNoLongerThanTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPoliteness(1, 2)
		first, err := p.acquire(t.Context(), "site", begins)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if _, err := p.acquire(short, "site", begins); KindOf(err) != Refused || time.Since(start) != 0 {
			t.Errorf("hopeless wait: %v after %s", err, time.Since(start))
		}
		leaving, leave := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, leave)
		if _, err := p.acquire(leaving, "site", begins); !errors.Is(err, context.Canceled) {
			t.Errorf("caller left: %v", err)
		}
		first()

		// Those who left took nobody's turn.
		next, err := p.acquire(t.Context(), "site", begins)
		if err != nil || time.Since(start) != time.Second {
			t.Errorf("next turn after %s, %v", time.Since(start), err)
		}
		next()
	})
}

func TestPolitenessForgetsIdleHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPoliteness(1, 2)
		for _, name := range []string{"a", "b", "c"} {
			release, err := p.acquire(t.Context(), name, begins)
			if err != nil {
				t.Fatal(err)
			}
			release()
		}
		time.Sleep(2 * time.Second)
		release, err := p.acquire(t.Context(), "d", begins)
		if err != nil || len(p.hosts) != 1 {
			t.Errorf("%d hosts kept, %v", len(p.hosts), err)
		}
		release()
	})
}

func TestPolitenessQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPoliteness(1, 1)
		ctx, cancel := context.WithCancel(t.Context())
		for range maxWaiting {
			go func() { _, _ = p.acquire(ctx, "site", begins) }()
		}
		synctest.Wait()
		if _, err := p.acquire(ctx, "site", begins); KindOf(err) != Refused {
			t.Errorf("got %v", err)
		}
		cancel()
	})
}

// Ten conversations of three requests, one request a second, and fifteen seconds for each.
func TestPolitenessEndsWhatHasBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPoliteness(1, 2)
		var ended atomic.Int32
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 14500*time.Millisecond)
				defer cancel()
				for _, how := range []pace{begins, goesOn, goesOn} {
					release, err := p.acquire(ctx, "site", how)
					if err != nil {
						return
					}
					time.Sleep(100 * time.Millisecond)
					release()
				}
				ended.Add(1)
			})
		}
		wg.Wait()
		if ended.Load() != 5 {
			t.Errorf("%d conversations ended", ended.Load())
		}
	})
}

func TestPolitenessHasRoomForWhatHasBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPoliteness(1, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for range maxWaiting {
			go func() {
				if release, err := p.acquire(ctx, "site", begins); err == nil {
					release()
				}
			}()
		}
		synctest.Wait()
		start := time.Now()
		release, err := p.acquire(ctx, "site", goesOn)
		if err != nil || time.Since(start) > time.Second {
			t.Fatalf("after %s: %v", time.Since(start), err)
		}
		release()
	})
}

// A place that was taken is one of those that there are, is used by one request, and comes back when none uses it.
func TestPlacesAreTakenAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &Fetcher{politeness: newPoliteness(0, maxWaiting)}
		take := func() (context.Context, func()) {
			t.Helper()
			ctx, leave, err := f.TakePlace(t.Context(), "first", "second")
			if err != nil {
				t.Fatal(err)
			}
			return ctx, leave
		}
		full := func(name string) bool {
			release, err := f.politeness.acquire(t.Context(), name, begins)
			if err == nil {
				release()
			}
			return KindOf(err) == Refused
		}
		var leaves []func()
		ctx, leave := take()
		for range maxWaiting - 1 {
			_, leave := take()
			leaves = append(leaves, leave)
		}
		if !full("first") || full("second") {
			t.Error("the first host is not full, or the second is")
		}
		release, err := f.politeness.acquire(ctx, "first", begins)
		if err != nil {
			t.Fatalf("with a place: %v", err)
		}
		if _, err := f.politeness.acquire(ctx, "first", begins); KindOf(err) != Refused {
			t.Errorf("with a place that is used: %v", err)
		}
		leave() // it is used: nothing comes back
		if !full("first") {
			t.Error("a place in use came back")
		}
		release()
		if full("first") {
			t.Error("the place did not come back")
		}
		for range maxWaiting + 1 {
			_, leave := take()
			leaves = append(leaves, leave)
		}
		if _, _, err := f.TakePlace(t.Context(), "first", "second"); KindOf(err) != Refused || !full("second") {
			t.Errorf("with both full: %v", err)
		}
		for _, leave := range leaves {
			leave()
			leave()
		}
		if full("first") || full("second") {
			t.Error("places did not come back")
		}
	})
}
