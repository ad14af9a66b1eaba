package daemon

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// connect waits for NATS until ctx ends: a service may start before its server.
func (d *Daemon) connect(ctx context.Context, cfg Config) error {
	opts, err := natsOptions(d.Name, cfg, d.host.inProcess)
	if err != nil {
		return err
	}
	for {
		if d.NATS, err = nats.Connect(cfg.NATSURL, opts...); err == nil {
			break
		}
		d.Log.Warn("NATS is not reachable yet", "error", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	d.OnStop("NATS", func(context.Context) error { d.NATS.Close(); return nil })
	d.JetStream, err = jetstream.New(d.NATS)
	return err
}

func natsOptions(name string, cfg Config, inProcess nats.InProcessConnProvider) ([]nats.Option, error) {
	opts := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectBufSize(-1),
		nats.ReconnectWait(100 * time.Millisecond), nats.CustomInboxPrefix("_INBOX_" + name),
	}
	if inProcess != nil {
		return append(opts, nats.InProcessServer(inProcess)), nil
	}
	if cfg.NATSCAFile != "" {
		opts = append(opts, nats.RootCAs(cfg.NATSCAFile))
	}
	if cfg.NATSNKey != "" {
		pair, err := nkeys.FromSeed([]byte(cfg.NATSNKey.Reveal()))
		if err != nil {
			return nil, fmt.Errorf("ASSAY_NATS_NKEY: not an nkey seed")
		}
		public, err := pair.PublicKey()
		if err != nil {
			return nil, fmt.Errorf("ASSAY_NATS_NKEY: not an nkey seed")
		}
		opts = append(opts, nats.Nkey(public, pair.Sign))
	}
	return opts, nil
}
