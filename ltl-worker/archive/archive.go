// Package archive keeps every week that a carrier was ever seen to show, with all values that it had and when each of
// them was first and last seen, in [contracts.WeeksBucket]. Some carriers show only the current week: their earlier
// weeks are known from here alone. Nothing is ever dropped from it.
//
// # Entries
//
// Each value of a week is an entry by itself, so that a week may have any number of them: live.v2.ODFL.2026-09-09.3 is
// the third value of that week. That a carrier withdrew a week is a value too.
package archive

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/changes"
	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
)

// Observation is what one read of a carrier showed.
type Observation struct {
	Carrier contracts.Carrier
	Weeks   []contracts.ObservedWeek
	Source
	At time.Time // when the carrier was read
	// JudgedAt is when it was decided how clean the weeks are. The zero time is At.
	JudgedAt time.Time
	// Whole tells that all rows that were shown could be read. Then a known week that is missing between the shown ones
	// was withdrawn.
	Whole bool
}

// Archive reads and writes the weeks of one environment.
type Archive struct {
	env     contracts.Environment
	js      jetstream.JetStream
	kv      jetstream.KeyValue
	revised func(ctx context.Context, id string, r contracts.SurchargeRevision) error
	// outdate ends the stored answers that a change makes wrong. It is nil where changes are not told.
	outdate func(context.Context, *contracts.Change) error
	log     *slog.Logger
	weeks   *prometheus.CounterVec
	// published counts changes.
	published *prometheus.CounterVec

	copies  *copies
	wakeUp  chan struct{}  // tells the writer that there may be something to do
	running sync.WaitGroup // the writer and the follower
	stop    context.CancelFunc
	abandon context.CancelFunc
}

// Open starts the archive over the bucket. Each revision is reported to revised before it is written. When reporting or
// writing fails, it is reported again under the same id, so that revised can tell a repetition. What clean readings
// change is published as well, each change once, after outdate has ended the stored answers that it makes wrong;
// nothing is where outdate is nil.
func Open(
	env contracts.Environment, js jetstream.JetStream, kv jetstream.KeyValue, log *slog.Logger,
	metrics prometheus.Registerer,
	revised func(ctx context.Context, id string, r contracts.SurchargeRevision) error,
	outdate func(context.Context, *contracts.Change) error,
) (*Archive, error) {
	a := View(env, js, kv, log)
	a.revised, a.outdate = revised, outdate
	published, err := changes.NewCounter(metrics)
	if err := cmp.Or(err, metrics.Register(a.weeks)); err != nil {
		return nil, err
	}
	a.published = published
	var ctx, until context.Context
	ctx, a.abandon = context.WithCancel(context.Background())
	until, a.stop = context.WithCancel(ctx)
	a.running.Go(func() { a.write(ctx, until) })
	a.running.Go(func() { _ = a.follower().Follow(until) }) // it ends with its context alone
	return a, nil
}

// View gives an archive that follows nothing and tells nobody, such as for an operator's command. [Archive.Keep] writes
// to it, [Archive.Observe] does not. It need not be stopped.
func View(env contracts.Environment, js jetstream.JetStream, kv jetstream.KeyValue, log *slog.Logger) *Archive {
	a := &Archive{
		env: env, js: js, kv: kv, log: log, copies: newCopies(), wakeUp: make(chan struct{}, 1),
		revised: func(context.Context, string, contracts.SurchargeRevision) error { return nil },
		weeks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "archive_weeks_total", Help: "Values written to the archive (new, revised, withdrawn, " +
				"seen, again) or lost to it.",
		}, []string{"outcome"}),
	}
	a.weeks.WithLabelValues("lost") // from 0 on, so that the first is an increase
	return a
}

// Observe has the weeks written. It never waits; [Archive.Weeks] knows them at once. What the archive does not know yet
// is written at once. That a carrier still shows what is known is written every five minutes and at the stop. While the
// bucket cannot be written observations wait, and those that are too many are logged as lost.
func (a *Archive) Observe(o Observation) {
	if len(o.Weeks) == 0 { // a doubtful reading of weeks that are all known to be clean
		return
	}
	o.At = o.At.UTC().Truncate(time.Second)
	if err := a.copies.observe(o); err != nil {
		a.logLost(err, o)
		return
	}
	a.wake()
}

// wake has the writer look what there is to do.
func (a *Archive) wake() {
	select {
	case a.wakeUp <- struct{}{}:
	default:
	}
}

// stopGrace is for what can be written at once although the hooks that stopped before have used the time up.
const stopGrace = time.Second

// Stop writes what waits and ends the writer. Observations that are not written soon after ctx ends are logged as lost.
func (a *Archive) Stop(ctx context.Context) error {
	a.stop()
	defer a.abandon()
	err := clock.Wait(ctx, &a.running)
	if err == nil {
		return nil
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
	defer cancel()
	if clock.Wait(grace, &a.running) == nil {
		return nil
	}
	a.abandon()
	a.running.Wait()
	return err
}

func (a *Archive) logLost(err error, all ...Observation) {
	for _, o := range all {
		a.weeks.WithLabelValues("lost").Add(float64(len(o.Weeks)))
		a.log.Error("observed weeks are lost to the archive", "carrier", o.Carrier, "weeks", len(o.Weeks), "error", err)
	}
}

// Weeks lists the archived weeks of a carrier, newest first. They are shared: do not change them. It fails when an
// entry cannot be read or is missing.
func (a *Archive) Weeks(ctx context.Context, c contracts.Carrier) ([]Week, error) {
	if weeks, err, ok := a.copies.weeks(c); ok {
		return weeks, err
	}
	before := a.copies.observed(c) // it may be written, and no longer wait, when the bucket has been read without it
	read, err := a.load(ctx, c)
	if err != nil {
		return nil, err
	}
	return build(read, slices.Concat(before, a.copies.observed(c)))
}

// load reads all entries of a carrier.
func (a *Archive) load(ctx context.Context, c contracts.Carrier) (entries, error) {
	read := entries{}
	f := kv.Follower{JS: a.js, KV: a.kv, Bucket: contracts.WeeksBucket, Pattern: a.pattern(c),
		Take: func(all ...jetstream.KeyValueEntry) error {
			for _, e := range a.decodeAll(all) {
				read.add(e)
			}
			return nil
		}}
	if err := f.Load(ctx); err != nil {
		return nil, fmt.Errorf("archive of %s: %w", c, err)
	}
	return read, nil
}
