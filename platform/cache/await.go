package cache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

// errGone means that the record is not there: its owner died, or stopped. A waiter may become the owner.
var errGone = errors.New("the flight is gone")

// errVanished means that the flight has landed and its answer is not stored any more, such as after an operator
// deleted it.
var errVanished = errors.New("the answer is gone")

// A waiter reads the record after minPause, then after twice as long each time, up to maxPause. It does not watch the
// record, because a watch may stop without an error. The reads are few: a process waits once for each key, however
// many callers it has.
const (
	minPause = 5 * time.Millisecond
	maxPause = 200 * time.Millisecond
)

// awaitFlight waits for the flight of another process and returns its answer or its failure.
func (s *Store) awaitFlight(ctx context.Context, key contracts.CacheKey, replaces uint64) ([]byte, error) {
	s.metrics.joined(waiter)
	first, err := s.record(ctx, flightKey(key, replaces))
	if err != nil && !errors.Is(err, errGone) {
		s.log.WarnContext(ctx, "a flight cannot be looked at yet", "key", key, "error", err)
	}
	ctx, span := telemetry.StartSpan(ctx, scope, "flight.join", trace.WithLinks(linkTo(first)),
		trace.WithAttributes(attribute.String("assay.flight.role", string(waiter))))
	defer span.End()
	r, err := s.awaitEnd(ctx, flightKey(key, replaces))
	switch {
	case err != nil:
		return nil, err
	case r.Failed != "":
		return nil, r.failure()
	case r.Answer != nil:
		return r.Answer, nil
	}
	return s.awaitEntry(ctx, key, r.Revision)
}

// awaitEnd waits until the record says that the flight has landed or failed, or is not there.
func (s *Store) awaitEnd(ctx context.Context, flight string) (record, error) {
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		r, err := s.record(ctx, flight)
		if errors.Is(err, errGone) || err == nil && (r.Landed || r.Failed != "") {
			return r, err
		}
		if err := clock.Sleep(ctx, pause); err != nil {
			return record{}, err
		}
	}
}

// awaitEntry reads the answer of a flight that has landed. A replica may show the record before it shows the answer.
func (s *Store) awaitEntry(ctx context.Context, key contracts.CacheKey, revision uint64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.ioTime)
	defer cancel()
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		if e, err := s.readEntry(ctx, key); err == nil && e.Revision >= revision {
			return e.Value, nil
		}
		if clock.Sleep(ctx, pause) != nil {
			return nil, errVanished
		}
	}
}

// failedNow is the failure with which a flight ended a moment ago; nil when it is under way or has landed.
func (s *Store) failedNow(ctx context.Context, flight string) error {
	r, err := s.record(ctx, flight)
	if err != nil || r.Failed == "" {
		return nil
	}
	return r.failure()
}

// record reads a flight's record once. It gives up early, because a bucket without a leader sends no reply at all, and
// who waits asks again.
func (s *Store) record(ctx context.Context, flight string) (record, error) {
	var stored jetstream.KeyValueEntry
	err := kv.Try(ctx, func(ctx context.Context) (err error) {
		stored, err = exchange(ctx, s, func(ctx context.Context) (jetstream.KeyValueEntry, error) {
			return s.flights.Get(ctx, flight)
		})
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrKeyDeleted) {
		return record{}, errGone
	}
	if err != nil {
		return record{}, fmt.Errorf("reading the flight: %w", err)
	}
	r := record{at: stored.Created()}
	if err := json.Unmarshal(stored.Value(), &r); err != nil {
		return record{}, fmt.Errorf("reading the flight: %w", err)
	}
	return r, nil
}

func linkTo(r record) trace.Link {
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": r.Trace})
	return trace.LinkFromContext(ctx)
}
