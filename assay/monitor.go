package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay.dev/assay/monitor"
	"assay.dev/platform/daemon"
)

type monitorCommand struct{}

// monitorConfig is what `assay monitor` reads of the environment.
type monitorConfig struct {
	Servers     monitor.Servers  `env:"ASSAY_NATS_MONITOR" help:"monitoring ports that assay monitor asks, each with its server's name: nats-0=http://nats-0.nats-peers:8222, separated by commas"`
	AdminListen string           `env:"ASSAY_ADMIN_LISTEN" envDefault:"127.0.0.1:9090" help:"address of /livez, /readyz and /metrics; off for none"`
	LogFormat   daemon.LogFormat `env:"ASSAY_LOG_FORMAT" envDefault:"auto" help:"json, text, or auto: text on a terminal and json elsewhere"`
}

// Help lists the settings.
func (monitorCommand) Help() string {
	var b strings.Builder
	b.WriteString(`It asks the NATS servers' monitoring ports whenever /metrics is read, and serves metrics whose names begin with jetstream_:
disks, streams, their leaders, how far replicas are behind. It needs no NATS user.
`)
	daemon.PrintSettings(&b, daemon.Settings[monitorConfig]())
	return b.String()
}

// Run serves until it is told to stop.
func (monitorCommand) Run(ctx context.Context, c *console) (err error) {
	cfg, err := daemon.Load[monitorConfig](c.environ)
	if err != nil {
		return err
	}
	if len(cfg.Servers) == 0 {
		return errors.New("ASSAY_NATS_MONITOR names no server")
	}
	host, err := daemon.NewHost(ctx, daemon.Config{AdminListen: cfg.AdminListen, LogFormat: cfg.LogFormat}, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, host.Close(context.WithoutCancel(ctx))) }()
	if err := host.Registry.Register(monitor.New(host.Log, cfg.Servers...)); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "metrics of %d NATS servers at %s/metrics\n", len(cfg.Servers), host.AdminURL())
	<-ctx.Done()
	return nil
}
