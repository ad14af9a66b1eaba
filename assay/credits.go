package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"text/tabwriter"

	"github.com/nats-io/nats.go/jetstream"

	captchaworker "assay.dev/captcha-worker"
	"assay.dev/captcha-worker/credits"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/daemon"
)

type creditsCommand struct {
	Show showCredits `cmd:"" default:"1" help:"Show this month's budgets, what was spent and what is left."`
	Set  setCredits  `cmd:"" help:"Change this month's budgets."`
}

// Help says which deployment is meant.
func (creditsCommand) Help() string {
	return "Renders are counted in the rendering service's credits, solves in US dollars." + targetHelp
}

type showCredits struct {
	Environment contracts.Environment `help:"live or test." default:"live"`
}

// Run prints a table.
func (s showCredits) Run(ctx context.Context, c *console) error {
	return withLedgers(ctx, c, s.Environment, func(l ledgers) error {
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "KIND\tBUDGET\tSPENT\tRESERVED\tLEFT\tUNIT\t")
		for _, kind := range contracts.JobKinds {
			m, err := l[kind].Read(ctx)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", kind, amount(kind, m.Budget), amount(kind, m.Spent),
				amount(kind, m.Reserved()), amount(kind, m.Remaining()), unit(kind))
		}
		return w.Flush()
	})
}

type setCredits struct {
	Environment contracts.Environment `help:"live or test." default:"live"`
	Renders     *int64                `help:"Credits that renders may cost this month."`
	Solves      *float64              `help:"US dollars that solves may cost this month."`
}

// Run changes what is given.
func (s setCredits) Run(ctx context.Context, c *console) error {
	return withLedgers(ctx, c, s.Environment, func(l ledgers) error {
		if s.Renders != nil {
			if err := l[contracts.Render].SetBudget(ctx, *s.Renders); err != nil {
				return err
			}
		}
		if s.Solves != nil {
			if err := l[contracts.Solve].SetBudget(ctx, int64(math.Round(*s.Solves*microUSD))); err != nil {
				return err
			}
		}
		return showCredits{s.Environment}.Run(ctx, c)
	})
}

// microUSD is how many of the solves' ledger's units make a dollar.
const microUSD = 1e6

func amount(kind contracts.JobKind, n int64) string {
	if kind == contracts.Solve {
		return fmt.Sprintf("%.4f", float64(n)/microUSD)
	}
	return fmt.Sprint(n)
}

func unit(kind contracts.JobKind) string {
	if kind == contracts.Solve {
		return "USD"
	}
	return "credits"
}

type ledgers map[contracts.JobKind]*credits.Ledger

// withLedgers opens the ledgers with the budgets of the settings, which count until a month has its own.
func withLedgers(ctx context.Context, c *console, env contracts.Environment, f func(ledgers) error) error {
	cfg, err := daemon.Load[captchaworker.Config](c.environ)
	if err != nil {
		return err
	}
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	bucket, err := bus.OpenBucket(ctx, js, contracts.CreditsBucket)
	if err != nil {
		return err
	}
	return f(openLedgers(bucket, env, cfg))
}

func openLedgers(bucket jetstream.KeyValue, env contracts.Environment, cfg captchaworker.Config) ledgers {
	return ledgers{
		contracts.Render: credits.Open(bucket, env, contracts.Render, cfg.RenderBudget, true),
		contracts.Solve:  credits.Open(bucket, env, contracts.Solve, int64(math.Round(cfg.SolveBudget*microUSD)), false),
	}
}

// showLedgers prints the ledgers of both environments.
func showLedgers(ctx context.Context, w io.Writer, js jetstream.JetStream, cfg captchaworker.Config) error {
	bucket, err := bus.OpenBucket(ctx, js, contracts.CreditsBucket)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "CREDITS\tENVIRONMENT\tSPENT\tRESERVED\tLEFT\tUNIT")
	for _, env := range contracts.Environments {
		for kind, ledger := range openLedgers(bucket, env, cfg).all() {
			m, err := ledger.Read(ctx)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", kind, env, amount(kind, m.Spent), amount(kind, m.Reserved()), amount(kind, m.Remaining()), unit(kind))
		}
	}
	return nil
}

// all goes through the ledgers in the order of the kinds.
func (l ledgers) all() iter.Seq2[contracts.JobKind, *credits.Ledger] {
	return func(yield func(contracts.JobKind, *credits.Ledger) bool) {
		for _, kind := range contracts.JobKinds {
			if !yield(kind, l[kind]) {
				return
			}
		}
	}
}
