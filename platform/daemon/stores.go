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
	"assay.dev/platform/bus/access"
)

// storesEvery is how often the stores are asked for their numbers.
const storesEvery = 10 * time.Second

// Degraded is a failed check that /readyz tells of and that does not take the service out.
type Degraded struct{ error }

// Unwrap gives the failure.
func (d Degraded) Unwrap() error { return d.error }

// stores watches the streams that the service works with and that nothing can replace.
type stores struct {
	*Daemon
	names []string
	gauge *prometheus.GaugeVec

	mu     sync.Mutex
	damage map[string]error
}

// watchStores checks at the start and then every 10 s. Damage is said by the log, by the metric and by /readyz, which
// fails only for a store that decides (keys, ledger): the others are written to all the same, and answers do not need them.
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
		Name: "store_damaged", Help: "1 when a stream that cannot be made anew lost messages, by its own numbers; else 0.",
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
			s.look(ctx, name)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// look asks one stream. One that does not answer is as it was.
func (s *stores) look(ctx context.Context, name string) {
	err := kv.CheckStream(ctx, s.JetStream, name)
	var damage *kv.Damaged
	if err != nil && !errors.As(err, &damage) {
		return
	}
	value := 0.0
	if damage != nil {
		value = 1
		s.Log.ErrorContext(ctx, "a store is damaged", "stream", name, "error", err)
	}
	s.gauge.WithLabelValues(name).Set(value)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.damage[name] = err
}

// check is the first damage, that of a store that decides before any other.
func (s *stores) check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var degraded error
	for _, name := range s.names {
		switch err := s.damage[name]; {
		case err != nil && decides(name):
			return err
		case err != nil:
			degraded = Degraded{err}
		}
	}
	return degraded
}

func decides(stream string) bool {
	return slices.ContainsFunc(contracts.Buckets, func(b contracts.Bucket) bool { return b.Stream() == stream && b.Exact })
}
