// Package captchaworker does what is slow and paid: it solves CAPTCHA images and renders pages through third parties,
// as jobs that it pulls from a work queue with a slot taken before the job. Every paid call is reserved in a ledger
// before it is made and settled after it (package credits), so that no number of workers overspends and no job is paid
// for twice.
package captchaworker

import (
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/captcha-worker/credits"
	"assay.dev/captcha-worker/renderer"
	"assay.dev/captcha-worker/solver"
	"assay.dev/contracts"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
)

// Names under which the settings of other packages are embedded.
type (
	Egress         = scrape.Egress
	SolverConfig   = solver.Config
	RendererConfig = renderer.Config
)

// Config holds the settings of a captcha-worker.
type Config struct {
	daemon.Config
	Egress
	SolverConfig
	RendererConfig

	Environment contracts.Environment `env:"ASSAY_ENVIRONMENT" envDefault:"live" help:"environment that is served: live or test"`

	SolveSlots   int     `env:"ASSAY_SOLVE_SLOTS" envDefault:"16" help:"CAPTCHA solves in work at the same time"`
	SolveBudget  float64 `env:"ASSAY_SOLVER_BUDGET_USD" envDefault:"20" help:"US dollars that solves may cost in a month, over all workers"`
	RenderSlots  int     `env:"ASSAY_RENDER_SLOTS" envDefault:"5" help:"renders in work at the same time; the rendering service's plan bounds them too"`
	RenderBudget int64   `env:"ASSAY_RENDER_BUDGET" envDefault:"1000" help:"credits that renders may cost in a month, over all workers"`
}

// Ledger is the ledger of one kind of job, with the budget that counts until a month has its own.
func (c Config) Ledger(
	js jetstream.JetStream, bucket jetstream.KeyValue, env contracts.Environment, kind contracts.JobKind,
) *credits.Ledger {
	if kind == contracts.Solve {
		return credits.Open(js, bucket, env, kind, credits.MicroUSD(c.SolveBudget), false)
	}
	return credits.Open(js, bucket, env, kind, c.RenderBudget, true)
}

// Validate checks the settings that are this service's own.
func (c Config) Validate() error {
	var errs []error
	if c.SolveSlots < 1 || c.RenderSlots < 1 {
		errs = append(errs, fmt.Errorf("ASSAY_SOLVE_SLOTS=%d, ASSAY_RENDER_SLOTS=%d: want at least 1", c.SolveSlots,
			c.RenderSlots))
	}
	if c.SolveBudget < 0 || c.RenderBudget < 0 {
		errs = append(errs, errors.New("ASSAY_SOLVER_BUDGET_USD, ASSAY_RENDER_BUDGET: want at least 0"))
	}
	return errors.Join(append(errs, c.SolverConfig.Validate(), c.RendererConfig.Validate())...)
}
