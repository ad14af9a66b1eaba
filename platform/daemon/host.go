package daemon

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"assay.dev/platform/kv"
	"assay.dev/platform/panics"
)

// Host holds what the services of one process share: the log, the metrics registry, the span exporters and the admin
// port. When the NATS server runs in the same process, Host also holds the server.
type Host struct {
	Log      *slog.Logger
	Registry *prometheus.Registry
	// DiskFull returns a *[kv.DiskFull] while the NATS server of this process cannot write. It is nil where the server
	// runs elsewhere. Set it before services start.
	DiskFull func() error

	inProcess nats.InProcessConnProvider
	exporters []*sharedExporter
	admin     *admin
	closers   []io.Closer
}

// NewHost opens the log, the exporters and the admin port that cfg names. When server is not nil, services connect to
// it within the process, and cfg.NATSURL is not used.
func NewHost(ctx context.Context, cfg Config, server nats.InProcessConnProvider) (*Host, error) {
	log := NewLog(cfg)
	exporters, closers, err := spanExporters(ctx, cfg, log)
	if err != nil {
		return nil, err
	}
	h := &Host{
		Log: log, Registry: prometheus.NewRegistry(),
		inProcess: server, exporters: exporters, closers: closers,
	}
	h.Registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "panics_total", Help: "Panics that were caught: each is a fault of the program.",
		}, func() float64 { return float64(panics.Caught()) }))
	if h.admin, err = openAdmin(cfg, h.Registry, h.Log); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	return h, nil
}

// AdminURL returns the address of the admin port, such as "http://127.0.0.1:9090", or "" when the port is off.
func (h *Host) AdminURL() string { return h.admin.url() }

// Handle adds a page to the admin port. pattern has the form of [http.ServeMux], such as "/sandbox/".
func (h *Host) Handle(pattern string, handler http.Handler) { h.admin.mux.Handle(pattern, handler) }

// cause returns why a store failed: its disk is full, where the server says so; else err. Damage that a full disk does
// not explain stays damage.
func (h *Host) cause(err error) error {
	var damage *kv.Damaged
	if err == nil || h.DiskFull == nil || errors.As(err, &damage) && !damage.Torn {
		return err
	}
	return cmp.Or(h.DiskFull(), err)
}

// unwritten returns the *[kv.DiskFull] of a server that could not write the stream. Such a stream counts messages that
// it has not written and that a restart does not find, so nobody is to note what it shows.
func (h *Host) unwritten(stream string) error {
	if h.DiskFull == nil {
		return nil
	}
	err := h.DiskFull()
	if full := (*kv.DiskFull)(nil); errors.As(err, &full) && slices.Contains(full.Streams, stream) {
		return err
	}
	return nil
}

// Expect makes /readyz answer 503 until the service has started.
func (h *Host) Expect(service, environment string) {
	h.admin.set(checkPrefix(service, environment)+"started", func() error { return errors.New("not started") })
}

// Ready returns nil when the service has started and all its checks pass. environment is "" for a service without one,
// such as the gateway.
func (h *Host) Ready(service, environment string) error {
	return h.admin.ready(checkPrefix(service, environment))
}

// Close sends the spans that are left and closes the admin port. Call it after the services have stopped.
func (h *Host) Close(ctx context.Context) error {
	var errs []error
	for _, e := range h.exporters {
		errs = append(errs, e.SpanExporter.Shutdown(ctx))
	}
	for _, c := range h.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(append(errs, h.admin.close(ctx))...)
}
