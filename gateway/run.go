package gateway

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock"
	"assay.dev/platform/daemon"
	"assay.dev/platform/telemetry"
)

// Run serves the API until ctx ends; it serves both environments.
func Run(ctx context.Context, cfg Config) error {
	return daemon.Run(ctx, contracts.Gateway, cfg.Config, nil, func(ctx context.Context, d *daemon.Daemon) error {
		g, err := open(ctx, cfg, d)
		if err != nil {
			return err
		}
		return g.listen(ctx, cfg, d)
	})
}

// open makes the parts of a gateway, each registered for the stop after what it needs.
func open(ctx context.Context, cfg Config, d *daemon.Daemon) (*gateway, error) {
	directory, err := keys.OpenDirectory(ctx, d.JetStream)
	if err != nil {
		return nil, err
	}
	limiter, err := ratelimit.Open(ctx, d.JetStream)
	if err != nil {
		return nil, err
	}
	shared, err := cache.Open(ctx, d.JetStream, cache.Deps{Log: d.Log, Metrics: d.Metrics})
	if err != nil {
		return nil, err
	}
	d.OnStop("cache", shared.Close)
	messages := d.Bus()
	messages.StoredAnswer = shared.Delivered
	store, err := answers.Open(answers.Deps{
		Log: d.Log, Metrics: d.Metrics, Cache: shared, MaxBytes: cfg.CacheBytes,
		Client: bus.NewClient(messages),
	})
	if err != nil {
		return nil, err
	}
	d.OnStop("answers", store.Close)
	events, err := usage.NewPublisher(d.JetStream, d.Log, d.Metrics)
	if err != nil {
		return nil, err
	}
	sources, err := openCatalog(ctx, d.JetStream)
	if err != nil {
		return nil, err
	}
	d.Go("keys", directory.Follow)
	d.Go("rate limits", limiter.Follow)
	d.OnStop("usage", events.Flush)
	d.Go("usage events", events.Run)
	d.Ready("keys", func() error {
		if !directory.Loaded() {
			return cmp.Or(directory.Damage(), errors.New("the keys are not loaded yet"))
		}
		return directory.Damage()
	})
	return newGateway(cfg, d, parts{directory, limiter, store, events, sources})
}

// The server's limits on slow and large requests; handlers have more to say about size (size.go).
const (
	readTimeout  = 10 * time.Second // headers included
	writeTimeout = slowMaxTime + 15*time.Second
	idleTimeout  = 75 * time.Second
	// drainTime is for how long a stopping gateway still takes requests, each answered as the last of its connection, so
	// that clients are not in the middle of sending one when connections are closed.
	drainTime = 250 * time.Millisecond
	// acceptedTime is for how long what was accepted last may take to send its request.
	acceptedTime = 100 * time.Millisecond
	// stopReserve is what a stop keeps for the usage events, whatever requests are still under way.
	stopReserve = 3 * time.Second
)

// listen opens the port and serves until the stop, which lets requests under way end.
func (g *gateway) listen(ctx context.Context, cfg Config, d *daemon.Daemon) error {
	l := cfg.Listener
	if l == nil {
		var err error
		if l, err = daemon.Listen("ASSAY_LISTEN", cfg.Listen); err != nil {
			return err
		}
	}
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	server := &http.Server{
		Handler: g.engine, Protocols: &protocols, MaxHeaderBytes: maxServerHeader,
		ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(d.Log.Handler(), slog.LevelDebug),
	}
	d.Log.Info("serving", "address", l.Addr().String())
	d.Go("http", func(ctx context.Context) error {
		if err := server.Serve(l); !g.draining.Load() {
			return err
		}
		return nil
	})
	d.OnStop("http requests", func(ctx context.Context) error { return g.shutdown(ctx, server, l) })
	return nil
}

// shutdown waits for the requests under way, and cuts off what is left when time runs out. The port is closed before the
// server knows of the stop: what it accepts while it knows, it drops.
func (g *gateway) shutdown(ctx context.Context, server *http.Server, port net.Listener) error {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-stopReserve))
		defer cancel()
	}
	g.draining.Store(true)
	_ = clock.Sleep(ctx, drainTime) // when ctx ends, the rest follows at once
	_ = port.Close()                // it was open
	_ = clock.Sleep(ctx, acceptedTime)
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}

// keyAge reports how old the copy of the keys may be.
func keyAge(r prometheus.Registerer, d *keys.Directory) error {
	_, err := telemetry.Register(r, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "key_feed_age_seconds", Help: "Time since the copy of the keys was last proven complete.",
	}, func() float64 { return d.Age().Seconds() }))
	return err
}
