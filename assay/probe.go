package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	abcworker "assay.dev/abc-worker"
	"assay.dev/assay/system"
	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	"assay.dev/sandbox"
)

type probeCommand struct {
	Source      string                `arg:"" help:"A carrier's or a state's code, such as ODFL or CA."`
	Environment contracts.Environment `help:"live reads the site itself; test reads a sandbox started for this." default:"live"`

	Number    string `help:"Of a state: the license to look up."`
	DBAName   string `name:"dba-name" help:"Of a state: trade name to search for."`
	OwnerName string `help:"Of a state: holder to search for."`
	Address   string `help:"Of a state: street or city to search for."`
}

// probeConfig are the settings that a probe obeys.
type probeConfig struct {
	ltlworker.ScrapeConfig
	ltlworker.BrowserConfig
	ltlworker.CarrierConfig
	SODAToken daemon.Secret `env:"ASSAY_SODA_TOKEN" help:"application token for the open-data services of TX and NY; empty: none, which they allow"`
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

// report is what a probe found.
type report interface {
	Write(w io.Writer)
	Failed() bool
}

// Run reads the source and prints what was read.
func (p probeCommand) Run(ctx context.Context, c *console) error {
	probe, err := p.source()
	if err != nil {
		return err
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
	found, err := probe(ctx, set)
	if err != nil {
		return err
	}
	found.Write(c.out)
	if found.Failed() {
		return fmt.Errorf("no path could read %s", p.Source)
	}
	return nil
}

// source finds the probe of the carrier or state that is named.
func (p probeCommand) source() (func(context.Context, probeConfig) (report, error), error) {
	if carrier, err := contracts.ParseCarrier(p.Source); err == nil {
		return func(ctx context.Context, set probeConfig) (report, error) { return p.carrier(ctx, set, carrier) }, nil
	}
	if state, err := contracts.ParseState(p.Source); err == nil {
		return func(ctx context.Context, set probeConfig) (report, error) { return p.state(ctx, set, state) }, nil
	}
	return nil, fmt.Errorf("source %q: want one of %v, %v", contracts.Printable(p.Source), contracts.Carriers, contracts.States)
}

func (p probeCommand) carrier(ctx context.Context, set probeConfig, c contracts.Carrier) (report, error) {
	if slices.ContainsFunc([]string{p.Number, p.DBAName, p.OwnerName, p.Address}, func(s string) bool { return s != "" }) {
		return nil, fmt.Errorf("%s is a carrier: --number, --dba-name, --owner-name and --address are for states", c)
	}
	cfg := ltlworker.Config{
		Environment: p.Environment, ScrapeConfig: set.ScrapeConfig, BrowserConfig: set.BrowserConfig, CarrierConfig: set.CarrierConfig,
	}
	return ltlworker.Probe(ctx, cfg, c, daemon.NewLog(daemon.Config{LogFormat: daemon.LogText, LogLevel: slog.LevelWarn}))
}

func (p probeCommand) state(ctx context.Context, set probeConfig, s contracts.State) (report, error) {
	cfg := abcworker.Config{Environment: p.Environment, ScrapeConfig: set.ScrapeConfig, SODAToken: set.SODAToken}
	ask := abcworker.Question{
		Number: p.Number, Query: contracts.Query{DBAName: p.DBAName, OwnerName: p.OwnerName, Address: p.Address},
	}
	return abcworker.Probe(ctx, cfg, s, ask, daemon.NewLog(daemon.Config{LogFormat: daemon.LogText, LogLevel: slog.LevelWarn}))
}
