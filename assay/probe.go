package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	abcworker "assay.dev/abc-worker"
	"assay.dev/assay/system"
	captchaworker "assay.dev/captcha-worker"
	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
	"assay.dev/platform/worker"
	"assay.dev/sandbox"
)

type probeCommand struct {
	Source      string                `arg:"" help:"A carrier's or a state's code, such as ODFL or CA."`
	Environment contracts.Environment `help:"live reads the site itself; test reads a sandbox started for this." default:"live"`
	Paid        bool                  `help:"Of live: also try the paths that cost money, with your own keys. In test they cost nothing and are always tried."`
	JSON        bool                  `help:"Print JSON instead of text."`

	Number    string `help:"Of a state: the license to look up."`
	DBAName   string `name:"dba-name" help:"Of a state: trade name to search for."`
	OwnerName string `help:"Of a state: holder to search for."`
	Address   string `help:"Of a state: street or city to search for."`
}

// probeConfig are the settings that a probe obeys.
type probeConfig struct {
	worker.ScrapeConfig
	ltlworker.BrowserConfig
	ltlworker.CarrierConfig
	captchaworker.SolverConfig
	captchaworker.RendererConfig
	abcworker.ListConfig
	SODAToken daemon.Secret `env:"ASSAY_SODA_TOKEN" help:"application token for the open-data services of TX and NY; empty: none, which they allow"`
}

// Help lists the settings.
func (probeCommand) Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, `Every path of the source's recipe is tried once, with a transcript. Standard error shows which one is being tried.
It needs no running system. Live probes go out through HTTPS_PROXY when it is set, and believe the authorities of
SSL_CERT_FILE. Exit code 1: no path could read, or TX's list of delinquents could not be read. Exit code 2: there is no
such source, or the question does not fit it.

Some paths need a rendering service (ASSAY_RENDER_KEY: IL, and the path scraper of carriers) or a CAPTCHA solver
(ASSAY_SOLVER_KEY: TX). Live probes try them with --paid only. A render costs %d credits at most, a solve %.3f US
dollars; the report ends with what was spent. The budgets of a deployment do not bound it.
`, captchaworker.MaxRenderCredits, captchaworker.MaxSolveUSD)
	daemon.PrintSettings(&b, daemon.Settings[probeConfig]())
	return b.String()
}

// Validate checks that the source exists, and that the question fits it.
func (p probeCommand) Validate() error {
	if carrier, err := contracts.ParseCarrier(p.Source); err == nil {
		if p.Number != "" || p.query() != (contracts.Query{}) {
			return fmt.Errorf("%s is a carrier: --number, --dba-name, --owner-name and --address are for states",
				carrier)
		}
		return nil
	}
	state, err := contracts.ParseState(p.Source)
	if err != nil {
		return fmt.Errorf("source %q: want one of %v, %v",
			contracts.Printable(p.Source), contracts.Carriers, contracts.States)
	}
	if (p.Number == "") == (p.query() == contracts.Query{}) {
		return fmt.Errorf("%s is a state: give --number, or at least one of --dba-name, --owner-name and --address",
			state)
	}
	if p.Number != "" {
		_, err = contracts.NormalLicenseNumber(state, p.Number)
	}
	return err
}

func (p probeCommand) query() contracts.Query {
	return contracts.Query{DBAName: p.DBAName, OwnerName: p.OwnerName, Address: p.Address}
}

// Run reads the source and prints what was read.
func (p probeCommand) Run(ctx context.Context, c *console) error {
	set, err := daemon.Load[probeConfig](c.environ)
	if err != nil {
		return err
	}
	paid := captchaworker.Config{Egress: set.Egress, SolverConfig: set.SolverConfig, RendererConfig: set.RendererConfig}
	if p.Environment == contracts.Test {
		s, err := sandbox.Start(sandbox.Options{})
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		set.ScrapeConfig, paid = system.Sandboxed(set.ScrapeConfig, s), system.SandboxedPaid(paid, s)
	}
	transport, err := paid.Egress.Transport()
	if err != nil {
		return err
	}
	defer transport.CloseIdleConnections()
	log := daemon.NewLog(daemon.Config{LogFormat: daemon.LogText, LogLevel: slog.LevelWarn})
	direct := captchaworker.NewDirect(paid, transport, log)
	ctx = scrape.WithProbeProgress(ctx, func(path string, method contracts.Method) {
		fmt.Fprintf(c.errs, "trying the path %s (%s) of %s\n", path, method, strings.ToUpper(p.Source))
	})
	result, err := p.readSource(ctx, set, p.payer(direct), log)
	if err != nil {
		return err
	}
	result.Spent = direct.Spent()
	return result.print(c, p.JSON)
}

// notPaid is why a paid path is not tried.
const notPaid = "this path costs money and was not tried: add --paid"

// payer does the paid work of a probe, or refuses it.
type payer struct {
	solve  func(context.Context, string, contracts.SolveJob) (contracts.SolveResult, error)
	render func(context.Context, string, contracts.RenderJob) (contracts.RenderResult, error)
}

// payer pays when --paid is given, or when the sandbox is paid.
func (p probeCommand) payer(direct *captchaworker.Direct) payer {
	if p.Paid || p.Environment == contracts.Test {
		return payer{direct.Solve, direct.Render}
	}
	return payer{
		func(context.Context, string, contracts.SolveJob) (contracts.SolveResult, error) {
			return contracts.SolveResult{}, contracts.Errorf(contracts.CaptchaSolverNotConfigured, notPaid)
		},
		func(context.Context, string, contracts.RenderJob) (contracts.RenderResult, error) {
			return contracts.RenderResult{}, scrape.Failf(scrape.Unavailable, notPaid)
		},
	}
}

// readSource tries every path of the source.
func (p probeCommand) readSource(
	ctx context.Context, set probeConfig, pay payer, log *slog.Logger,
) (probeResult, error) {
	if carrier, err := contracts.ParseCarrier(p.Source); err == nil {
		cfg := ltlworker.Config{
			Config:        worker.Config{Environment: p.Environment, ScrapeConfig: set.ScrapeConfig},
			BrowserConfig: set.BrowserConfig, CarrierConfig: set.CarrierConfig,
			Render: func(ctx context.Context, _ contracts.Carrier, job contracts.RenderJob) (contracts.RenderResult,
				error) {
				return pay.render(ctx, "", job)
			},
		}
		report, err := ltlworker.Probe(ctx, cfg, carrier, log)
		return resultOf(report, weeksRead), err
	}
	state, err := contracts.ParseState(p.Source)
	if err != nil {
		return probeResult{}, err
	}
	cfg := abcworker.Config{
		Config:    worker.Config{Environment: p.Environment, ScrapeConfig: set.ScrapeConfig},
		SODAToken: set.SODAToken, ListConfig: set.ListConfig, Solve: pay.solve, Render: pay.render,
	}
	report, err := abcworker.Probe(ctx, cfg, state, abcworker.Question{Number: p.Number, Query: p.query()}, log)
	return resultOf(report, licensesRead), err
}
