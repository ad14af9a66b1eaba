package provision

import (
	"context"
	"errors"
	"fmt"

	"assay.dev/platform/kv"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// Synced is [All] for a single server that syncs each write to the disk before it acknowledges it, as
// [github.com/nats-io/nats-server/v2/server.Options] SyncAlways does. A disposable stream is made so that its writes are
// acknowledged before: a sync costs 0.2 to 20 ms, and each answer that is read writes two or three of them. A stream that
// exists stays as it was made.
func Synced(ctx context.Context, js jetstream.JetStream, r Retention) error {
	for _, b := range contracts.Buckets {
		if !b.Disposable {
			continue
		}
		if err := makeUnsynced(ctx, js, kv.StreamConfig(b)); err != nil {
			return fmt.Errorf("bucket %s: %w", b.Name, err)
		}
	}
	if err := makeUnsynced(ctx, js, streamConfig(contracts.JobsStream, 1)); err != nil {
		return fmt.Errorf("stream %s: %w", contracts.JobsStream.Name, err)
	}
	return All(ctx, js, 1, r)
}

func makeUnsynced(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig) error {
	_, err := js.Stream(ctx, cfg.Name)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	cfg.PersistMode = jetstream.AsyncPersistMode
	_, err = js.CreateStream(ctx, cfg)
	return err
}
