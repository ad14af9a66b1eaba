package bus

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// markerTTL is how long the end of an entry with its own TTL stays visible to watchers.
const markerTTL = time.Second

// Provision makes what is missing of the streams, buckets, consumers and the object store of package contracts, and brings
// what exists in line with it. It may run any number of times. The server must allow as many bytes as all limits add up
// to, about 14 GB, though little of it is used at first.
func Provision(ctx context.Context, js jetstream.JetStream, replicas int) error {
	for _, s := range contracts.Streams {
		if err := provisionStream(ctx, js, streamConfig(s, replicas)); err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
	}
	for _, env := range contracts.Environments {
		for _, kind := range contracts.JobKinds {
			if _, err := js.CreateOrUpdateConsumer(ctx, contracts.JobsStream.Name, jobConsumer(env, kind)); err != nil {
				return fmt.Errorf("consumer of %s jobs in %s: %w", kind, env, err)
			}
		}
	}
	files := jetstream.ObjectStoreConfig{Bucket: contracts.MirrorsStore, MaxBytes: mirrorsMaxBytes, Replicas: replicas}
	if _, err := js.CreateOrUpdateObjectStore(ctx, files); err != nil {
		return fmt.Errorf("object store %s: %w", files.Bucket, err)
	}
	// Last, because services wait for their buckets and take the rest for granted then.
	for _, b := range contracts.Buckets {
		if err := provisionBucket(ctx, js, b, replicas); err != nil {
			return fmt.Errorf("bucket %s: %w", b.Name, err)
		}
	}
	return nil
}

// mirrorsMaxBytes leaves room for several editions of the largest bulk file.
const mirrorsMaxBytes = 2 << 30

// OpenBucket binds to b, and makes it when it is missing and the permissions allow that.
func OpenBucket(ctx context.Context, js jetstream.JetStream, b contracts.Bucket) (jetstream.KeyValue, error) {
	bucket, err := js.KeyValue(ctx, b.Name)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return bucket, err
	}
	if err := provisionBucket(ctx, js, b, 1); err != nil {
		return nil, fmt.Errorf("bucket %s is missing; run `assay provision` first: %w", b.Name, err)
	}
	return js.KeyValue(ctx, b.Name)
}

func provisionStream(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig) error {
	if existing, err := js.Stream(ctx, cfg.Name); err == nil {
		cfg.PersistMode = existing.CachedInfo().Config.PersistMode // it cannot be changed, see ProvisionSynced
	}
	_, err := js.CreateOrUpdateStream(ctx, cfg)
	return err
}

// provisionBucket goes through the bucket's stream, which alone can say that reads go to the leader. All buckets are files:
// a server that stands alone forgets its memory streams when it restarts, and services may not make them anew.
func provisionBucket(ctx context.Context, js jetstream.JetStream, b contracts.Bucket, replicas int) error {
	stream, err := js.Stream(ctx, b.Stream())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if _, err = js.CreateKeyValue(ctx, bucketConfig(b, replicas)); err != nil {
			return err
		}
		stream, err = js.Stream(ctx, b.Stream())
	}
	if err != nil {
		return err
	}
	have := stream.CachedInfo().Config
	want := have
	want.MaxAge, want.MaxBytes, want.MaxMsgsPerSubject = b.TTL, b.MaxBytes, int64(b.History)
	want.Replicas, want.AllowDirect = replicas, !b.Exact
	if reflect.DeepEqual(have, want) {
		return nil
	}
	_, err = js.UpdateStream(ctx, want)
	return err
}

func bucketConfig(b contracts.Bucket, replicas int) jetstream.KeyValueConfig {
	cfg := jetstream.KeyValueConfig{
		Bucket: b.Name, TTL: b.TTL, MaxBytes: b.MaxBytes, History: b.History, Replicas: replicas,
	}
	if b.PerKeyTTL {
		cfg.LimitMarkerTTL = markerTTL
	}
	return cfg
}

func streamConfig(s contracts.Stream, replicas int) jetstream.StreamConfig {
	cfg := jetstream.StreamConfig{
		Name: s.Name, Subjects: s.Subjects, MaxAge: s.MaxAge, MaxMsgs: s.MaxMsgs, MaxBytes: s.MaxBytes,
		Duplicates: s.DedupWindow, Replicas: replicas,
	}
	if s.MaxMsgs == 0 {
		cfg.MaxMsgs = -1
	}
	if s.WorkQueue {
		cfg.Retention, cfg.Discard, cfg.AllowMsgTTL = jetstream.WorkQueuePolicy, jetstream.DiscardNew, true
	}
	return cfg
}
