package kv

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

// Open binds to b, and makes it when it is missing and the permissions allow that.
func Open(ctx context.Context, js jetstream.JetStream, b contracts.Bucket) (jetstream.KeyValue, error) {
	bucket, err := js.KeyValue(ctx, b.Name)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return bucket, err
	}
	if err := Provision(ctx, js, b, 1); err != nil {
		return nil, fmt.Errorf("bucket %s is missing; run `assay provision` first: %w", b.Name, err)
	}
	return js.KeyValue(ctx, b.Name)
}

// Provision makes b, or brings it in line with its description. It goes through the bucket's stream, which alone can
// say that reads go to the leader. All buckets are files: a server that stands alone forgets its memory streams when
// it restarts, and services may not make them anew.
func Provision(ctx context.Context, js jetstream.JetStream, b contracts.Bucket, replicas int) error {
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

// StreamConfig is the stream that [jetstream.JetStream.CreateKeyValue] makes of a bucket, which has no way to say how
// it is persisted.
func StreamConfig(b contracts.Bucket) jetstream.StreamConfig {
	cfg := jetstream.StreamConfig{
		Name: b.Stream(), Subjects: []string{b.Subject(">")}, MaxMsgsPerSubject: int64(b.History), MaxBytes: b.MaxBytes,
		MaxAge:     b.TTL,
		MaxMsgSize: -1, MaxMsgs: -1, MaxConsumers: -1, Replicas: 1, Discard: jetstream.DiscardNew,
		AllowRollup: true, DenyDelete: true, AllowDirect: !b.Exact, Duplicates: 2 * time.Minute,
	}
	if b.PerKeyTTL {
		cfg.AllowMsgTTL, cfg.SubjectDeleteMarkerTTL = true, markerTTL
	}
	return cfg
}
