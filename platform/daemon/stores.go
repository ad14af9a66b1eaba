package daemon

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/access"
)

// storesEvery is how often the streams are checked.
const storesEvery = 10 * time.Second

// firstCheck is how long the first check waits at least, and at most twice as long: services that start together note
// the same streams.
const firstCheck = time.Second

// damageToldEvery is after how long the log says again that a store is damaged.
const damageToldEvery = 10 * time.Minute

func damageLine(err error) string {
	if d := (*kv.Damaged)(nil); errors.As(err, &d) && d.Unconfirmed {
		return "a restored store waits to be confirmed"
	}
	return "a store is damaged"
}

// attestTime bounds the noting of what one stream holds.
const attestTime = 5 * time.Second

// Degraded is the failure of a check that /readyz shows and that does not make it answer 503.
type Degraded struct{ error }

// Degrade makes a failure, or nil, one that /readyz shows in a 200.
func Degrade(err error) error {
	if err == nil {
		return nil
	}
	return Degraded{err}
}

// Unwrap returns the failure itself.
func (d Degraded) Unwrap() error { return d.error }

// stores watches those streams of the service whose loss nothing can repair, such as the usage events.
type stores struct {
	*Daemon
	names []string
	// damaged has 1 for a stream that is gone or shorter than it was.
	damaged *prometheus.GaugeVec
	// silent has 1 for a stream that did not answer when it was last looked at: NATS is away, or the stream has no
	// leader.
	silent *prometheus.GaugeVec

	told telemetry.Seldom // of damage

	mu     sync.Mutex
	damage map[string]error
	since  map[string]time.Time // when a silent stream was first found so
}

// watchStores checks the streams soon after the start and then every 10 s, and notes what they hold, for the next check
// (see [kv.Witness]). The log, the metrics store_damaged and store_silent, and /readyz show what is wrong. /readyz
// stays 200: every process of a service sees the same stores, so 503 would take all of them out, with what they can
// still answer.
func (d *Daemon) watchStores() error {
	var names []string
	for _, name := range access.Streams(d.user) {
		if !contracts.Disposable(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	s, err := d.openStores(names)
	if err != nil {
		return err
	}
	d.Ready("stores", s.check)
	d.Go("stores", s.watch)
	return nil
}

func (d *Daemon) openStores(names []string) (*stores, error) {
	m := telemetry.NewMetrics(d.Metrics)
	return &stores{
		Daemon: d, names: names, damage: map[string]error{}, since: map[string]time.Time{},
		told: telemetry.Seldom{Every: damageToldEvery},
		damaged: m.Gauges("store_damaged",
			"1 when a stream that cannot be made anew is gone, shows less than was seen of it, or was restored "+
				"and not confirmed; else 0.", "stream"),
		silent: m.Gauges("store_silent", "1 when a stream did not answer when it was last looked at, as one "+
			"without a leader; else 0.", "stream"),
	}, m.Err()
}

func (s *stores) watch(ctx context.Context) error {
	for wait := firstCheck + rand.N(firstCheck); clock.Sleep(ctx, wait) == nil; wait = storesEvery {
		s.checkStreams(ctx)
	}
	return nil
}

// checkStreams checks all streams at the same time: each that does not answer takes seconds.
func (s *stores) checkStreams(ctx context.Context) {
	var checks sync.WaitGroup
	for _, name := range s.names {
		checks.Go(func() { s.checkStream(ctx, name) })
	}
	checks.Wait()
}

// checkStream checks one stream. When the stream does not answer, the damage that was found before stays.
func (s *stores) checkStream(ctx context.Context, name string) {
	err := s.host.cause(s.attest(ctx, name))
	if ctx.Err() != nil {
		return
	}
	var damage *kv.Damaged
	isSilent := err != nil && !errors.As(err, &damage)
	s.noteSilence(ctx, name, isSilent, err)
	if isSilent {
		return
	}
	show(s.damaged, name, damage != nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch before := s.damage[name]; {
	case damage != nil && s.told.Due(damageLine(err)+name):
		s.Log.ErrorContext(ctx, damageLine(err), "stream", name, "error", err)
	case damage == nil && before != nil:
		s.told.Over(damageLine(before) + name)
		s.Log.InfoContext(ctx, "a store is whole again", "stream", name)
	}
	s.damage[name] = err
}

func (s *stores) attest(ctx context.Context, name string) error {
	if err := kv.CheckStream(ctx, s.JetStream, name); err != nil || name == contracts.WitnessesBucket.Stream() {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, attestTime)
	defer cancel()
	if err := kv.Attest(ctx, s.JetStream, name, func() error { return s.host.unwritten(name) }); err != nil {
		return err
	}
	w, err := kv.ReadWitness(ctx, s.JetStream, name)
	if err != nil {
		return err
	}
	return w.Unconfirmed(name)
}

// show sets the gauge of a stream to 1 or 0.
func show(gauge *prometheus.GaugeVec, stream string, is bool) {
	value := 0.0
	if is {
		value = 1
	}
	gauge.WithLabelValues(stream).Set(value)
}

// noteSilence shows whether a stream answers, and logs when that changes.
func (s *stores) noteSilence(ctx context.Context, name string, isSilent bool, err error) {
	show(s.silent, name, isSilent)
	s.mu.Lock()
	defer s.mu.Unlock()
	since, wasSilent := s.since[name]
	switch {
	case isSilent && !wasSilent:
		s.since[name] = time.Now()
		s.Log.WarnContext(ctx, "a store does not answer", "stream", name, "error", err)
	case wasSilent && !isSilent:
		delete(s.since, name)
		s.Log.InfoContext(ctx, "a store answers again", "stream", name, "after",
			time.Since(since).Round(time.Second).String())
	}
}

// check returns the first damage, else a full disk, else the first silence, as a [Degraded].
func (s *stores) check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.names {
		if err := s.damage[name]; err != nil {
			return Degrade(err)
		}
	}
	if s.host.DiskFull != nil {
		if err := s.host.DiskFull(); err != nil {
			return Degrade(err)
		}
	}
	for _, name := range s.names {
		if since, ok := s.since[name]; ok {
			return Degrade(fmt.Errorf("%d of %d streams do not answer, such as %s since %s", len(s.since), len(s.names),
				name,
				since.UTC().Format(time.RFC3339)))
		}
	}
	return nil
}
