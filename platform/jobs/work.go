package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock"
	"assay.dev/platform/internal/handling"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

const (
	// fetchWait is how long a free slot waits for a job before it asks again; Stop waits as long.
	fetchWait = time.Second
	// fetchPause is for when NATS is away.
	fetchPause = 500 * time.Millisecond
	// maxJobTime bounds a job whose caller did not say.
	maxJobTime = 2 * time.Minute
	// filingTime bounds what comes after the job: its result and the acknowledgement.
	filingTime = kv.ElectionTime + 4*time.Second
)

// waitBuckets reach to where the callers of most jobs have left.
var waitBuckets = []float64{.1, .5, 1, 2.5, 5, 10, 20, 30, 45, 60}

// Workers do jobs of one kind.
type Workers struct {
	queue    *Queue
	subject  contracts.Subject
	prefix   string // of the jobs' keys
	consumer jetstream.Consumer
	handle   handling.Handler
	slots    *handling.Slots
	waits    prometheus.Observer
	told     telemetry.Seldom
	stopping context.Context // ends when Stop begins
	stop     context.CancelFunc
	base     context.Context // of every job; ends when Stop runs out of patience
	abandon  context.CancelCauseFunc
	grace    time.Duration // handling.AbandonGrace, or a longer time in tests
	running  sync.WaitGroup
}

// Work begins to do jobs of one kind, at most slots at a time. f is given the job's id; it must end soon after its
// context does, which is the caller's deadline at the latest, but for what goes on [Unhurried]. Its failure is the
// job's result, a panic an INTERNAL one. When a worker dies over a job, another gets it: f must look before it pays. A
// job that three workers died over has failed.
func Work[Job, Result any](
	ctx context.Context, q *Queue, kind contracts.JobKind, slots int, f func(context.Context, string,
		Job) (Result, error),
) (*Workers, error) {
	metrics, err := handling.NewMetrics(q.deps.Metrics, string(kind))
	own := telemetry.NewMetrics(q.deps.Metrics)
	waits := own.Histograms("job_wait_seconds", "Time that a job waited in the queue for a worker.", waitBuckets, "kind")
	if err = errors.Join(err, own.Err()); err != nil {
		return nil, fmt.Errorf("%s jobs: %w", kind, err)
	}
	w := &Workers{queue: q, subject: contracts.JobSubject(q.env, kind), prefix: q.resultKey(kind, ""),
		waits: waits.WithLabelValues(string(kind)), grace: handling.AbandonGrace}
	if w.consumer, err = q.bind(ctx, kind); err != nil {
		return nil, fmt.Errorf("%s jobs: %w", kind, err)
	}
	w.handle = handling.Trace(q.deps.SpanTracer())(metrics.Measure()(handling.Recover(q.deps.Logger())(handleJob(f))))
	w.slots = handling.NewSlots(slots, metrics)
	w.stopping, w.stop = context.WithCancel(context.Background())
	w.base, w.abandon = context.WithCancelCause(context.Background())
	for range slots {
		w.running.Go(w.run)
	}
	return w, nil
}

// Stop takes no more jobs, and returns when those in hand are done and acknowledged. When ctx ends first, they are
// cancelled and go to other workers.
func (w *Workers) Stop(ctx context.Context) error {
	w.stop()
	defer w.slots.Close()
	defer w.abandon(handling.ErrStopping)
	if !handling.Await(ctx, &w.running, w.abandon, w.grace) {
		return errors.New("jobs do not end")
	}
	return nil
}

// bind finds the consumer of a kind of job. After a fault of NATS it may have no leader for some seconds, and does not
// answer: a worker that gave up then would not start.
func (q *Queue) bind(ctx context.Context, kind contracts.JobKind) (consumer jetstream.Consumer, err error) {
	err = kv.Retry(ctx, func(ctx context.Context) error {
		consumer, err = q.js.Consumer(ctx, contracts.JobsStream.Name, ConsumerName(q.env, kind))
		return err
	})
	return consumer, err
}

func handleJob[Job, Result any](f func(context.Context, string, Job) (Result, error)) handling.Handler {
	return func(ctx context.Context, r *handling.Request) (handling.Reply, error) {
		job, err := handling.Decode[Job](r.Data)
		if err != nil {
			return handling.Reply{}, err
		}
		result, err := f(ctx, r.Job, job)
		if err != nil {
			return handling.Reply{}, err
		}
		data, err := json.Marshal(result)
		return handling.Reply{Data: data}, err
	}
}

// unhurried is the key of the context that a job has without a deadline.
type unhurried struct{}

// Unhurried is a job's context without its caller's deadline, for what is paid for whether anybody waits for it or not:
// who asks for the job again finds it done. It ends when Stop runs out of patience.
func Unhurried(ctx context.Context) context.Context {
	base, ok := ctx.Value(unhurried{}).(context.Context)
	if !ok {
		return ctx // no job
	}
	return trace.ContextWithSpan(base, trace.SpanFromContext(ctx))
}

// run is one slot: it takes a job when it is free, and not before.
func (w *Workers) run() {
	for w.stopping.Err() == nil {
		msg, err := w.next()
		switch {
		case err == nil:
			w.process(msg)
			continue
		case errors.Is(err, nats.ErrTimeout):
			continue
		case !bus.Lost(err) && w.told.Due(""): // of a loss the connection has a line of its own
			w.queue.deps.Logger().Warn("no jobs can be taken", "error", err)
		}
		_ = clock.Sleep(w.stopping, fetchPause) // the loop looks at stopping itself
	}
}

// next takes a job. While NATS is away it asks for none: nats.go keeps the subscription of each pull that it could not
// send, until the process ends.
func (w *Workers) next() (jetstream.Msg, error) {
	if !w.queue.deps.Conn.IsConnected() {
		return nil, nats.ErrDisconnected
	}
	return w.consumer.Next(jetstream.FetchMaxWait(fetchWait))
}

// process does the job and files its result before it acknowledges.
func (w *Workers) process(msg jetstream.Msg) {
	stopBeats := w.beat(msg)
	defer stopBeats()
	w.slots.Take()
	defer w.slots.Give()
	key := msg.Headers().Get(headerJob)
	result, err := w.outcome(msg, key)
	log := w.queue.deps.Logger().With("job", key)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.base), filingTime)
	defer cancel()
	if err == nil && result != nil {
		err = w.queue.store(ctx, key, *result)
	}
	stopBeats() // a job that is settled has none
	if err != nil {
		log.Warn("a job goes back to the queue", "error", err)
		_ = msg.NakWithDelay(fetchPause) // else it goes back after ackWait
		return
	}
	if err := kv.Try(ctx, msg.DoubleAck); err != nil {
		log.Warn("a job is not acknowledged; its result is filed", "error", err)
	}
}

// outcome does the job, unless it is done or its caller has left (nil), or it has killed so many workers that it must
// not kill another. An error means that the job should be given to somebody else.
func (w *Workers) outcome(msg jetstream.Msg, key string) (*result, error) {
	attempt, waited := 1, time.Duration(0)
	if meta, err := msg.Metadata(); err == nil {
		attempt, waited = int(meta.NumDelivered), w.since(meta.Timestamp)
	}
	if attempt == 1 {
		w.waits.Observe(waited.Seconds())
	} else if _, found, err := w.queue.stored(w.base, key); found || err != nil {
		return nil, err
	}
	if attempt > maxAttempts {
		return new(failedResult(contracts.Errorf(contracts.Internal, "the job could not be done"))), nil
	}
	left, err := handling.TimeLeft(msg.Headers(), contracts.JobsStream.MaxAge)
	if left -= waited; err == nil && left <= 0 {
		return nil, nil
	}
	var value json.RawMessage
	if err == nil {
		value, err = w.do(msg, key, waited, min(left, maxJobTime))
	}
	if err != nil {
		if errors.Is(context.Cause(w.base), handling.ErrStopping) {
			return nil, handling.ErrStopping
		}
		return new(failedResult(err)), nil
	}
	return &result{Value: value}, nil
}

// since is how long ago a job was queued, by the clock that says when: this one may differ. It is 0 where that is not
// known.
func (w *Workers) since(queued time.Time) (waited time.Duration) {
	_ = kv.Try(w.base, func(ctx context.Context) error {
		info, err := w.consumer.Info(ctx)
		if err == nil {
			waited = max(0, info.TimeStamp.Sub(queued))
		}
		return err
	})
	return waited
}

func (w *Workers) do(msg jetstream.Msg, key string, waited, left time.Duration) (json.RawMessage, error) {
	r := &handling.Request{
		Subject: w.subject, Header: msg.Headers(), Data: msg.Data(), Admitted: true, Inflight: w.slots.Taken(),
		Job: strings.TrimPrefix(key, w.prefix), Waited: waited,
	}
	base := telemetry.WithRequestID(w.base, r.Header.Get(contracts.HeaderRequestID))
	ctx, cancel := context.WithTimeout(context.WithValue(base, unhurried{}, base), left)
	defer cancel()
	rep, err := w.handle(ctx, r)
	if contracts.CodeOf(err) == contracts.Internal {
		w.queue.deps.Logger().ErrorContext(ctx, "job failed", "job", key, "error", err)
	}
	return rep.Data, err
}

// beat tells the server that this worker is still at the job, until stop is called.
func (w *Workers) beat(msg jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for clock.Sleep(ctx, heartbeat) == nil {
			if err := msg.InProgress(); err != nil {
				w.queue.deps.Logger().Warn("a job's heartbeat is not sent", "error", err)
			}
		}
	})
	return func() { cancel(); done.Wait() }
}
