// Package lease gives one of several processes the right to work, and another one when that process ends.
package lease

import (
	"context"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
)

const (
	// renewEvery is how often the process that works says so, and lookEvery how often another one looks.
	renewEvery = time.Second
	lookEvery  = 500 * time.Millisecond
	// Time is how long the holder may be silent before another process takes over. The holder stops earlier: workTime
	// after it began its last renewal that succeeded.
	Time     = 3 * time.Second
	workTime = 2500 * time.Millisecond
)

// Lease is the right to work, which one process has. Nobody compares clocks: who stands by measures how long the
// revision stays the same.
type Lease struct {
	bucket jetstream.KeyValue
	key    string
	log    *slog.Logger
	holds  prometheus.Gauge

	revision uint64    // as last seen, or as last written
	since    time.Time // when it was first seen
}

// Open makes the lease of a key of [contracts.FlightsBucket]. holds is 1 while this process has the right.
func Open(ctx context.Context, js jetstream.JetStream, key string, log *slog.Logger,
	holds prometheus.Gauge) (*Lease, error) {
	bucket, err := kv.Open(ctx, js, contracts.FlightsBucket)
	return &Lease{bucket: bucket, key: key, log: log, holds: holds}, err
}

// Hold waits for the right and works while it lasts, again and again until ctx ends. Then it gives the right away.
func (l *Lease) Hold(ctx context.Context, work func(context.Context)) error {
	for ctx.Err() == nil {
		if !l.Try(ctx, work) {
			_ = clock.Sleep(ctx, lookEvery) // the loop ends with ctx
		}
	}
	return nil
}

// Try works while the right lasts, if it is to be had, and gives it away when work has returned. It tells whether it
// had the right: that of a dead process it gets at a later call.
func (l *Lease) Try(ctx context.Context, work func(context.Context)) bool {
	if !l.take(ctx) {
		return false
	}
	l.log.InfoContext(ctx, "this process has the right to work", "lease", l.key)
	l.holds.Set(1)
	defer l.holds.Set(0)
	l.keep(ctx, work)
	return true
}

// take tries once to get the right.
func (l *Lease) take(ctx context.Context) bool {
	look, cancel := context.WithTimeout(ctx, Time)
	defer cancel()
	value, revision, err := kv.Get(look, l.bucket, l.key)
	if err != nil {
		return false
	}
	if revision != l.revision {
		l.revision, l.since = revision, time.Now()
	}
	isFree := revision == 0 || string(value) == free || time.Since(l.since) >= Time
	return isFree && l.write(look, taken) == nil
}

// What stands under the key.
const (
	taken = "taken"
	free  = "free"
)

func (l *Lease) write(ctx context.Context, value string) error {
	began := time.Now() // others may see the word before its writer knows that they do
	revision, err := l.bucket.Update(ctx, l.key, []byte(value), l.revision)
	if err == nil {
		l.revision, l.since = revision, began
	}
	return err
}

// keep lets work run, and renews the right until it has returned. Work is told to end when ctx ends, or when the right
// may be another's.
func (l *Lease) keep(ctx context.Context, work func(context.Context)) {
	working, end := context.WithCancel(ctx)
	defer end()
	done := make(chan struct{})
	go func() { defer close(done); work(working) }()
	lapse := time.AfterFunc(time.Until(l.since.Add(workTime)), end)
	defer lapse.Stop()
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	exchange := context.WithoutCancel(ctx)
	for isOurs := true; ; {
		select {
		case <-done:
			if isOurs {
				last, cancel := context.WithTimeout(exchange, renewEvery)
				_ = l.write(last, free) // else it ends by itself
				cancel()
			}
			return
		case <-tick.C:
		}
		if !isOurs {
			continue
		}
		renewal, cancel := context.WithTimeout(exchange, renewEvery)
		err := l.write(renewal, taken)
		cancel()
		if err == nil {
			lapse.Reset(time.Until(l.since.Add(workTime)))
		} else if kv.Conflict(err) || time.Since(l.since) >= workTime {
			l.log.WarnContext(ctx, "this process stops working: another one has the lease, or it cannot be renewed", "lease",
				l.key, "error", err)
			isOurs = false
			end()
		}
	}
}
