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
	"assay.dev/platform/bus/access"
	"assay.dev/platform/panics"
)

// Daemon is what a running service stands on.
type Daemon struct {
	Name      string
	Log       *slog.Logger
	NATS      *nats.Conn
	JetStream jetstream.JetStream
	// Metrics adds the labels service and environment to everything that is registered.
	Metrics prometheus.Registerer
	Tracer  trace.TracerProvider

	host   *Host
	ctx    context.Context
	failed chan error
	prefix string // of the service's readiness checks, which share the host's page
	user   string // of NATS

	mu    sync.Mutex
	stops []stop
}

type stop struct {
	name string
	f    func(context.Context) error
}

// Run connects, calls setup and serves until ctx ends or a goroutine of [Daemon.Go] fails, whose error it returns. Then it
// stops everything in the reverse order in which [Daemon.OnStop] and [Daemon.Go] were called, within cfg.StopTimeout,
// then closes NATS, and at the very last sends the spans that are left.
//
// The context given to setup does not end with ctx: it lives until the last of the stops has returned, so that work in
// progress can finish. Of labels, "environment" also becomes the deployment.environment of the service's spans.
func Run(ctx context.Context, name string, cfg Config, labels prometheus.Labels, setup func(context.Context, *Daemon) error) (err error) {
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
	d.Tracer = tracer
	d.OnStop("traces", flush)

	err = d.serve(ctx, cfg, setup)
	return errors.Join(err, d.stop(cfg.stopTimeout()))
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

// checkPrefix begins the names of a service's readiness checks.
func checkPrefix(service, environment string) string {
	if environment != "" {
		service += "/" + environment
	}
	return service + ": "
}

// serve returns when ctx ends, with nil, or when something fails.
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

// stop runs the hooks, last registered first. A hook that fails or runs out of time does not keep the others from running.
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

func (d *Daemon) pop() (stop, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.stops) == 0 {
		return stop{}, false
	}
	last := d.stops[len(d.stops)-1]
	d.stops = d.stops[:len(d.stops)-1]
	return last, true
}

// OnStop has f called when the service stops, after everything registered later has stopped. f must return when its
// context ends.
func (d *Daemon) OnStop(name string, f func(context.Context) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stops = append(d.stops, stop{name, f})
}

// Go runs f in a goroutine of the service. At its turn in the stop, f's context ends and f is waited for. When f fails or
// panics before that, the service ends with its error; f may return nil at any time.
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

// Ready adds a check to /readyz, which answers 503 while any check fails. A check must return at once and depend only on
// the service's own state.
func (d *Daemon) Ready(name string, check func() error) { d.host.admin.set(d.prefix+name, check) }
