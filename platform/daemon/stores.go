package daemon

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/access"
)

// storesEvery is how often the streams are checked.
const storesEvery = 10 * time.Second

func damageLine(d *kv.Damaged) string {
	if d.Unconfirmed {
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
	gauge *prometheus.GaugeVec
	// silent has 1 for a stream that did not answer when it was last looked at: NATS is away, or the stream has no
	// leader.
	silent *prometheus.GaugeVec

	mu     sync.Mutex
	damage map[string]error
}

// watchStores checks the streams at the start and then every 10 s, and notes what they hold, for the next check (see
// [kv.Witness]). The log, the metric store_damaged and /readyz show damage. /readyz stays 200: every process of a service
// sees the same stores, so 503 would take all of them out, with what they can still answer.
func (d *Daemon) watchStores() error {
	s := &stores{Daemon: d, damage: map[string]error{}}
	for _, name := range access.Streams(d.user) {
		if !contracts.Disposable(name) && !slices.Contains(s.names, name) {
			s.names = append(s.names, name)
		}
	}
	if len(s.names) == 0 {
		return nil
	}
	var err error
	s.gauge, err = telemetry.Register(d.Metrics, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "store_damaged", Help: "1 when a stream that cannot be made anew is gone, shows less than was seen of it, or was restored and not confirmed; else 0.",
	}, []string{"stream"}))
	if err != nil {
		return err
	}
	s.silent, err = telemetry.Register(d.Metrics, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "store_silent", Help: "1 when a stream did not answer when it was last looked at, as one without a leader; else 0.",
	}, []string{"stream"}))
	if err != nil {
		return err
	}
	d.Ready("stores", s.check)
	d.Go("stores", s.watch)
	return nil
}

func (s *stores) watch(ctx context.Context) error {
	tick := time.NewTicker(storesEvery)
	defer tick.Stop()
	for {
		for _, name := range s.names {
			s.checkStream(ctx, name)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// checkStream checks one stream. When the stream does not answer, what was found before stays.
func (s *stores) checkStream(ctx context.Context, name string) {
	err := s.attest(ctx, name)
	var damage *kv.Damaged
	if err != nil && !errors.As(err, &damage) {
		s.silent.WithLabelValues(name).Set(1)
		return
	}
	s.silent.WithLabelValues(name).Set(0)
	value := 0.0
	if damage != nil {
		value = 1
		s.Log.ErrorContext(ctx, damageLine(damage), "stream", name, "error", err)
	}
	s.gauge.WithLabelValues(name).Set(value)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.damage[name] = err
}

func (s *stores) attest(ctx context.Context, name string) error {
	if err := kv.CheckStream(ctx, s.JetStream, name); err != nil || name == contracts.WitnessesBucket.Stream() {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, attestTime)
	defer cancel()
	if err := kv.Attest(ctx, s.JetStream, name); err != nil {
		return err
	}
	w, err := kv.ReadWitness(ctx, s.JetStream, name)
	if err != nil {
		return err
	}
	return w.Unconfirmed(name)
}

// check returns the first damage, as a [Degraded].
func (s *stores) check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.names {
		if err := s.damage[name]; err != nil {
			return Degrade(err)
		}
	}
	return nil
}
