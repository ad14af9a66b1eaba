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
				release, err := p.acquire(t.Context(), "site", true)
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
		for _, paced := range []bool{true, false} {
			p := newPoliteness(100, 2)
			var running, most atomic.Int32
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					release, err := p.acquire(t.Context(), "site", paced)
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
				t.Errorf("paced %v: %d at the same time", paced, most.Load())
			}
		}
	})
}

func TestPolitenessWaitsNoLongerThanTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPoliteness(1, 2)
		first, err := p.acquire(t.Context(), "site", true)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if _, err := p.acquire(short, "site", true); KindOf(err) != Refused || time.Since(start) != 0 {
			t.Errorf("hopeless wait: %v after %s", err, time.Since(start))
		}
		leaving, leave := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, leave)
		if _, err := p.acquire(leaving, "site", true); !errors.Is(err, context.Canceled) {
			t.Errorf("caller left: %v", err)
		}
		first()

		// Those who left took nobody's turn.
		next, err := p.acquire(t.Context(), "site", true)
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
			release, err := p.acquire(t.Context(), name, true)
			if err != nil {
				t.Fatal(err)
			}
			release()
		}
		time.Sleep(2 * time.Second)
		release, err := p.acquire(t.Context(), "d", true)
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
			go func() { _, _ = p.acquire(ctx, "site", true) }()
		}
		synctest.Wait()
		if _, err := p.acquire(ctx, "site", true); KindOf(err) != Refused {
			t.Errorf("got %v", err)
		}
		cancel()
	})
}
