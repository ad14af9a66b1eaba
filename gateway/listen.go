package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"assay.dev/gateway/api"
	"assay.dev/gateway/wire"
	"assay.dev/platform/clock"
	"assay.dev/platform/daemon"
)

// The server's limits on slow and large requests; package wire has more to say about size.
const (
	readTimeout  = 10 * time.Second // headers included
	writeTimeout = api.SlowMaxTime + 15*time.Second
	idleTimeout  = 75 * time.Second
	// drainTime is for how long a stopping gateway still takes requests, each answered as the last of its connection,
	// so that clients are not in the middle of sending one when connections are closed.
	drainTime = 250 * time.Millisecond
	// acceptedTime is how long the last connections that were accepted may take to send their requests.
	acceptedTime = 100 * time.Millisecond
	// stopReserve is what a stop keeps for the usage events, whatever requests are still under way; a third of a short
	// stop.
	stopReserve = 3 * time.Second
)

// listen opens the port and serves until the stop, which lets requests under way end.
func listen(ctx context.Context, cfg Config, d *daemon.Daemon, handler *wire.Server) error {
	l := cfg.Listener
	if l == nil {
		var err error
		if l, err = daemon.Listen("ASSAY_LISTEN", cfg.Listen); err != nil {
			return err
		}
	}
	clients, err := newConnections(descriptors(), d.Metrics)
	if err != nil {
		return err
	}
	d.Ready("connections", clients.check)
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	server := &http.Server{
		Handler: handler, Protocols: &protocols, MaxHeaderBytes: wire.MaxHeaderBytes,
		ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnState:   clients.noteState,
		ErrorLog:    slog.NewLogLogger(d.Log.Handler(), slog.LevelError),
	}
	d.Log.Info("serving", "address", l.Addr().String())
	d.Go("http", func(ctx context.Context) error {
		if err := server.Serve(l); !handler.Draining() {
			return err
		}
		return nil
	})
	d.OnStop("http requests", func(ctx context.Context) error { return shutdown(ctx, handler, server, l, clients) })
	return nil
}

// shutdown waits for the requests under way, and cuts off what is left when time runs out. The port is closed before
// the server knows of the stop: what it accepts while it knows, it drops. A connection on which no request came is
// closed by us: the server would wait for one up to 5 s, and browsers open connections that they may need.
func shutdown(ctx context.Context, handler *wire.Server, server *http.Server, port net.Listener,
	clients *connections) error {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-min(stopReserve, time.Until(deadline)/3)))
		defer cancel()
	}
	handler.Drain()
	handler.API.Feed.Close()        // requests that wait for a change are answered
	_ = clock.Sleep(ctx, drainTime) // when ctx ends, the rest follows at once
	_ = port.Close()                // it was open
	_ = clock.Sleep(ctx, acceptedTime)
	clients.closeSilent()
	// The server closes the port once more, unless it has seen already that it is closed.
	if err := server.Shutdown(ctx); err != nil && !errors.Is(err, net.ErrClosed) {
		return errors.Join(err, server.Close())
	}
	return nil
}
