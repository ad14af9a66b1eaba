package kv

import (
	"cmp"
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

// startTime is how long a start waits for its stores where its context sets no deadline: NATS would give up after five
// seconds, which a machine that is busy may need.
const startTime = time.Minute

// StartDeadline is ctx with a deadline of [startTime] from now, where it has none.
func StartDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, startTime)
}

// openTime bounds one try to open a bucket: its reply may have died with a server, or with a leader.
const openTime = 10 * time.Second

// Open binds to b. It never makes b: an empty bucket would pass for one in which nothing ever was. It waits as long as
// ctx allows, a minute where that says nothing.
func Open(ctx context.Context, js jetstream.JetStream, b contracts.Bucket) (bucket jetstream.KeyValue, err error) {
	err = RetryAtStart(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, openTime)
		defer cancel()
		bucket, err = js.KeyValue(ctx, b.Name)
		return err
	})
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, fmt.Errorf("bucket %s is missing: `assay provision` makes it, or says what is lost: %w", b.Name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", b.Name, err)
	}
	return bucket, nil
}

// Provision makes b, or brings it in line with its description. It goes through the bucket's stream, which alone can
// say that reads go to the leader and how it is persisted. Of how, Replicas counts, where it is not 0, and Storage,
// PersistMode and FirstSeq for one that is made: a server that stands alone forgets its memory streams when it restarts.
func Provision(ctx context.Context, js jetstream.JetStream, b contracts.Bucket, how jetstream.StreamConfig) error {
	stream, err := js.Stream(ctx, b.Stream())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		cfg := streamConfig(b)
		cfg.Replicas, cfg.Storage, cfg.PersistMode, cfg.FirstSeq = how.Replicas, how.Storage, how.PersistMode, how.FirstSeq
		_, err = js.CreateStream(ctx, cfg)
		return err
	}
	if err != nil {
		return err
	}
	have := stream.CachedInfo().Config
	want := have
	want.MaxAge, want.MaxBytes, want.MaxMsgsPerSubject = b.TTL, b.MaxBytes, int64(b.History)
	want.Replicas = cmp.Or(how.Replicas, have.Replicas)
	want.AllowDirect, want.AllowAtomicPublish, want.AllowRollup = !b.Exact, b.Together, allowsRollup(b)
	if reflect.DeepEqual(have, want) {
		return nil
	}
	_, err = js.UpdateStream(ctx, want)
	return err
}

// allowsRollup: NATS wants it where entries have their own TTL.
func allowsRollup(b contracts.Bucket) bool { return b.Purged || b.PerKeyTTL }

// streamConfig is the stream that [jetstream.JetStream.CreateKeyValue] makes of a bucket, but for rollups.
func streamConfig(b contracts.Bucket) jetstream.StreamConfig {
	cfg := jetstream.StreamConfig{
		Name: b.Stream(), Subjects: []string{b.Subject(">")}, MaxMsgsPerSubject: int64(b.History), MaxBytes: b.MaxBytes,
		MaxAge:     b.TTL,
		MaxMsgSize: -1, MaxMsgs: -1, MaxConsumers: -1, Replicas: 1, Discard: jetstream.DiscardNew,
		AllowRollup: allowsRollup(b), DenyDelete: true, AllowDirect: !b.Exact, AllowAtomicPublish: b.Together,
		Duplicates: 2 * time.Minute,
	}
	if b.PerKeyTTL {
		cfg.AllowMsgTTL, cfg.SubjectDeleteMarkerTTL = true, markerTTL
	}
	return cfg
}
