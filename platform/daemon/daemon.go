package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/access"
	"assay.dev/platform/panics"
	"assay.dev/platform/telemetry"
)

// Daemon gives a running service its log, metrics, traces and NATS connection, and stops it in order.
type Daemon struct {
	Name      string
	Log       *slog.Logger
	NATS      *nats.Conn
	JetStream jetstream.JetStream
	// Metrics adds the labels service and environment to everything that is registered.
	Metrics prometheus.Registerer
	Tracer  trace.TracerProvider

	host     *Host
	ctx      context.Context
	failed   chan error
	prefix   string        // of the service's readiness checks, which share the host's page
	user     string        // of NATS
	patience time.Duration // with NATS

	mu    sync.Mutex
	stops []stopHook
}

// stopHook is a function that [Daemon.OnStop] was given.
type stopHook struct {
	name string
	f    func(context.Context) error
}

// Run connects to NATS and calls setup. Then it waits until ctx ends, or until a goroutine of [Daemon.Go] fails: that
// error is Run's. At the end it stops everything in the reverse order of the calls of [Daemon.OnStop] and [Daemon.Go],
// within cfg.StopTimeout, closes NATS, and sends the spans that are left.
//
// The context that setup gets lives longer than ctx: it ends after the last stop has returned, so that work in
// progress can finish. All metrics of the service have the labels. The label "environment" is also the
// deployment.environment of its spans.
func Run(
	ctx context.Context, name string, cfg Config, labels prometheus.Labels, setup func(context.Context, *Daemon) error,
) (err error) {
	host := cfg.Host
	if host == nil {
		if host, err = NewHost(ctx, cfg, nil); err != nil {
			return err
		}
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			err = errors.Join(err, host.Close(ctx))
		}()
	}
	work, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	d := newDaemon(work, name, host, labels)
	defer host.admin.drop(d.prefix)
	tracer, flush := newTracer(cfg, name, labels["environment"], host.exporters)
	d.Tracer, d.ctx = tracer, telemetry.WithTracer(d.ctx, tracer)
	d.OnStop("traces", flush)

	err = d.serve(ctx, cfg, setup)
	if err = errors.Join(err, d.stop(cfg.stopTimeout())); err != nil {
		d.Log.Error("ended by a failure", "error", err) // who collects the log looks for it there
	}
	return err
}

func newDaemon(ctx context.Context, name string, host *Host, labels prometheus.Labels) *Daemon {
	// Prometheus wants the same label names wherever a metric's name occurs in a process.
	all := prometheus.Labels{"service": name, "environment": ""}
	for k, v := range labels {
		all[k] = v
	}
	log := host.Log.With("service", name)
	if env := all["environment"]; env != "" {
		log = log.With("environment", env)
	}
	return &Daemon{
		Name: name, Log: log, Metrics: prometheus.WrapRegistererWith(all, host.Registry),
		host: host, ctx: ctx, failed: make(chan error, 1), prefix: checkPrefix(name, all["environment"]),
		user: access.Name(name, contracts.Environment(all["environment"])),
	}
}

// checkPrefix is the beginning of the names of a service's readiness checks, such as "ltl-worker/live: ".
func checkPrefix(service, environment string) string {
	if environment != "" {
		service += "/" + environment
	}
	return service + ": "
}

// serve returns nil when ctx ends, and an error when something fails before.
func (d *Daemon) serve(ctx context.Context, cfg Config, setup func(context.Context, *Daemon) error) error {
	d.Ready("started", func() error { return errors.New("starting") })
	if connected, err := d.connect(ctx, cfg); !connected {
		return err
	}
	if err := d.watchStores(); err != nil {
		return err
	}
	if err := setup(d.ctx, d); err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	d.Ready("started", func() error { return nil })
	d.Log.Info("started", "version", Version())
	select {
	case <-ctx.Done():
		return nil
	case err := <-d.failed:
		return err
	}
}

// stop calls the hooks, the last one first. It calls all of them, also when one fails or runs out of time.
func (d *Daemon) stop(within time.Duration) error {
	d.Ready("started", func() error { return errors.New("stopping") })
	d.Log.Info("stopping")
	ctx, cancel := context.WithTimeout(d.ctx, within)
	defer cancel()
	var errs []error
	for s, ok := d.pop(); ok; s, ok = d.pop() {
		if err := s.f(ctx); err != nil {
			errs = append(errs, fmt.Errorf("stop %s: %w", s.name, err))
		}
	}
	d.Log.Info("stopped")
	return errors.Join(errs...)
}

func (d *Daemon) pop() (stopHook, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.stops) == 0 {
		return stopHook{}, false
	}
	last := d.stops[len(d.stops)-1]
	d.stops = d.stops[:len(d.stops)-1]
	return last, true
}

// OnStop registers f, which the stop of the service calls after the hooks that were registered later have returned. f
// must return when its context ends.
func (d *Daemon) OnStop(name string, f func(context.Context) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stops = append(d.stops, stopHook{name, f})
}

// Go runs f in a goroutine of the service. When the stop reaches f, f's context ends, and the stop waits for f. When f
// fails or panics before that, the service stops and returns the error. f may return nil at any time.
func (d *Daemon) Go(name string, f func(context.Context) error) {
	ctx, cancel := context.WithCancel(d.ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := panics.Catch(ctx, d.Log, func() error { return f(ctx) }); err != nil && ctx.Err() == nil {
			select {
			case d.failed <- fmt.Errorf("%s: %s: %w", d.Name, name, err):
			default: // the service is ending for another failure
			}
		}
	}()
	d.OnStop(name, func(stopping context.Context) error {
		cancel()
		select {
		case <-done:
			return nil
		case <-stopping.Done():
			return stopping.Err()
		}
	})
}

// Ready adds a check to /readyz, which answers 503 while any check fails. A check must return at once and depend only
// on the service's own state.
func (d *Daemon) Ready(name string, check func() error) { d.host.admin.set(d.prefix+name, check) }
