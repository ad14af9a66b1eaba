package courier

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
	// renewEvery is how often the courier that works says so, and lookEvery how often another one looks.
	renewEvery = time.Second
	lookEvery  = 500 * time.Millisecond
	// leaseTime is after how long without a word another courier takes over. The one that works stops a little before: workTime after it began to say
	// the last word that was heard.
	leaseTime = 3 * time.Second
	workTime  = 2500 * time.Millisecond
)

// lease is the right to work, which one courier has. Nobody compares clocks: who stands by measures how long the revision stays the same.
type lease struct {
	bucket jetstream.KeyValue
	log    *slog.Logger
	holds  prometheus.Gauge

	revision uint64    // as last seen, or as last written
	since    time.Time // when it was first seen
}

// hold waits for the right and works while it lasts, again and again until ctx ends. Then it gives the right away.
func (l *lease) hold(ctx context.Context, work func(context.Context)) error {
	for ctx.Err() == nil {
		if !l.take(ctx) {
			_ = clock.Sleep(ctx, lookEvery) // the loop ends with ctx
			continue
		}
		l.log.InfoContext(ctx, "this courier delivers now")
		l.holds.Set(1)
		l.keep(ctx, work)
		l.holds.Set(0)
	}
	return nil
}

// take tries once to get the right.
func (l *lease) take(ctx context.Context) bool {
	look, cancel := context.WithTimeout(ctx, leaseTime)
	defer cancel()
	value, revision, err := kv.Get(look, l.bucket, contracts.LeaseKey)
	if err != nil {
		return false
	}
	if revision != l.revision {
		l.revision, l.since = revision, time.Now()
	}
	isFree := revision == 0 || string(value) == free || time.Since(l.since) >= leaseTime
	return isFree && l.write(look, taken) == nil
}

// What stands under the key.
const (
	taken = "taken"
	free  = "free"
)

func (l *lease) write(ctx context.Context, value string) error {
	began := time.Now() // others may see the word before its writer knows that they do
	revision, err := l.bucket.Update(ctx, contracts.LeaseKey, []byte(value), l.revision)
	if err == nil {
		l.revision, l.since = revision, began
	}
	return err
}

// keep lets work run, and renews the right until it has returned. Work is told to end when ctx ends, or when the right may be another's.
func (l *lease) keep(ctx context.Context, work func(context.Context)) {
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
			l.log.WarnContext(ctx, "this courier stops delivering: the right to is another's, or cannot be renewed", "error", err)
			isOurs = false
			end()
		}
	}
}
