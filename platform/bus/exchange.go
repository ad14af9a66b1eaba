package bus

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/internal/handling"
)

// defaultPatience is that of [Deps] that say nothing.
const defaultPatience = slowness * time.Second

// linkGrace is how long a call waits for a lost connection to come back, such as to another server. A connection that
// has been away for longer fails calls at once.
func (c *Client) linkGrace() time.Duration { return c.patience * 6 / 10 }

var errSilence = errors.New("no reply in half of the time")

type attempt struct {
	msg *nats.Msg
	err error
}

// exchange makes the request, and repeats it if that may help. Earlier requests stay open beside later ones, because
// silence may only mean that the worker is slow: the first verdict counts.
func (c *Client) exchange(ctx context.Context, s contracts.Subject, data []byte) (*nats.Msg, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	attempts := make(chan attempt, mostSends) // all fit, so that no goroutine outlives ctx
	send := func(pause time.Duration) {
		msg, err := c.send(ctx, pause, s, data)
		attempts <- attempt{msg, err}
	}
	silence := time.NewTimer(halfOf(ctx))
	defer silence.Stop()
	go send(0)
	for open, sent := 1, 1; ; {
		err := errSilence
		select {
		case a := <-attempts:
			open--
			if err = a.err; !repeatable(err) || ctx.Err() != nil {
				c.heard.Store(s.Template, time.Now())
				return a.msg, err
			}
			if Lost(err) { // who has lost a server expects that workers have lost it too
				c.heard.Store(s.Template, time.Now())
			}
		case <-silence.C:
		}
		switch pauses := c.pauses(s, err); {
		case sent <= len(pauses):
			trace.SpanFromContext(ctx).AddEvent("request again", trace.WithAttributes(attribute.String("cause", cause(err))))
			go send(spread(pauses[sent-1]))
			sent++
			open++
		case open == 0:
			return nil, err
		}
	}
}

func halfOf(ctx context.Context) time.Duration {
	deadline, _ := ctx.Deadline()
	return time.Until(deadline) / 2
}

// repeatable tells whether another worker, or the same a moment later, may do better.
func repeatable(err error) bool {
	var e *contracts.Error
	if !errors.As(err, &e) {
		return Lost(err)
	}
	return e.Code == contracts.NoWorker || e.Code == contracts.Busy && e.RetryAfter <= longestBusy || Lost(e)
}

// longestBusy is the longest wait that a worker without room asks for. A refusal that asks for more speaks of a queue
// that all workers share, such as that of the CAPTCHA solves: no other worker has room either.
const longestBusy = 2 * time.Second

// Lost tells whether err says that the connection is away.
func Lost(err error) bool {
	return errors.Is(err, nats.ErrDisconnected) || errors.Is(err, nats.ErrReconnectBufExceeded) ||
		errors.Is(err, nats.ErrConnectionReconnecting)
}

// mostSends is one more than the longest of the pauses.
const mostSends = 6

// How long to wait before each repetition, by its cause.
var (
	// NATS picks a worker at random: while one is busy, another may have room.
	pausesBusy = []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 15 * time.Millisecond}
	// A kind of subject that nobody has answered for a while has no workers.
	pausesNoWorker = []time.Duration{15 * time.Millisecond}
	// Workers that answered lately may have lost their NATS server: they come back at another one.
	pausesGone = []time.Duration{25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond,
		200 * time.Millisecond, 400 * time.Millisecond}
	pausesLost = []time.Duration{0, 0, 0}
	// Silence is noticed once a call, after any number of other repetitions.
	pausesSilence = []time.Duration{0, 0, 0, 0, 0}
)

// heardLately: when a kind of subject was answered within this time and now has no workers, they are expected to come
// back, such as after the loss of their NATS server. One worker serves many subjects of a kind, and some are asked for
// once an hour.
const heardLately = 10 * time.Second

func (c *Client) pauses(s contracts.Subject, err error) []time.Duration {
	switch contracts.CodeOf(err) {
	case contracts.Busy:
		return pausesBusy
	case contracts.NoWorker:
		if at, ok := c.heard.Load(s.Template); ok && time.Since(at.(time.Time)) < heardLately {
			return pausesGone
		}
		return pausesNoWorker
	}
	if Lost(err) {
		return pausesLost
	}
	return pausesSilence
}

// spread makes a pause up to twice as long, so that refused callers do not come back together.
func spread(pause time.Duration) time.Duration {
	return pause + rand.N(pause+1)
}

func cause(err error) string {
	if errors.Is(err, errSilence) {
		return "silence"
	}
	if Lost(err) {
		return "connection lost"
	}
	return string(contracts.CodeOf(err))
}

// send makes one request and gives its failure a code.
func (c *Client) send(ctx context.Context, pause time.Duration, s contracts.Subject, data []byte) (*nats.Msg, error) {
	if err := clock.Sleep(ctx, pause); err != nil {
		return nil, err
	}
	msg, err := c.request(ctx, &nats.Msg{Subject: s.Name, Header: handling.NewHeader(ctx), Data: data})
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, contracts.Wrap(err, contracts.NoWorker, "no worker serves this source now; retry").After(5 * time.Second)
	case errors.Is(err, nats.ErrMaxPayload):
		return nil, contracts.Wrap(err, contracts.RequestTooLarge, "the request is too large")
	case err != nil && ctx.Err() == nil:
		return nil, handling.Unreachable(err)
	case err != nil:
		return nil, ctx.Err()
	}
	if number := msg.Header.Get(micro.ErrorCodeHeader); number != "" {
		return nil, contracts.DecodeError(number, msg.Data)
	}
	return msg, nil
}

// request makes a request. A server that seems to hang for the first time may only lack a processor: the request is
// then made once more, before the next ones are given up sooner.
func (c *Client) request(ctx context.Context, msg *nats.Msg) (*nats.Msg, error) {
	once := func(ctx context.Context) (*nats.Msg, error) {
		if err := c.awaitLink(ctx); err != nil {
			return nil, err
		}
		return c.deps.Conn.RequestMsgWithContext(ctx, msg)
	}
	var reply *nats.Msg
	var err error
	if c.hung.Load() {
		reply, err = WhileAnswering(ctx, c.deps.Conn, c.patience/10, once)
	} else if reply, err = WhileAnswering(ctx, c.deps.Conn, c.patience/2, once); errors.Is(err, errHung) {
		trace.SpanFromContext(ctx).AddEvent("request again",
			trace.WithAttributes(attribute.String("cause", "no ping is answered")))
		reply, err = whileStarved(ctx, c.deps.Conn, c.patience, once)
	}
	switch {
	case err == nil:
		c.hung.Store(false)
		c.lostAt.Store(0)
	case errors.Is(err, errHung):
		c.hung.Store(true)
		c.lostAt.CompareAndSwap(0, time.Now().UnixNano())
	case errors.Is(err, nats.ErrDisconnected):
		c.lostAt.CompareAndSwap(0, time.Now().UnixNano())
	}
	return reply, err
}

// awaitLink returns at once unless the connection was lost a moment ago.
func (c *Client) awaitLink(ctx context.Context) error {
	conn := c.deps.Conn
	for !conn.IsConnected() {
		c.hung.Store(false) // the next server may be another
		c.lostAt.CompareAndSwap(0, time.Now().UnixNano())
		since := time.Since(time.Unix(0, c.lostAt.Load()))
		if since > c.linkGrace() || conn.IsClosed() {
			return nats.ErrDisconnected
		}
		if err := clock.Sleep(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}
