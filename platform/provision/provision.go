// Package provision makes the streams and buckets that services work with.
package provision

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/jobs"
	"assay.dev/platform/kv"
)

// All makes what is missing of the streams, buckets, consumers and the object store of package contracts, and brings
// what exists in line with it and with r. It may run any number of times. The server must allow as many bytes as all limits
// add up to, about 29 GB with the defaults, though little of it is used at first.
func All(ctx context.Context, js jetstream.JetStream, replicas int, r Retention) error {
	for _, s := range contracts.Streams {
		s = r.limit(s)
		if err := provisionStream(ctx, js, streamConfig(s, replicas)); err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
	}
	if err := jobs.Provision(ctx, js); err != nil {
		return err
	}
	files := jetstream.ObjectStoreConfig{Bucket: contracts.MirrorsStore, MaxBytes: mirrorsMaxBytes, Replicas: replicas}
	if _, err := js.CreateOrUpdateObjectStore(ctx, files); err != nil {
		return fmt.Errorf("object store %s: %w", files.Bucket, err)
	}
	// Last, because services wait for their buckets and take the rest for granted then.
	for _, b := range contracts.Buckets {
		if err := kv.Provision(ctx, js, b, replicas); err != nil {
			return fmt.Errorf("bucket %s: %w", b.Name, err)
		}
	}
	return nil
}

func provisionStream(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig) error {
	if existing, err := js.Stream(ctx, cfg.Name); err == nil {
		cfg.PersistMode = existing.CachedInfo().Config.PersistMode // it cannot be changed, see Synced
	}
	_, err := js.CreateOrUpdateStream(ctx, cfg)
	return err
}

// mirrorsMaxBytes leaves room for several editions of the largest bulk file.
const mirrorsMaxBytes = 2 << 30

func streamConfig(s contracts.Stream, replicas int) jetstream.StreamConfig {
	cfg := jetstream.StreamConfig{
		Name: s.Name, Subjects: s.Subjects, MaxAge: s.MaxAge, MaxMsgs: s.MaxMsgs, MaxBytes: s.MaxBytes,
		Duplicates: s.DedupWindow, Replicas: replicas,
	}
	if s.MaxMsgs == 0 {
		cfg.MaxMsgs = -1
	}
	if s.Documents {
		cfg.Discard, cfg.AllowDirect, cfg.AllowAtomicPublish = jetstream.DiscardOld, true, true
	}
	if s.WorkQueue {
		cfg.Retention, cfg.Discard, cfg.AllowMsgTTL = jetstream.WorkQueuePolicy, jetstream.DiscardNew, true
	}
	return cfg
}
