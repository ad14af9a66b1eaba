package kv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/telemetry"
)

// Follower keeps a copy in memory of the entries of a bucket whose keys match a pattern.
type Follower struct {
	JS      jetstream.JetStream
	KV      jetstream.KeyValue
	Bucket  contracts.Bucket
	Pattern string
	// Take takes entries in: all that there are, and later each that changes. An entry may come twice, and an older one
	// after a newer one of its key. Its error ends a load or a watch.
	Take func(...jetstream.KeyValueEntry) error
	// Complete is told whether the copy holds all that the bucket holds, and follows it; nil where nobody asks.
	Complete func(bool)
	// Failed is told why the bucket cannot be followed, at first and then once a minute. It is tried again.
	Failed func(error)
}

const (
	// followFor is after how long the copy is compared with the whole bucket again.
	followFor = 10 * time.Minute
	// followAgain is the pause before a new watch takes the place of one that failed.
	followAgain = time.Second
)

// Load takes in all that there is.
func (f Follower) Load(ctx context.Context) error {
	if err := CheckStream(ctx, f.JS, f.Bucket.Stream()); err != nil {
		return err
	}
	entries, err := Entries(ctx, f.JS, f.KV, f.Pattern)
	if err != nil {
		return err
	}
	return f.Take(entries...)
}

// Follow keeps the copy current until ctx ends.
func (f Follower) Follow(ctx context.Context) error {
	defer f.complete(false)
	var told telemetry.Seldom
	for ctx.Err() == nil {
		if err := f.followOnce(ctx); err != nil && ctx.Err() == nil {
			f.complete(false)
			if told.Due("") {
				f.Failed(err)
			}
			_ = clock.Sleep(ctx, followAgain+rand.N(followAgain)) // the loop ends with ctx
		}
	}
	return nil
}

func (f Follower) complete(is bool) {
	if f.Complete != nil {
		f.Complete(is)
	}
}

// endPause is how long EndWatch waits for one more entry. The end of the subscription closes the channel sooner, but
// not that of a connection that was lost.
const endPause = 50 * time.Millisecond

// EndWatch ends a watch that nobody listens to any more. It takes what came meanwhile, else the sender would wait for
// ever.
func EndWatch(w jetstream.KeyWatcher) {
	_ = w.Stop()
	for {
		select {
		case _, open := <-w.Updates():
			if !open {
				return
			}
		case <-time.After(endPause):
			return
		}
	}
}

// followOnce watches the bucket, reads all of it, and then takes in what changes, for followFor.
func (f Follower) followOnce(ctx context.Context) error {
	w, err := f.KV.Watch(ctx, f.Pattern, jetstream.UpdatesOnly())
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	defer EndWatch(w)
	if err := f.Load(ctx); err != nil {
		return err
	}
	f.complete(true)
	end := time.NewTimer(followFor)
	defer end.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-end.C:
			return nil
		case e, open := <-w.Updates():
			if !open {
				return errors.New("the watch ended")
			}
			if e == nil {
				continue
			}
			if err := f.Take(e); err != nil {
				return err
			}
		}
	}
}
