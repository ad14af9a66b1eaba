package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// PingPatience is how long a server may leave a ping unanswered before an exchange with it is given up: half a second. A server
// answers pings in microseconds, whatever its streams and workers do.
const PingPatience = slowness * 500 * time.Millisecond

// doubtPatience is the same after a call to that server failed, until one succeeds.
const doubtPatience = slowness * 100 * time.Millisecond

// errHung is for a server that keeps the connection open and answers nothing, such as a process that was stopped.
var errHung = fmt.Errorf("NATS answers no ping: %w", nats.ErrTimeout)

// WhileConnected makes an exchange with NATS and returns what it returns. It returns at once when ctx ends, with
// [nats.ErrDisconnected] when the connection is lost, and with a [nats.ErrTimeout] within 700 ms when the server hangs. The
// exchange then goes on in vain, with a context that has ended: what is sent to a lost server is not answered any more,
// and nats.go holds each of its calls for two seconds while it connects to a server that hangs.
func WhileConnected[A any](ctx context.Context, conn *nats.Conn, exchange func(context.Context) (A, error)) (A, error) {
	return WhileAnswering(ctx, conn, PingPatience, exchange)
}

// WhileAnswering is WhileConnected with another patience, for who cannot wait as long.
func WhileAnswering[A any](
	ctx context.Context, conn *nats.Conn, patience time.Duration, exchange func(context.Context) (A, error),
) (A, error) {
	type outcome struct {
		answer A
		err    error
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan outcome, 1)
	go func() {
		lost := conn.StatusChanged(nats.RECONNECTING, nats.DISCONNECTED, nats.CLOSED)
		defer conn.RemoveStatusListener(lost) // closes it, which ends the next goroutine
		go func() {
			if _, event := <-lost; event {
				cancel(nats.ErrDisconnected)
			}
		}()
		answer, err := exchange(ctx)
		ended <- outcome{answer, err}
	}()
	// Most exchanges are over before the first ping.
	defer time.AfterFunc(2*patience/5, func() { cancel(pingUntilHung(ctx, conn, patience)) }).Stop()
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

// pingUntilHung returns errHung when a ping has no answer in time, and nil when ctx ends.
func pingUntilHung(ctx context.Context, conn *nats.Conn, patience time.Duration) error {
	pause := time.NewTicker(2 * patience / 5)
	defer pause.Stop()
	for answersPing(ctx, conn, patience) {
		select {
		case <-ctx.Done():
			return nil
		case <-pause.C:
		}
	}
	return errHung
}

// answersPing is false only when the time ran out and no message came either: behind many messages, the answer to a ping comes
// late. A lost connection has a status of its own.
func answersPing(ctx context.Context, conn *nats.Conn, patience time.Duration) bool {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ended, before := make(chan error, 1), make(chan uint64, 1)
	go func() {
		before <- conn.Stats().InMsgs
		ended <- conn.FlushWithContext(limited)
	}()
	select {
	case err := <-ended:
		return !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil || heardSince(conn, before)
	case <-limited.Done():
		return ctx.Err() != nil || heardSince(conn, before)
	}
}

// heardSince tells whether messages came since their number was before. It does not wait for nats.go, which holds all calls while
// it connects to a server that hangs.
func heardSince(conn *nats.Conn, before chan uint64) bool {
	heard := make(chan bool, 1)
	go func() { heard <- conn.Stats().InMsgs != <-before }()
	select {
	case yes := <-heard:
		return yes
	case <-time.After(statsPatience):
		return false
	}
}

// statsPatience is for a look at counters, which takes a microsecond.
const statsPatience = 20 * time.Millisecond
