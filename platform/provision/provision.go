// Package provision makes the streams and buckets that services work with. Nothing else makes one.
//
// What was made once is not made anew when it is gone: an empty stream would pass for one in which nothing ever was,
// such as a bucket of keys in which no key is known. So each run compares what stands with a record of births, which
// lies apart from the data: see [Births].
package provision

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"assay.dev/contracts"
	"assay.dev/platform/jobs"
	"assay.dev/platform/kv"
)

// Options say how [All] makes streams and buckets, and which of them it may make.
type Options struct {
	Retention
	// Replicas is how many servers keep each stream; 0 for as many as do, and one of a stream that is made.
	Replicas int
	// Births is where births are recorded; nil is a bucket of the same JetStream ([contracts.BirthsBucket]).
	Births Births
	// First permits to begin on a JetStream that holds nothing and of which nothing is recorded.
	First bool
	// AcceptLoss names streams that may be made anew though they were made before, such as KV_assay_keys.
	AcceptLoss []string
	// Synced says that the only server syncs each write to the disk before it acknowledges it, as
	// [github.com/nats-io/nats-server/v2/server.Options] SyncAlways does. A disposable stream is then made so that its
	// writes are acknowledged before: a sync costs 0.2 to 20 ms, and each answer that is read writes two or three of
	// them. A momentary bucket is then kept in memory: such a server ends with all that use it. A stream that exists
	// stays as it was made.
	Synced bool
}

// All makes what is missing of the streams, buckets, consumers and the object store of package contracts, and brings
// what exists in line with it and with o. It may run any number of times. The server must allow as many bytes as all
// limits add up to, [Retention.Bounds], though little of it is used at first.
//
// When it must not make what is missing, it changes nothing and returns a *[Missing], or [ErrFirst].
func All(ctx context.Context, js jetstream.JetStream, o Options) error {
	ctx, cancel := kv.StartDeadline(ctx)
	defer cancel()
	if o.Births == nil {
		o.Births = &bucketBirths{js: js, replicas: o.Replicas}
	}
	made, err := o.permit(ctx, js)
	if err != nil {
		return err
	}
	if err := o.streams(ctx, js, made.first); err != nil {
		return err
	}
	// Buckets come last: a service that finds its buckets expects everything else to be there.
	err = together(contracts.Buckets, func(b contracts.Bucket) error {
		how := jetstream.StreamConfig{Replicas: o.Replicas, PersistMode: o.persistence(b.Stream()),
			FirstSeq: made.first[b.Stream()]}
		if o.Synced && b.Momentary {
			how.Storage, how.PersistMode = jetstream.MemoryStorage, jetstream.DefaultPersistMode
		}
		if err := kv.Provision(ctx, js, b, how); err != nil {
			return fmt.Errorf("bucket %s: %w", b.Name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range made.lost {
		if err := kv.Forget(ctx, js, name, kv.Witness{}); err != nil {
			return err
		}
	}
	return o.Births.Write(ctx, made.born) // also when nothing is new: its bucket has copies too
}

// streams makes all but the buckets.
func (o Options) streams(ctx context.Context, js jetstream.JetStream, first map[string]uint64) error {
	err := together(contracts.Streams, func(s contracts.Stream) error {
		if err := o.provisionStream(ctx, js, s, first[s.Name]); err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := jobs.Provision(ctx, js); err != nil {
		return err
	}
	have, err := present(ctx, js, contracts.MirrorsStream)
	if err != nil {
		return err
	}
	files := jetstream.ObjectStoreConfig{Bucket: contracts.MirrorsStore, MaxBytes: mirrorsMaxBytes,
		Replicas: cmp.Or(o.Replicas, have.Replicas)}
	if _, err := js.CreateOrUpdateObjectStore(ctx, files); err != nil {
		return fmt.Errorf("object store %s: %w", files.Bucket, err)
	}
	return nil
}

// together calls f for each of all, for a few at the same time: most of the time a server waits for its disk.
func together[T any](all []T, f func(T) error) error {
	var group errgroup.Group
	group.SetLimit(8)
	for _, one := range all {
		group.Go(func() error { return f(one) })
	}
	return group.Wait()
}

// persistence says how a new stream is written to the disk.
func (o Options) persistence(stream string) jetstream.PersistModeType {
	if o.Synced && contracts.Disposable(stream) {
		return jetstream.AsyncPersistMode
	}
	return jetstream.DefaultPersistMode
}

func (o Options) provisionStream(ctx context.Context, js jetstream.JetStream, s contracts.Stream, first uint64) error {
	have, err := present(ctx, js, s.Name)
	if err != nil {
		return err
	}
	cfg := streamConfig(o.limit(s, have), cmp.Or(o.Replicas, have.Replicas))
	cfg.PersistMode, cfg.FirstSeq = o.persistence(s.Name), first
	if s.Epoch {
		cfg.Metadata = map[string]string{contracts.EpochKey: rand.Text()}
	}
	if have.Name != "" {
		cfg.PersistMode, cfg.FirstSeq = have.PersistMode, have.FirstSeq // they cannot be changed
		for _, key := range []string{contracts.EpochKey, contracts.RestoredKey} {
			if value := have.Metadata[key]; value != "" && cfg.Metadata != nil {
				cfg.Metadata[key] = value
			}
		}
	}
	_, err = js.CreateOrUpdateStream(ctx, cfg)
	return err
}

// present is how the stream of that name stands; empty where there is none.
func present(ctx context.Context, js jetstream.JetStream, name string) (jetstream.StreamConfig, error) {
	stream, err := js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return jetstream.StreamConfig{}, nil
	}
	if err != nil {
		return jetstream.StreamConfig{}, err
	}
	return stream.CachedInfo().Config, nil
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
	if s.PerSubject > 0 {
		cfg.MaxMsgsPerSubject, cfg.AllowRollup = s.PerSubject, true
	}
	if s.WorkQueue {
		cfg.Retention, cfg.Discard, cfg.AllowMsgTTL = jetstream.WorkQueuePolicy, jetstream.DiscardNew, true
	}
	return cfg
}
