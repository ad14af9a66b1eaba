package daemon

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/bus"
)

// connect waits for NATS until ctx ends. It returns false without an error when ctx ended first.
func (d *Daemon) connect(ctx context.Context, cfg Config) (connected bool, err error) {
	d.NATS, err = bus.Connect(ctx, bus.ConnectOptions{
		URL: cfg.NATSURL, Name: d.user, NKeySeed: cfg.NATSNKey.Reveal(), CAFile: cfg.NATSCAFile,
		InProcess: d.host.inProcess, Log: d.Log,
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return false, nil
	case err != nil:
		return false, err
	}
	d.OnStop("NATS", func(ctx context.Context) error { return bus.Close(ctx, d.NATS) })
	d.JetStream, err = jetstream.New(d.NATS)
	return err == nil, err
}

// Bus is what package bus needs of the daemon.
func (d *Daemon) Bus() bus.Deps {
	return bus.Deps{Conn: d.NATS, Log: d.Log, Metrics: d.Metrics, Tracer: d.Tracer}
}
