package ratelimit

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/kv"
)

// electionPause is how long a bucket without a leader is given before it is asked again, once.
const electionPause = 20 * time.Millisecond

// jetStream is the [Source] that gateways share: the entries of [contracts.LimitsBucket].
type jetStream struct {
	js     jetstream.JetStream
	bucket jetstream.KeyValue
	stream jetstream.Stream
	pace   *pace
}

func openJetStream(ctx context.Context, js jetstream.JetStream) (*jetStream, error) {
	bucket, err := kv.Open(ctx, js, contracts.LimitsBucket)
	if err != nil {
		return nil, err
	}
	stream, err := js.Stream(ctx, contracts.LimitsBucket.Stream())
	if err != nil {
		return nil, err
	}
	return &jetStream{js: js, bucket: bucket, stream: stream, pace: newPace()}, nil
}

// Read takes an entry that is not a ledger for an empty one: the write that follows puts a ledger in its place.
func (s *jetStream) Read(ctx context.Context, key string) (Ledger, uint64, error) {
	entry, err := whileAnswering(ctx, s, func(ctx context.Context) (jetstream.KeyValueEntry, error) {
		return s.bucket.Get(ctx, key)
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	var ledger Ledger
	if json.Unmarshal(entry.Value(), &ledger) != nil {
		ledger = nil
	}
	return ledger, entry.Revision(), nil
}

func (s *jetStream) Swap(ctx context.Context, key string, ledger Ledger, revision uint64) (uint64, error) {
	value, err := json.Marshal(ledger)
	if err != nil {
		return 0, err
	}
	stored, err := whileAnswering(ctx, s, func(ctx context.Context) (uint64, error) {
		return kv.Swap(ctx, s.js, contracts.LimitsBucket, key, value, revision,
			jetstream.WithRetryAttempts(1), jetstream.WithRetryWait(electionPause))
	})
	if kv.Conflict(err) {
		return 0, ErrConflict
	}
	return stored, err
}

func whileAnswering[A any](ctx context.Context, s *jetStream, exchange func(context.Context) (A, error)) (A, error) {
	began := time.Now()
	answer, err := bus.WhileAnswering(ctx, s.js.Conn(), s.pace.patience(), exchange)
	if err == nil {
		s.pace.note(time.Since(began))
	}
	return answer, err
}

func (s *jetStream) Now(ctx context.Context) (time.Time, error) {
	info, err := s.stream.Info(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return info.TimeStamp, nil
}
