package keys

import (
	"context"
	"errors"
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
	// maxIdle is how many probes in a row may find that a load received nothing.
	maxIdle = 7
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
	reconnects := d.js.Conn().Stats().Reconnects
	before, err := d.state(ctx)
	if err != nil {
		return err
	}
	w, err := d.bucket.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer kv.EndWatch(w)
	probe := time.NewTicker(probeEvery)
	defer probe.Stop()
	f := &feed{load: d.beginLoad(before), reconnects: reconnects, started: d.sinceBorn(), behind: neverChecked}
	defer f.load.end()
	return d.keep(ctx, f, w.Updates(), probe.C)
}

// feed is a watch that keeps the copy current, after a load.
type feed struct {
	load       *loading
	reconnects uint64 // of the connection, before the load began
	started    int64  // when the load began
	behind     int64  // since when the copy has been, neverChecked when it is not

	received uint64 // by the load, at the last probe
	idle     int    // probes since it received more
}

// keep applies what the watch brings until ctx or the watch ends.
func (d *Directory) keep(ctx context.Context, f *feed, updates <-chan jetstream.KeyValueEntry,
	probe <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, open := <-updates:
			switch {
			case !open:
				return errFeed
			case e != nil:
				f.load.addEntry(e)
			default: // the watch has delivered all that the bucket held when it began
				f.load.end()
				d.damage.Store(f.load.result())
				d.replace(f.load.records)
				d.prove(f.started)
				d.loaded.Store(true)
			}
		case <-probe:
			if err := d.check(ctx, f); err != nil {
				return err
			}
		}
	}
}

// check compares the copy with the bucket. It returns errFeed when another watch must replace the feed.
func (d *Directory) check(ctx context.Context, f *feed) error {
	sent := d.sinceBorn()
	newest, err := d.newest(ctx)
	switch {
	case d.refused.Load():
		return errFeed
	case !f.load.complete && f.stalled():
		d.damage.Store(f.load.short())
		return errFeed
	case d.js.Conn().Stats().Reconnects != f.reconnects: // the bucket may have come back as it was before
		return errFeed
	case err != nil: // the watch may be right all the same
	case !f.load.complete: // it takes its time
	case newest == f.load.newest:
		d.prove(sent)
		f.behind = neverChecked
	case f.behind == neverChecked:
		f.behind = sent
	case sent-f.behind > int64(lagAllowed):
		return errFeed
	}
	return nil
}

// stalled tells at a probe whether the load has received nothing for too long.
func (f *feed) stalled() bool {
	f.idle++
	if received := f.load.received; received > f.received {
		f.received, f.idle = received, 0
	}
	return f.idle > maxIdle
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
		d.failed.Store(neverChecked)
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
