package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	Confirm confirmCredits `cmd:"" help:"Let restored ledgers be used."`
	Show    showCredits    `cmd:"" default:"withargs" help:"Show a month's budgets, what was spent and what is left."`
	Set     setCredits     `cmd:"" help:"Change this month's budgets."`
}

// Help says which deployment is meant.
func (creditsCommand) Help() string {
	return "Renders are counted in the rendering service's credits, solves in US dollars." + targetHelp
}

type showCredits struct {
	Environment contracts.Environment `help:"live or test." default:"live"`
	Month       time.Time             `help:"The month, such as 2026-11; the current one by default (UTC). One in which nothing was spent has the budget of today." format:"2006-01"`
	JSON        bool                  `help:"Print JSON instead of a table."`
}

// Run prints the accounts of one environment.
func (s showCredits) Run(ctx context.Context, c *console) error {
	return withLedgers(ctx, c, func(ctx context.Context, l ledgers) error {
		accounts, err := l.accounts(ctx, s.Environment, cmp.Or(s.Month, time.Now()))
		if err != nil {
			return err
		}
		if s.JSON {
			return printJSON(c, accounts)
		}
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "KIND\tBUDGET\tSPENT\tRESERVED\tLEFT\tUNIT\t")
		for _, a := range accounts {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", a.Kind,
				a.amount(a.Budget), a.amount(a.Spent), a.amount(a.Reserved), a.amount(a.Left), a.Unit)
		}
		return w.Flush()
	})
}

type setCredits struct {
	Environment contracts.Environment `help:"live or test." default:"live"`
	Renders     *int64                `help:"Credits that renders may cost this month."`
	Solves      *float64              `help:"US dollars that solves may cost this month."`
	JSON        bool                  `help:"Print the new budgets as JSON."`
}

// Validate refuses a command that changes nothing, and negative budgets.
func (s setCredits) Validate() error {
	switch {
	case s.Renders == nil && s.Solves == nil:
		return errors.New("give --renders, --solves or both")
	case s.Renders != nil && *s.Renders < 0, s.Solves != nil && *s.Solves < 0:
		return errors.New("a budget is at least 0")
	}
	return nil
}

// Run changes what is given, and shows the result.
func (s setCredits) Run(ctx context.Context, c *console) error {
	err := withLedgers(ctx, c, func(ctx context.Context, l ledgers) error {
		if s.Renders != nil {
			if err := l.of(s.Environment, contracts.Render).SetBudget(ctx, *s.Renders); err != nil {
				return err
			}
		}
		if s.Solves != nil {
			return l.of(s.Environment, contracts.Solve).SetBudget(ctx, credits.MicroUSD(*s.Solves))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return showCredits{Environment: s.Environment, JSON: s.JSON}.Run(ctx, c)
}

// account is a month's ledger of one kind of paid call. Amounts are in Unit: credits of the rendering service, or
// US dollars.
type account struct {
	Environment contracts.Environment `json:"environment"`
	Kind        contracts.JobKind     `json:"kind"`
	Unit        string                `json:"unit"`
	Budget      float64               `json:"budget"`
	Spent       float64               `json:"spent"`
	Reserved    float64               `json:"reserved"`
	Left        float64               `json:"left"`
}

const (
	creditsUnit = "credits"
	dollarsUnit = "USD"
)

func accountOf(env contracts.Environment, kind contracts.JobKind, m credits.Month) account {
	unit, in := creditsUnit, func(n int64) float64 { return float64(n) }
	if kind == contracts.Solve {
		unit, in = dollarsUnit, credits.USD
	}
	return account{env, kind, unit, in(m.Budget), in(m.Spent), in(m.Reserved()), in(m.Remaining())}
}

// amount prints dollars with four decimals, because a solve costs a tenth of a cent, and credits without any.
func (a account) amount(n float64) string {
	if a.Unit == dollarsUnit {
		return fmt.Sprintf("%.4f", n)
	}
	return fmt.Sprintf("%.0f", n)
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

// accounts reads the ledgers of an environment as of a month.
func (l ledgers) accounts(ctx context.Context, env contracts.Environment, month time.Time) ([]account, error) {
	accounts := []account{}
	for _, kind := range contracts.JobKinds {
		m, err := l.of(env, kind).ReadMonth(ctx, month)
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, accountOf(env, kind, m))
	}
	return accounts, nil
}

// ledgersTime bounds a command about the ledgers.
const ledgersTime = 9 * time.Second

// withLedgers calls f with the ledgers of the deployment, for at most ledgersTime.
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
		return fmt.Errorf("the ledger, stream %s, does not answer within %s: %w",
			contracts.CreditsBucket.Stream(), ledgersTime, err)
	}
	return err
}
