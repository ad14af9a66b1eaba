package daemon

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Host is what the services of one process share: the log, the metrics registry, the span exporters, the admin port and,
// when the NATS server runs in the same process, the way to it.
type Host struct {
	Log      *slog.Logger
	Registry *prometheus.Registry

	inProcess nats.InProcessConnProvider
	exporters []*sharedExporter
	admin     *admin
	closers   []io.Closer
}

// NewHost opens the log, the exporters and the admin port that cfg names. With server set, services connect to it in
// process and not to cfg.NATSURL.
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
	h.Registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if h.admin, err = openAdmin(cfg, h.Registry, h.Log); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	return h, nil
}

// AdminURL is where the admin port answers; "" when it is off.
func (h *Host) AdminURL() string { return h.admin.url() }

// Handle adds what a process has to show to the admin port: pattern is that of [http.ServeMux].
func (h *Host) Handle(pattern string, handler http.Handler) { h.admin.mux.Handle(pattern, handler) }

// Ready is nil once the service has started and while all its checks pass. environment is "" for a service of none.
func (h *Host) Ready(service, environment string) error {
	return h.admin.ready(checkPrefix(service, environment))
}

// Close sends what spans are left and closes the admin port. Call it after the services have stopped.
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
