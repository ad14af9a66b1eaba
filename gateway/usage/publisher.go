package usage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/telemetry"
)

const (
	// queueSize bounds the events that wait while NATS is away. It holds some minutes of billable answers.
	queueSize = 1 << 16
	// batchSize bounds the events that are sent at the same time.
	batchSize = 256
	// retryEvery is the pause before a batch that failed is sent again.
	retryEvery = time.Second
	ackTimeout = 5 * time.Second
)

// Publisher sends events to [contracts.UsageStream] in batches. No request waits for it. When it does not know whether
// an event arrived, it sends the event again: the stream keeps one event of each ID. Once the stream may have forgotten
// the ID, it is asked first.
type Publisher struct {
	js    jetstream.JetStream
	log   *slog.Logger
	aside *Aside
	queue chan *Event
	tested
	told telemetry.Seldom // that events are not stored
	// unstored counts the events that were reported and are neither stored nor lost: those of the queue and of the
	// batch that is being sent.
	unstored atomic.Int64
	failing  atomic.Int64 // since when no batch is stored, Unix nanoseconds; 0 while all are
	billed   *prometheus.CounterVec
	stored   prometheus.Counter
	kept     prometheus.Counter
	lost     prometheus.Counter
}

// NewPublisher makes a publisher, which keeps in aside what a stop cannot send; aside may be nil. It sends nothing
// before [Publisher.Run].
func NewPublisher(js jetstream.JetStream, aside *Aside, log *slog.Logger, r prometheus.Registerer) (*Publisher, error) {
	m := telemetry.NewMetrics(r)
	events := m.Counters("gateway_usage_events_total", "Usage events, of billable answers and lines and of "+
		"counts of answers to test keys, by what became of them.", "outcome")
	p := &Publisher{
		js: js, aside: aside, log: log, queue: make(chan *Event, queueSize),
		billed: m.Counters("gateway_billed_total", "Answers and lines that live keys are charged for.", "product", "of"),
		stored: events.WithLabelValues("stored"), kept: events.WithLabelValues("aside"), lost: events.WithLabelValues("lost"),
	}
	for _, product := range contracts.Products {
		for _, of := range []string{"answer", "line"} {
			p.billed.WithLabelValues(string(product), of) // from 0 on, so that the first is an increase
		}
	}
	m.GaugeFunc("gateway_usage_waiting_seconds",
		"For how long usage events could not be stored and wait; 0 while all are.",
		func() float64 { return p.waiting().Seconds() })
	return p, m.Err()
}

// Report queues an event and returns at once. When the queue is full, Report drops the event and counts it as lost: no
// answer waits for its bill.
func (p *Publisher) Report(e Event) {
	switch {
	case e.Lines > 0:
		p.billed.WithLabelValues(string(e.Product), "line").Add(float64(e.Lines))
	case e.Tested == 0:
		p.billed.WithLabelValues(string(e.Product), "answer").Inc()
	}
	p.enqueue(&e)
}

func (p *Publisher) enqueue(e *Event) {
	select {
	case p.queue <- e:
		p.unstored.Add(1)
	default:
		p.lost.Inc()
	}
}

// stuckAfter is how long no event may be stored before [Publisher.Stuck] says so.
const stuckAfter = 10 * time.Second

// Stuck is an error while events have not been stored for longer than a change of servers takes, such as on a full
// disk.
func (p *Publisher) Stuck() error {
	waiting := p.waiting()
	if waiting < stuckAfter {
		return nil
	}
	since := time.Now().Add(-waiting).UTC().Format(time.RFC3339)
	return fmt.Errorf("%d usage events wait since %s", p.unstored.Load(), since)
}

func (p *Publisher) waiting() time.Duration {
	since := p.failing.Load()
	if since == 0 {
		return 0
	}
	return time.Since(time.Unix(0, since))
}

// Run sends events until ctx ends, those first that an earlier stop left.
func (p *Publisher) Run(ctx context.Context) error {
	p.restore(ctx)
	gather := time.NewTicker(testedEvery)
	defer gather.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-gather.C:
			p.reportTested()
		case e := <-p.queue:
			p.deliver(ctx, p.batch(e))
		}
	}
}

// Flush sends the events that are queued. Those that are left when ctx ends are written aside; those that have no room
// there are lost. Call it after Run has returned.
func (p *Publisher) Flush(ctx context.Context) error {
	p.reportTested()
	for {
		select {
		case e := <-p.queue:
			if ctx.Err() != nil {
				p.requeue([]*Event{e})
				return p.putAside(ctx.Err())
			}
			p.deliver(ctx, p.batch(e))
		default:
			return nil
		}
	}
}

// putAside writes all that is queued aside.
func (p *Publisher) putAside(cause error) error {
	var events []*Event
	for len(p.queue) > 0 {
		events = append(events, <-p.queue)
	}
	kept, err := p.aside.writeEvents(events)
	p.unstored.Store(0)
	p.kept.Add(float64(kept))
	if lost := len(events) - kept; lost > 0 {
		p.lost.Add(float64(lost))
		return fmt.Errorf("%d usage events are lost: %w", lost, errors.Join(cause, err))
	}
	p.log.Warn("usage events are written aside and sent at the next start", "events", kept, "file", p.aside.path)
	return err
}

// batch returns first and the events that are queued, up to batchSize of them.
func (p *Publisher) batch(first *Event) []*Event {
	batch := append(make([]*Event, 0, batchSize), first)
	for len(batch) < batchSize {
		select {
		case e := <-p.queue:
			batch = append(batch, e)
		default:
			return batch
		}
	}
	return batch
}

// deliver sends batch until all of it is stored or ctx ends. It then puts the rest back into the queue, for Flush.
func (p *Publisher) deliver(ctx context.Context, batch []*Event) {
	for {
		if batch = p.send(ctx, batch); len(batch) == 0 {
			return
		}
		if clock.Sleep(ctx, retryEvery) != nil {
			p.requeue(batch)
			return
		}
	}
}

func (p *Publisher) requeue(batch []*Event) {
	p.unstored.Add(-int64(len(batch)))
	for _, e := range batch {
		p.enqueue(e)
	}
}

// send publishes all of batch and returns the events that NATS did not acknowledge within ackTimeout, or before ctx
// ended: these are sent again by [Publisher.Flush], which would else come too late.
func (p *Publisher) send(ctx context.Context, batch []*Event) (failed []*Event) {
	missing, last := batch, error(nil)
	if slices.ContainsFunc(batch, (*Event).mayBeForgotten) {
		missing, last = missingOf(ctx, p.js, batch)
	}
	if last != nil {
		missing, failed = nil, batch
	}
	acks := make([]jetstream.PubAckFuture, len(missing))
	for i, e := range missing {
		acks[i] = p.publish(e)
	}
	ctx, cancel := context.WithTimeout(ctx, ackTimeout)
	defer cancel()
	for i, ack := range acks {
		if err := awaitAck(ctx, ack); err != nil {
			failed, last = append(failed, missing[i]), err
		}
	}
	p.stored.Add(float64(len(batch) - len(failed)))
	p.unstored.Add(-int64(len(batch) - len(failed)))
	if last == nil {
		p.failing.Store(0)
	} else {
		p.failing.CompareAndSwap(0, time.Now().UnixNano())
		if p.told.Due("") {
			p.log.Warn("usage events are not stored yet", "events", len(failed), "queued", len(p.queue), "error", last)
		}
	}
	return failed
}

// mayBeForgotten tells whether the event was sent so long ago that the stream may not know its ID any more.
func (e *Event) mayBeForgotten() bool {
	return !e.sent.IsZero() && time.Since(e.sent) > contracts.UsageStream.DedupWindow/2
}

func (p *Publisher) publish(e *Event) jetstream.PubAckFuture {
	e.sent = cmp.Or(e.sent, time.Now())
	data, _ := json.Marshal(e) // strings and a time always marshal
	ack, err := p.js.PublishMsgAsync(&nats.Msg{Subject: contracts.UsageSubject(e.Product).Name, Data: data},
		jetstream.WithMsgID(e.ID))
	if err != nil {
		return nil
	}
	return ack
}

var errNotSent = errors.New("NATS is away")

func awaitAck(ctx context.Context, ack jetstream.PubAckFuture) error {
	if ack == nil {
		return errNotSent
	}
	select {
	case <-ack.Ok():
		return nil
	case err := <-ack.Err():
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
