package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	captchaworker "assay.dev/captcha-worker"
	"assay.dev/captcha-worker/credits"
	"assay.dev/contracts"
	"assay.dev/platform/daemon"
	"assay.dev/platform/kv"
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
	return withLedgers(ctx, c, func(ctx context.Context, l ledgers) error {
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "KIND\tBUDGET\tSPENT\tRESERVED\tLEFT\tUNIT\t")
		for _, kind := range contracts.JobKinds {
			m, err := l.of(s.Environment, kind).Read(ctx)
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
	return withLedgers(ctx, c, func(ctx context.Context, l ledgers) error {
		if s.Renders != nil {
			if err := l.of(s.Environment, contracts.Render).SetBudget(ctx, *s.Renders); err != nil {
				return err
			}
		}
		if s.Solves != nil {
			if err := l.of(s.Environment, contracts.Solve).SetBudget(ctx, credits.MicroUSD(*s.Solves)); err != nil {
				return err
			}
		}
		return showCredits{s.Environment}.Run(ctx, c)
	})
}

func amount(kind contracts.JobKind, n int64) string {
	if kind == contracts.Solve {
		return fmt.Sprintf("%.4f", credits.USD(n))
	}
	return fmt.Sprint(n)
}

func unit(kind contracts.JobKind) string {
	if kind == contracts.Solve {
		return "USD"
	}
	return "credits"
}

// ledgers are those of every environment and kind of job.
type ledgers struct {
	js       jetstream.JetStream
	bucket   jetstream.KeyValue
	settings captchaworker.Config
}

func openLedgers(ctx context.Context, c *console, js jetstream.JetStream) (l ledgers, err error) {
	if l.settings, err = daemon.Load[captchaworker.Config](c.environ); err != nil {
		return l, err
	}
	l.js = js
	l.bucket, err = kv.Open(ctx, js, contracts.CreditsBucket)
	return l, err
}

func (l ledgers) of(env contracts.Environment, kind contracts.JobKind) *credits.Ledger {
	return l.settings.Ledger(l.js, l.bucket, env, kind)
}

// ledgersTime bounds a command about the ledgers.
const ledgersTime = 9 * time.Second

func withLedgers(ctx context.Context, c *console, f func(context.Context, ledgers) error) error {
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, ledgersTime)
	defer cancel()
	l, err := openLedgers(ctx, c, js)
	if err == nil {
		err = f(ctx, l)
	}
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("the ledger, stream %s, does not answer within %s: %w", contracts.CreditsBucket.Stream(), ledgersTime, err)
	}
	return err
}

// showLedgers prints the ledgers of both environments.
func showLedgers(ctx context.Context, w io.Writer, l ledgers) error {
	fmt.Fprintln(w, "CREDITS\tENVIRONMENT\tSPENT\tRESERVED\tLEFT\tUNIT")
	for _, env := range contracts.Environments {
		for _, kind := range contracts.JobKinds {
			m, err := l.of(env, kind).Read(ctx)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", kind, env, amount(kind, m.Spent), amount(kind, m.Reserved()), amount(kind, m.Remaining()), unit(kind))
		}
	}
	return nil
}
