package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/internal/handling"
	"assay.dev/platform/kv"
)

const (
	// resultPause is how often a result is looked for. Jobs take seconds, and a look cannot go silent, as a watch does
	// when a server restarts.
	resultPause = 100 * time.Millisecond
	// fullRetry is about when a full queue has room again.
	fullRetry = 10 * time.Second
)

// Do has a job done and returns its result, waiting as long as ctx allows (30 s when it sets no deadline). The id
// makes the job: within an hour one id is done once, and every Do of it gets that one result, a failure too unless a
// worker that was given up succeeds after all. Ids are of letters, digits, '-' and '_'. A full queue is BUSY at once,
// with RetryAfter. A job that no worker took by the deadline is dropped.
func Do[Result any](ctx context.Context, q *Queue, kind contracts.JobKind, id string, job any) (Result, error) {
	var none Result
	data, err := json.Marshal(job)
	if err != nil {
		return none, contracts.Wrap(err, contracts.Internal, "the job cannot be sent")
	}
	ctx, cancel := handling.WithDeadline(ctx)
	defer cancel()
	ctx, span := handling.StartSpan(ctx, q.deps.SpanTracer(), "request", trace.SpanKindClient,
		contracts.JobSubject(q.env, kind))
	doc, err := q.do(ctx, kind, id, data)
	var r Result
	if err == nil {
		r, err = decodeResult[Result](doc)
	}
	handling.EndSpan(span, err)
	if err != nil {
		return none, contracts.AsError(err)
	}
	return r, nil
}

func (q *Queue) do(ctx context.Context, kind contracts.JobKind, id string, data []byte) ([]byte, error) {
	key := q.resultKey(kind, id)
	if doc, found, err := q.stored(ctx, key); err != nil || found {
		return doc, busError(ctx, err)
	}
	if err := q.enqueue(ctx, kind, key, data); err != nil {
		return nil, err
	}
	for {
		if err := clock.Sleep(ctx, resultPause); err != nil {
			return nil, err
		}
		if doc, found, _ := q.stored(ctx, key); found {
			return doc, nil
		}
	}
}

// enqueue gives the job the life that its caller has left, so that nobody pays for what nobody waits for.
func (q *Queue) enqueue(ctx context.Context, kind contracts.JobKind, key string, data []byte) error {
	deadline, _ := ctx.Deadline()
	life := max(time.Until(deadline), minMessageTTL)
	msg := &nats.Msg{Subject: contracts.JobSubject(q.env, kind).Name, Header: handling.NewHeader(ctx), Data: data}
	msg.Header.Set(headerJob, key)
	err := kv.Retry(ctx, func(ctx context.Context) error { // the id makes a repetition harmless
		_, err := q.js.PublishMsg(ctx, msg, jetstream.WithMsgID(key), jetstream.WithMsgTTL(life))
		return err
	})
	if kv.Full(err) {
		return contracts.Wrap(err, contracts.Busy, "too many requests wait for this source; retry").After(fullRetry)
	}
	return busError(ctx, err)
}

const (
	// headerJob carries the key of a job's result.
	headerJob = "assay-job"
	// minMessageTTL is the server's least.
	minMessageTTL = time.Second
)

// busError is SOURCE_UNAVAILABLE, unless ctx ended or the id was bad.
func busError(ctx context.Context, err error) error {
	switch {
	case err == nil || errors.Is(err, jetstream.ErrInvalidKey):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return handling.Unreachable(err)
}
