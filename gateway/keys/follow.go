package keys

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
)

const (
	// probeEvery is how often the copy is compared with the bucket.
	probeEvery = time.Second
	// lagAllowed is how long the watch may stay behind the bucket before another watch replaces it.
	lagAllowed = 1500 * time.Millisecond
	// loadTime is how long the first copy may take; 100,000 keys take less than 2 s.
	loadTime = 8 * time.Second
)

var errFeed = errors.New("the watch of the keys' bucket is closed or behind")

// Follow keeps the copy current until ctx ends. It replaces a watch that closes or falls behind.
func (d *Directory) Follow(ctx context.Context) error {
	for ctx.Err() == nil {
		// whatever failed, a new watch follows; Age shows how long that takes
		_ = d.follow(ctx)
		_ = clock.Sleep(ctx, 200*time.Millisecond+rand.N(200*time.Millisecond)) // the loop ends with ctx
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
	if before.FirstSeq > d.applied {
		d.renew()
	}
	started := d.sinceBorn()
	behind := int64(longAgo)
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
			default: // the watch has delivered all that the bucket held when it began
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

// loading compares how many entries a watch delivers with how many the bucket says that it holds.
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
		Stream: contracts.KeysBucket.Stream(), What: fmt.Sprintf("it says that it holds %d entries and delivers %d", l.held,
			l.received),
	}
}

func (l *loading) result() *kv.Damaged {
	if l.received < l.held {
		return l.short()
	}
	return l.unreadable
}

// apply copies an entry. It returns the damage when the entry cannot be read.
func (d *Directory) apply(e jetstream.KeyValueEntry) *kv.Damaged {
	d.applied = max(d.applied, e.Revision())
	k, err := newHeld(e)
	if err != nil {
		return unreadable(e, err)
	}
	d.put(k)
	return nil
}

// probe compares the copy with the bucket. It returns since when the copy has been behind, longAgo when it is
// complete, and errFeed when it has been behind for too long. behind is what the last probe returned.
func (d *Directory) probe(ctx context.Context, behind int64) (int64, error) {
	sent := d.sinceBorn()
	newest, err := d.newest(ctx)
	switch {
	case d.refused.Load():
		return behind, errFeed
	case err != nil:
		return behind, nil // the watch may be right all the same
	case d.applied >= newest:
		d.prove(sent)
		return longAgo, nil
	case behind == longAgo:
		return sent, nil
	case sent-behind > int64(lagAllowed):
		return behind, errFeed
	}
	return behind, nil
}

func (d *Directory) prove(at int64) { d.current.Store(max(at, d.current.Load())) }

// newest returns the revision of the bucket's last change.
func (d *Directory) newest(ctx context.Context) (uint64, error) {
	state, err := d.state(ctx)
	return state.LastSeq, err
}

// state returns the state of the bucket's stream, and notes whether the bucket answers. A bucket that must not be used
// does not answer.
func (d *Directory) state(ctx context.Context) (state jetstream.StreamState, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	state, err = bus.WhileConnected(ctx, d.js.Conn(), d.trusted)
	var damage *kv.Damaged
	d.refused.Store(errors.As(err, &damage))
	if err == nil {
		d.failed.Store(longAgo)
		return state, nil
	}
	d.failed.Store(d.sinceBorn())
	if damage != nil {
		d.damage.Store(damage)
	}
	return state, err
}

func (d *Directory) trusted(ctx context.Context) (jetstream.StreamState, error) {
	witness, info, err := kv.Trust(ctx, d.js, contracts.KeysBucket.Stream())
	if err != nil {
		return jetstream.StreamState{}, err
	}
	return info.State, witness.Unconfirmed(info.Config.Name)
}
