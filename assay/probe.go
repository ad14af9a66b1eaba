package main

import (
	"context"
	"fmt"
	"strings"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	"assay.dev/sandbox"
)

type probeCommand struct {
	Source      string                `arg:"" help:"A carrier's code, such as ODFL."`
	Environment contracts.Environment `help:"live reads the site itself; test reads a sandbox started for this." default:"live"`
}

// Help lists the settings.
func (probeCommand) Help() string {
	var b strings.Builder
	b.WriteString(`Every path of the source's recipe is tried once, with a transcript. It needs no running system. Live probes go
out through HTTPS_PROXY when it is set, and believe the authorities of SSL_CERT_FILE. Exit code 1: no path could read.
`)
	daemon.PrintSettings(&b, daemon.Settings[probeConfig]())
	return b.String()
}

// probeConfig are the settings that a probe obeys.
type probeConfig struct {
	ltlworker.ScrapeConfig
	ltlworker.BrowserConfig
	ltlworker.CarrierConfig
}

// Run reads the source and prints what was read.
func (p probeCommand) Run(ctx context.Context, c *console) error {
	carrier, err := contracts.ParseCarrier(p.Source)
	if err != nil {
		return fmt.Errorf("source %q: want one of %v", contracts.Printable(p.Source), contracts.Carriers)
	}
	set, err := daemon.Load[probeConfig](c.environ)
	if err != nil {
		return err
	}
	if p.Environment == contracts.Test {
		s, err := sandbox.Start(sandbox.Options{})
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		set.ScrapeConfig = system.Sandboxed(set.ScrapeConfig, s)
	}
	cfg := ltlworker.Config{
		Environment: p.Environment, ScrapeConfig: set.ScrapeConfig, BrowserConfig: set.BrowserConfig, CarrierConfig: set.CarrierConfig,
	}
	report, err := ltlworker.Probe(ctx, cfg, carrier, daemon.NewLog(daemon.Config{LogFormat: daemon.LogText}))
	if err != nil {
		return err
	}
	report.Write(c.out)
	if report.Failed() {
		return fmt.Errorf("no path could read %s", carrier)
	}
	return nil
}
