// Package flight makes reads of one thing at the same time one read, in this process. Package cache does the same
// across processes.
package flight

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"assay.dev/platform/clock"
	"assay.dev/platform/panics"
)

// Errors of [Group.Join]. ErrClosed is also the cause with which the context of a read ends that Close cancels.
var (
	ErrClosed = errors.New("no more reads are begun")
	ErrFull   = errors.New("too many reads are under way")
)

// cancelGrace is how long reads that were cancelled may take to end.
const cancelGrace = 2 * time.Second

// Group shares the reads of values V, each known by a key K.
type Group[K comparable, V any] struct {
	log  *slog.Logger
	most int

	base   context.Context // of every read; ends when Close cancels
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	closed  bool
	reads   map[K]*Read[V]
	running sync.WaitGroup
}

// NewGroup makes a group that has at most that many reads under way; 0 for any number. Panics of reads go to log.
func NewGroup[K comparable, V any](log *slog.Logger, most int) *Group[K, V] {
	g := &Group[K, V]{log: log, most: most, reads: map[K]*Read[V]{}}
	g.base, g.cancel = context.WithCancelCause(context.Background())
	return g
}

// Read is one read, for all who joined it.
type Read[V any] struct {
	// Leader is the span of the caller who began the read, for the others' links.
	Leader trace.SpanContext

	done    chan struct{}
	settled sync.Once
	value   V
	err     error
}

// Settle gives those who wait their value before the read has ended, such as when an answer is there and has yet to be
// stored. Only the first time counts.
func (r *Read[V]) Settle(value V, err error) {
	r.settled.Do(func() {
		r.value, r.err = value, err
		close(r.done)
	})
}

// Wait returns the value, or the error of the read or of ctx. The read goes on when ctx ends.
func (r *Read[V]) Wait(ctx context.Context) (V, error) {
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// Join begins the read of key with f, or joins the one that is under way. The context given to f has the values of ctx
// and does not end with it: others may wait for the value. A panic of f is the error of the read.
func (g *Group[K, V]) Join(
	ctx context.Context, key K, f func(context.Context, *Read[V]) (V, error),
) (r *Read[V], joined bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r, ok := g.reads[key]; ok {
		return r, true, nil
	}
	if g.closed {
		return nil, false, ErrClosed
	}
	if g.most > 0 && len(g.reads) >= g.most {
		return nil, false, ErrFull
	}
	r = &Read[V]{Leader: trace.SpanContextFromContext(ctx), done: make(chan struct{})}
	g.reads[key] = r
	g.running.Go(func() { g.lead(ctx, key, r, f) })
	return r, false, nil
}

func (g *Group[K, V]) lead(ctx context.Context, key K, r *Read[V], f func(context.Context, *Read[V]) (V, error)) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	defer context.AfterFunc(g.base, func() { cancel(ErrClosed) })()
	var value V
	err := panics.Catch(ctx, g.log, func() (err error) {
		value, err = f(ctx, r)
		return err
	})
	g.mu.Lock()
	delete(g.reads, key)
	g.mu.Unlock()
	r.Settle(value, err)
}

// Close lets no read begin, waits for those under way until ctx ends, and then cancels them.
func (g *Group[K, V]) Close(ctx context.Context) error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	err := clock.Wait(ctx, &g.running)
	g.cancel(ErrClosed)
	if err == nil {
		return nil
	}
	grace, cancel := context.WithTimeout(context.Background(), cancelGrace)
	defer cancel()
	if clock.Wait(grace, &g.running) != nil {
		return errors.New("reads do not end")
	}
	return nil
}
