package bus

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// PingPatience is how long a server may leave a ping unanswered before an exchange with it is given up: half a second.
// A server answers pings in microseconds, whatever its streams and workers do.
const PingPatience = slowness * 500 * time.Millisecond

// errHung is for a server that keeps the connection open and answers nothing, such as a process that was stopped.
var errHung = fmt.Errorf("NATS answers no ping: %w", nats.ErrTimeout)

// WhileConnected makes an exchange with NATS and returns what it returns. It returns at once when ctx ends, with
// [nats.ErrDisconnected] when the connection is lost, and with a [nats.ErrTimeout] within 600 ms when the server hangs.
// The exchange then goes on in vain, with a context that has ended: what is sent to a lost server is not answered any
// more, and nats.go holds each of its calls for two seconds while it connects to a server that hangs. A server in this
// process does not hang: when it answers no ping, this process lacks a processor, and the exchange waits as long as ctx
// allows.
func WhileConnected[A any](ctx context.Context, conn *nats.Conn, exchange func(context.Context) (A, error)) (A, error) {
	return WhileAnswering(ctx, conn, PingPatience, exchange)
}

// WhileAnswering is WhileConnected with a patience of the caller's choice.
func WhileAnswering[A any](
	ctx context.Context, conn *nats.Conn, patience time.Duration, exchange func(context.Context) (A, error),
) (A, error) {
	type outcome struct {
		answer A
		err    error
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	me := &waiter{patience, cancel}
	w := join(conn, me)
	defer w.leave(me)
	ended := make(chan outcome, 1)
	go func() {
		<-w.listening // so that no loss of the connection during the exchange is missed
		answer, err := exchange(ctx)
		ended <- outcome{answer, err}
	}()
	var o outcome
	select {
	case o = <-ended:
	case <-ctx.Done():
		o.err = ctx.Err()
	}
	if cause := context.Cause(ctx); o.err != nil && (errors.Is(cause, nats.ErrDisconnected) || errors.Is(cause, errHung)) {
		o.err = cause
	}
	return o.answer, o.err
}

// whileStarved makes an exchange once more with a server that was silent for half of a call's patience. It returns
// errHung after a fifth, so that a call fails within its patience.
func whileStarved[A any](
	ctx context.Context, conn *nats.Conn, patience time.Duration, exchange func(context.Context) (A, error),
) (A, error) {
	again, cancel := context.WithTimeoutCause(ctx, patience/5, errHung)
	defer cancel()
	answer, err := WhileAnswering(again, conn, patience, exchange)
	if err != nil && ctx.Err() == nil && again.Err() != nil {
		err = errHung
	}
	return answer, err
}

// watch pings the server of one connection while exchanges wait for it. It sends one ping for all of them.
type watch struct {
	conn      *nats.Conn
	waiters   map[*waiter]struct{} // under watches.mu
	listening chan struct{}        // closed when a loss of the connection would be noticed
	idle      chan struct{}        // closed when nobody waits any more
	judging   *time.Timer
	asked     atomic.Bool   // a ping is under way
	answers   atomic.Uint64 // to pings
}

// waiter is one exchange.
type waiter struct {
	patience time.Duration
	end      context.CancelCauseFunc
}

// watches are those of the connections for which anybody waits.
var watches = struct {
	mu sync.Mutex
	of map[*nats.Conn]*watch
}{of: map[*nats.Conn]*watch{}}

// join adds a waiter to the watch of a connection, which begins with the first.
func join(conn *nats.Conn, me *waiter) *watch {
	watches.mu.Lock()
	defer watches.mu.Unlock()
	w := watches.of[conn]
	if w == nil {
		w = &watch{conn: conn, waiters: map[*waiter]struct{}{}, listening: make(chan struct{}), idle: make(chan struct{})}
		watches.of[conn] = w
		go w.listen()
		w.judging = time.AfterFunc(glance, w.judge) // most exchanges are over before
	}
	w.waiters[me] = struct{}{}
	return w
}

// leave removes a waiter. The watch ends with the last.
func (w *watch) leave(me *waiter) {
	watches.mu.Lock()
	defer watches.mu.Unlock()
	delete(w.waiters, me)
	if len(w.waiters) == 0 {
		w.judging.Stop()
		close(w.idle)
		delete(watches.of, w.conn)
	}
}

// listen ends all exchanges when the connection is lost.
func (w *watch) listen() {
	lost := w.conn.StatusChanged(nats.RECONNECTING, nats.DISCONNECTED, nats.CLOSED)
	defer w.conn.RemoveStatusListener(lost)
	close(w.listening)
	for {
		select {
		case <-lost:
			w.end(nats.ErrDisconnected, func(*waiter) bool { return true })
		case <-w.idle:
			return
		}
	}
}

// end ends those exchanges that the cause concerns.
func (w *watch) end(cause error, concerned func(*waiter) bool) {
	watches.mu.Lock()
	defer watches.mu.Unlock()
	for waiter := range w.waiters {
		if concerned(waiter) {
			waiter.end(cause)
		}
	}
}

// glance is how often the judge looks at the connection.
const glance = 25 * time.Millisecond

// hops is through about how many goroutines of this process a ping and its answer pass.
const hops = 4

// judge ends each exchange that has waited longer than its patience without a sign of the server. When this process
// is busy, a look comes late and the answer may lie unread. So a look counts as two looks at most, and a server in this
// process is not judged.
func (w *watch) judge() {
	if w.conn.Opts.InProcessServer != nil {
		return
	}
	var pinging sync.WaitGroup
	defer pinging.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	pinging.Go(func() { w.ping(ctx) })
	looks := time.NewTicker(glance)
	defer looks.Stop()
	silence, last, heard := time.Duration(0), time.Now(), w.heard()
	for {
		select {
		case <-w.idle:
			return
		case <-looks.C:
		}
		for range hops {
			runtime.Gosched() // waits behind all that are ready
		}
		now, signs := time.Now(), w.heard()
		if silence += min(now.Sub(last), 2*glance); signs != heard || !w.asked.Load() {
			silence = 0
		}
		last, heard = now, signs
		w.end(errHung, func(e *waiter) bool { return silence >= e.patience })
	}
}

// heard counts the signs of life: answers to pings and messages. Behind many messages, the answer to a ping comes late.
func (w *watch) heard() uint64 { return w.answers.Load() + atomic.LoadUint64(&w.conn.InMsgs) }

// ping pings the server, one ping after the other. A lost connection counts as an answer: it has a status of its own.
func (w *watch) ping(ctx context.Context) {
	for ctx.Err() == nil {
		limited, cancel := context.WithTimeout(ctx, 20*PingPatience)
		w.asked.Store(true)
		err := w.conn.FlushWithContext(limited)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			w.asked.Store(false)
			w.answers.Add(1)
		}
		select {
		case <-ctx.Done():
		case <-time.After(glance):
		}
	}
}
