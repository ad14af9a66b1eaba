package keys

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/clock"
)

const (
	// probeEvery is how often the copy is compared with the bucket.
	probeEvery = time.Second
	// lagAllowed is for how long the watch may be behind the bucket before it is replaced.
	lagAllowed = 1500 * time.Millisecond
)

var errFeed = errors.New("the watch of the keys' bucket is closed or behind")

// Follow keeps the copy current until ctx ends. A watch that closes or falls behind is replaced.
func (d *Directory) Follow(ctx context.Context) error {
	for ctx.Err() == nil {
		_ = d.follow(ctx)                                                       // whatever it was, the cure is a new watch; Age tells how long it takes
		_ = clock.Sleep(ctx, 200*time.Millisecond+rand.N(200*time.Millisecond)) // the loop looks at ctx itself
	}
	return nil
}

func (d *Directory) follow(ctx context.Context) error {
	before, err := d.newest(ctx)
	if err != nil {
		return err
	}
	w, err := d.bucket.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = w.Stop() }()
	probe := time.NewTicker(probeEvery)
	defer probe.Stop()
	started := d.sinceBorn()
	behind := int64(never)
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, open := <-w.Updates():
			switch {
			case !open:
				return errFeed
			case e != nil:
				d.apply(e)
			default: // all that the bucket held when the watch began
				d.applied = max(d.applied, before)
				d.prove(started)
				d.loaded.Store(true)
			}
		case <-probe.C:
			if behind, err = d.probe(ctx, behind); err != nil {
				return err
			}
		}
	}
}

func (d *Directory) apply(e jetstream.KeyValueEntry) {
	d.applied = max(d.applied, e.Revision())
	k, err := newHeld(e)
	if err != nil {
		return // not a record of ours; decode refuses it on every path
	}
	d.put(k)
}

// probe proves the copy complete, or tells since when it is behind.
func (d *Directory) probe(ctx context.Context, behind int64) (int64, error) {
	sent := d.sinceBorn()
	newest, err := d.newest(ctx)
	switch {
	case err != nil:
		return behind, nil // no answer says nothing about the watch
	case d.applied >= newest:
		d.prove(sent)
		return never, nil
	case behind == never:
		return sent, nil
	case sent-behind > int64(lagAllowed):
		return behind, errFeed
	}
	return behind, nil
}

func (d *Directory) prove(at int64) { d.current.Store(max(at, d.current.Load())) }

// newest is the revision of the bucket's last change. It notes whether the bucket answers.
func (d *Directory) newest(ctx context.Context) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	status, err := d.bucket.Status(ctx)
	if err != nil {
		d.failed.Store(d.sinceBorn())
		return 0, err
	}
	d.failed.Store(never)
	kv, ok := status.(*jetstream.KeyValueBucketStatus)
	if !ok {
		return 0, errFeed
	}
	return kv.StreamInfo().State.LastSeq, nil
}
