package lease

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
)

// takeover is promised: after how long another courier works at the latest.
const takeover = 5 * time.Second

// A courier that dies, or is cut off, at whatever moment, is replaced within 5 s, and the one that is cut off has stopped before by itself: two
// never work at once. The clock is that of a bubble: how busy the machine is makes no difference. A real server cannot live in one; that the
// bucket does what the register does here is shown by the courier's TestAnotherTakesOver.
func TestALeaseIsTakenOver(t *testing.T) {
	for name, test := range map[string]struct{ toServer, fromServer time.Duration }{
		"quick":         {time.Millisecond, time.Millisecond},
		"slow requests": {400 * time.Millisecond, time.Millisecond},
		"slow replies":  {time.Millisecond, 600 * time.Millisecond},
	} {
		for phase := time.Duration(0); phase < 2*renewEvery; phase += 70 * time.Millisecond {
			t.Run(fmt.Sprint(name, " ", phase), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					fallSilent(t, register{toServer: test.toServer, fromServer: test.fromServer}, phase)
				})
			})
		}
	}
}

// works notes when couriers work.
type works struct {
	sync.Mutex
	began, ended []time.Time
}

func (w *works) work(ctx context.Context) {
	w.Lock()
	w.began = append(w.began, time.Now())
	w.Unlock()
	<-ctx.Done()
	w.Lock()
	w.ended = append(w.ended, time.Now())
	w.Unlock()
}

func (w *works) times() (began, ended []time.Time) {
	w.Lock()
	defer w.Unlock()
	return slices.Clone(w.began), slices.Clone(w.ended)
}

func fallSilent(t *testing.T, at register, phase time.Duration) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	var all works
	at.shared = &shared{}
	first, second := at, at
	first.cut = make(chan struct{})
	second.cut, second.toServer, second.fromServer = make(chan struct{}), time.Millisecond, time.Millisecond
	for i, r := range []*register{&first, &second} {
		l := &Lease{bucket: r, log: slog.New(slog.DiscardHandler), holds: prometheus.NewGauge(prometheus.GaugeOpts{})}
		running.Go(func() {
			time.Sleep(time.Duration(i) * 2 * time.Second)
			_ = l.Hold(ctx, all.work) // it ends with ctx
		})
	}
	time.Sleep(10*time.Second + phase)
	silent := time.Now()
	if began, ended := all.times(); len(began) != 1 || len(ended) > 0 {
		t.Fatalf("%d began and %d ended before the first one fell silent", len(began), len(ended))
	}
	close(first.cut)
	time.Sleep(takeover)
	synctest.Wait()
	began, ended := all.times()
	if len(began) != 2 || len(ended) != 1 {
		t.Fatalf("%s later %d began and %d ended, want 2 and 1", takeover, len(began), len(ended))
	}
	stopped, took := ended[0].Sub(silent), began[1].Sub(silent)
	if stopped > took {
		t.Errorf("another worked after %s, and the first one until %s", took, stopped)
	}
	t.Logf("another worked after %s, the first one until %s", took, stopped)
}

// register is a key of a bucket as far as a lease uses it, behind a way to the server and back that take their time, until it is cut.
type register struct {
	jetstream.KeyValue
	*shared
	toServer, fromServer time.Duration
	cut                  chan struct{}
}

type shared struct {
	mu       sync.Mutex
	value    []byte
	revision uint64
}

type held struct {
	jetstream.KeyValueEntry
	value    []byte
	revision uint64
}

func (h held) Value() []byte    { return h.value }
func (h held) Revision() uint64 { return h.revision }

func (r *register) pass(ctx context.Context, takes time.Duration) error {
	select {
	case <-r.cut:
		<-ctx.Done()
	case <-ctx.Done():
	case <-time.After(takes):
		return nil
	}
	return ctx.Err()
}

func (r *register) exchange(ctx context.Context, do func() error) error {
	if err := r.pass(ctx, r.toServer); err != nil {
		return err
	}
	r.mu.Lock()
	err := do()
	r.mu.Unlock()
	return errors.Join(r.pass(ctx, r.fromServer), err)
}

// Get reads the register.
func (r *register) Get(ctx context.Context, _ string) (e jetstream.KeyValueEntry, err error) {
	err = r.exchange(ctx, func() error {
		if e = (held{value: r.value, revision: r.revision}); r.revision == 0 {
			return jetstream.ErrKeyNotFound
		}
		return nil
	})
	return e, err
}

// Update compares and sets.
func (r *register) Update(ctx context.Context, _ string, value []byte, revision uint64) (now uint64, err error) {
	err = r.exchange(ctx, func() error {
		if r.revision != revision {
			return jetstream.ErrKeyExists
		}
		r.value, r.revision = value, revision+1
		now = r.revision
		return nil
	})
	return now, err
}
