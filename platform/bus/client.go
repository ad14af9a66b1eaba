package bus

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/segmentio/encoding/json" // four times as fast as encoding/json with answers
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/internal/handling"
	"assay.dev/platform/telemetry"
)

// Client makes calls.
type Client struct {
	deps     Deps
	tracer   trace.Tracer
	duration *prometheus.HistogramVec
	noWorker *prometheus.CounterVec
	heard    sync.Map // template of subjects → when somebody last answered there
	patience time.Duration
	lostAt   atomic.Int64 // when a call first found the connection lost, Unix nanoseconds; 0 while it stands
	hung     atomic.Bool  // the server answered no ping to a call, and no call has succeeded since
}

// NewClient makes a client on d.Conn. It asks on subjects with the templates of those: that nobody serves one is counted
// from 0 on, so that the first time is an increase.
func NewClient(d Deps, asks ...contracts.Subject) *Client {
	m := telemetry.NewMetrics(d.Metrics)
	duration := m.Histograms("nats_request_duration_seconds", "Time from request to reply, a repetition included.",
		handling.DurationBuckets,
		"subject_template", "outcome")
	noWorker := m.Counters("nats_no_worker_total", "Requests that found nobody who serves them.", "subject_template")
	if err := m.Err(); err != nil {
		d.Logger().Error("requests are not measured", "error", err)
	}
	for _, s := range asks {
		noWorker.WithLabelValues(s.Template)
	}
	return &Client{deps: d, tracer: d.SpanTracer(), duration: duration, noWorker: noWorker,
		patience: cmp.Or(d.Patience, defaultPatience)}
}

// Call asks whoever serves s, and waits for the answer as long as ctx allows (30 s when it sets no deadline). The
// failure is always a [contracts.Error]: what the peer said (Peer is set), NO_WORKER when nobody listens,
// SOURCE_UNAVAILABLE at once when NATS is away, TIMEOUT or CANCELED when ctx ended.
//
// What a call asks for must be idempotent. It is asked again when a worker is busy (three times within 60 ms, unless it
// asks for a wait of more than two seconds), when the connection is lost (three times), when nothing is heard for half
// of the time (once), and when nobody listens: once within 30 ms, or for about a second where somebody answered a
// moment ago.
func Call[Resp any](ctx context.Context, c *Client, s contracts.Subject, req any) (Resp, error) {
	var resp Resp
	data, err := json.Marshal(req)
	if err != nil {
		return resp, contracts.Wrap(err, contracts.Internal, "the request cannot be sent")
	}
	documents, err := c.measured(ctx, s, data)
	if err != nil {
		return resp, err
	}
	for _, document := range documents {
		if err := json.Unmarshal(document, &resp); err != nil {
			return resp, contracts.Wrap(err, contracts.Internal, "a worker sent an answer that is not understood")
		}
	}
	return resp, nil
}

// measured gives the JSON of the answer. Where that was stored, a second document may follow: members of this reply
// alone.
func (c *Client) measured(ctx context.Context, s contracts.Subject, data []byte) (documents [][]byte, err error) {
	ctx, cancel := handling.WithDeadline(ctx)
	defer cancel()
	start := time.Now()
	ctx, span := handling.StartSpan(ctx, c.tracer, "request", trace.SpanKindClient, s)
	if deadline, _ := ctx.Deadline(); span.IsRecording() {
		span.SetAttributes(attribute.Int64("assay.deadline_left_ms", time.Until(deadline).Milliseconds()))
	}
	defer func() {
		c.duration.WithLabelValues(s.Template, handling.Outcome(err)).Observe(time.Since(start).Seconds())
		if contracts.CodeOf(err) == contracts.NoWorker {
			c.noWorker.WithLabelValues(s.Template).Inc()
		}
		handling.EndSpan(span, err)
	}()
	msg, err := c.exchange(ctx, s, data)
	if err != nil {
		return nil, contracts.AsError(err)
	}
	key := msg.Header.Get(contracts.HeaderReplyKey)
	if key == "" {
		return [][]byte{msg.Data}, nil
	}
	stored, err := c.deps.stored(ctx, contracts.CacheKey(key))
	if err != nil || len(msg.Data) == 0 {
		return [][]byte{stored}, err
	}
	return [][]byte{stored, msg.Data}, nil
}
