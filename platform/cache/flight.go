package cache

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/flight"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

const (
	// landedTTL is how long a record stays after its flight has landed. Replicas agree on the answer much sooner.
	landedTTL = time.Minute
	// electionPause is the wait before a bucket without a leader is asked again. It is asked twice more.
	electionPause = 100 * time.Millisecond
	// failedTTL is how long a failure is the answer for all who ask, before the source is read again. One that lasts
	// longer, by its RetryAfter, is the answer for [contracts.FallbackTTL]: a read may cost money.
	failedTTL = 2 * time.Second
)

// record is the value in the bucket of flights.
type record struct {
	Owner string `json:"owner"`
	// Trace is the owner's traceparent, for the waiters' links.
	Trace string `json:"trace,omitempty"`
	// Landed says that there is an answer: stored as Revision, or in Answer when it could not be stored.
	Landed   bool            `json:"landed,omitempty"`
	Revision uint64          `json:"revision,omitempty"`
	Answer   json.RawMessage `json:"answer,omitempty"`
	// Failed is the number of a code of package contracts, and Failure the body that goes with it.
	Failed  string          `json:"failed,omitempty"`
	Failure json.RawMessage `json:"failure,omitempty"`
	at      time.Time       // when it was written
}

// failure is why the flight failed. Its RetryAfter counts from now on.
func (r record) failure() error {
	err := contracts.DecodeError(r.Failed, r.Failure)
	err.Repeated = isKept(err)
	if left := err.RetryAfter - time.Since(r.at); left < err.RetryAfter {
		err.RetryAfter = max(left, min(err.RetryAfter, time.Second))
	}
	return err
}

// ownFlight is a record that this process owns.
type ownFlight struct {
	store    *Store
	key      string
	record   record
	revision uint64 // of the record
}

func flightKey(key contracts.CacheKey, replaces uint64) string {
	return string(key) + "." + strconv.FormatUint(replaces, 10)
}

// claim makes this process the owner of a record; errTaken when another is.
func (s *Store) claim(ctx context.Context, key string) (*ownFlight, error) {
	ctx, span := telemetry.StartSpan(ctx, scope, "flight.join",
		trace.WithAttributes(attribute.String("assay.flight.role", string(owner))))
	defer span.End()
	f := &ownFlight{store: s, key: key, record: record{Owner: nuid.Next(), Trace: traceparent(ctx)}}
	value, err := json.Marshal(f.record)
	if err != nil {
		return nil, err
	}
	f.revision, err = s.create(ctx, f.key, value)
	if kv.Conflict(err) {
		span.SetAttributes(attribute.String("assay.flight.role", string(waiter)))
		return nil, errTaken
	}
	return f, err
}

// create writes a record if there is none. It publishes once itself, because the bucket's own Create asks a bucket
// without a leader again and again.
func (s *Store) create(ctx context.Context, key string, value []byte) (uint64, error) {
	return exchange(ctx, s, func(ctx context.Context) (uint64, error) {
		revision, err := kv.Swap(ctx, s.js, contracts.FlightsBucket, key, value, 0,
			jetstream.WithMsgTTL(s.lease), jetstream.WithRetryAttempts(2), jetstream.WithRetryWait(electionPause))
		if kv.Conflict(err) {
			// The conflict may be with the marker of a deleted record: Create tells the two apart.
			revision, err = s.flights.Create(ctx, key, value, jetstream.KeyTTL(s.lease))
		}
		return revision, err
	})
}

// keepAlive renews the lease until stop is called or ctx ends.
func (f *ownFlight) keepAlive(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(f.store.lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := f.write(ctx, f.store.lease); err != nil && ctx.Err() == nil {
					f.store.log.WarnContext(ctx, "a flight's lease is not renewed", "flight", f.key, "error", err)
				}
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

// land tells the waiters that the answer is there.
func (f *ownFlight) land(ctx context.Context, revision uint64, answer []byte) {
	f.record.Landed, f.record.Revision, f.record.Answer = true, revision, answer
	f.writeEnd(ctx, landedTTL)
}

// fail writes the code of the failure into the record, for the waiters. When the fetch ended because this process
// stops, it deletes the record instead, and a waiter becomes the owner at once.
func (f *ownFlight) fail(ctx context.Context, err error) {
	if errors.Is(context.Cause(ctx), flight.ErrClosed) {
		f.remove(ctx)
		return
	}
	f.record.Failed, _, f.record.Failure = contracts.EncodeError(err)
	ttl := f.store.failed
	if isKept(contracts.AsError(err)) {
		ttl = contracts.FallbackTTL
	}
	f.writeEnd(ctx, ttl)
}

func isKept(err *contracts.Error) bool { return err.RetryAfter >= contracts.FallbackTTL }

// remove frees the record at once. When it fails, the record ends with its lease.
func (f *ownFlight) remove(ctx context.Context) {
	last := jetstream.LastRevision(f.revision)
	_, err := exchange(context.WithoutCancel(ctx), f.store, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, f.store.flights.Purge(ctx, f.key, last)
	})
	if err != nil {
		f.store.log.WarnContext(ctx, "a flight's record is not removed, and ends with its lease", "flight", f.key,
			"error", err)
	}
}

// writeEnd writes the record for the last time. When that fails, the waiters go on when the lease is over.
func (f *ownFlight) writeEnd(ctx context.Context, ttl time.Duration) {
	if err := f.write(context.WithoutCancel(ctx), ttl); err != nil {
		f.store.log.WarnContext(ctx, "the end of a flight is not recorded", "flight", f.key, "error", err)
	}
}

// write replaces the record if this process still owns it, and insists on that for Deps.IOTime.
func (f *ownFlight) write(ctx context.Context, ttl time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, f.store.ioTime)
	defer cancel()
	value, err := json.Marshal(f.record)
	if err != nil {
		return err
	}
	known := true
	return kv.RetryConflicts(ctx, func() error {
		return kv.Retry(ctx, func(ctx context.Context) error {
			err := f.replace(ctx, value, ttl, known)
			known = false
			return err
		})
	})
}

// replace publishes to the bucket's stream, because the bucket's own Put and Update set no TTL. It reads the record's
// revision first when known is false: an attempt that failed may have been carried out.
func (f *ownFlight) replace(ctx context.Context, value []byte, ttl time.Duration, known bool) error {
	seen := *f // the exchange may outlast this call, so it goes by a copy
	revision, err := bus.WhileConnected(ctx, f.store.js.Conn(), func(ctx context.Context) (uint64, error) {
		if !known {
			if err := seen.rebase(ctx); err != nil {
				return 0, err
			}
		}
		return kv.Swap(ctx, seen.store.js, contracts.FlightsBucket, seen.key, value, seen.revision,
			jetstream.WithMsgTTL(ttl))
	})
	if err == nil {
		f.revision = revision
	}
	return err
}

// rebase reads the record's revision from the bucket. When NATS stored a write and its acknowledgement was lost, the
// next write conflicts with that one, and is made again on its revision. It returns errTaken when another process owns
// the record.
func (f *ownFlight) rebase(ctx context.Context) error {
	stored, err := f.store.flights.Get(ctx, f.key)
	if err != nil {
		return err
	}
	var r record
	if err := json.Unmarshal(stored.Value(), &r); err != nil || r.Owner != f.record.Owner {
		return errTaken
	}
	f.revision = stored.Revision()
	return nil
}

func traceparent(ctx context.Context) string {
	c := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, c)
	return c.Get("traceparent")
}
