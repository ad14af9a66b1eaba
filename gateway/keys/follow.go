package keys

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
)

const (
	// probeEvery is how often the copy is compared with the bucket.
	probeEvery = time.Second
	// lagAllowed is for how long the watch may be behind the bucket before it is replaced.
	lagAllowed = 1500 * time.Millisecond
	// loadTime is how long the first copy may take; 100,000 keys take less than 2 s.
	loadTime = 8 * time.Second
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
	before, err := d.state(ctx)
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
	late := time.NewTimer(loadTime)
	defer late.Stop()
	started := d.sinceBorn()
	behind := int64(never)
	load := loading{held: before.NumSubjects}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-late.C:
			d.damage.Store(load.short())
			return errFeed
		case e, open := <-w.Updates():
			switch {
			case !open:
				return errFeed
			case e != nil:
				load.received++
				if unreadable := d.apply(e); unreadable != nil {
					load.note(unreadable)
					d.damage.Store(unreadable)
				}
			default: // all that the bucket held when the watch began
				late.Stop()
				d.damage.Store(load.result())
				d.applied = max(d.applied, before.LastSeq)
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

// loading counts what a watch delivers against what the bucket says that it holds.
type loading struct {
	held, received uint64
	unreadable     *kv.Damaged
}

func (l *loading) note(unreadable *kv.Damaged) {
	if l.unreadable == nil {
		l.unreadable = unreadable
	}
}

func (l *loading) short() *kv.Damaged {
	return &kv.Damaged{
		Stream: contracts.KeysBucket.Stream(), What: fmt.Sprintf("it says that it holds %d entries and delivers %d", l.held, l.received),
	}
}

func (l *loading) result() *kv.Damaged {
	if l.received < l.held {
		return l.short()
	}
	return l.unreadable
}

// apply copies an entry, and says so when it is none of ours.
func (d *Directory) apply(e jetstream.KeyValueEntry) *kv.Damaged {
	d.applied = max(d.applied, e.Revision())
	k, err := newHeld(e)
	if err != nil {
		return unreadable(e, err)
	}
	d.put(k)
	return nil
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

// newest is the revision of the bucket's last change.
func (d *Directory) newest(ctx context.Context) (uint64, error) {
	state, err := d.state(ctx)
	return state.LastSeq, err
}

// state is what the bucket's stream tells of itself. It notes whether the bucket answers.
func (d *Directory) state(ctx context.Context) (state jetstream.StreamState, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	status, err := d.bucket.Status(ctx)
	if err != nil {
		d.failed.Store(d.sinceBorn())
		return state, err
	}
	d.failed.Store(never)
	kv, ok := status.(*jetstream.KeyValueBucketStatus)
	if !ok {
		return state, errFeed
	}
	return kv.StreamInfo().State, nil
}
