package captchaworker

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"

	"assay.dev/captcha-worker/renderer"
	"assay.dev/captcha-worker/solver"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The most that one paid call of [Direct] costs.
const (
	MaxRenderCredits = renderCost
	MaxSolveUSD      = reservedUSD
)

// Direct does paid work in the caller's process, such as that of assay probe: without NATS, queue and ledger. The
// rendering service counts its credits all the same, and the ledger of a deployment with the same key is reconciled
// with that count. It is safe for concurrent use.
type Direct struct {
	solves  solves
	renders renders

	mu    sync.Mutex
	spent Spent
}

// Spent is what the calls of a [Direct] cost.
type Spent struct {
	Renders       int     `json:"renders"`
	RenderCredits int64   `json:"render_credits"`
	Solves        int     `json:"solves"`
	SolveUSD      float64 `json:"solve_usd"`
}

// NewDirect uses transport for all calls, with the keys of cfg.
func NewDirect(cfg Config, transport http.RoundTripper, log *slog.Logger) *Direct {
	return &Direct{
		solves:  solves{client: solver.New(cfg.SolverConfig, transport), log: log},
		renders: renders{client: renderer.New(cfg.RendererConfig, transport), log: log},
	}
}

// Spent is what was spent so far.
func (d *Direct) Spent() Spent {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.spent
}

// Render has a page rendered, for at most job.MaxCost credits, or [MaxRenderCredits] where the job does not say. Its
// errors are those of a render job. The id, which would keep a job from being paid for twice, means nothing here.
func (d *Direct) Render(ctx context.Context, _ string, job contracts.RenderJob) (contracts.RenderResult, error) {
	if !d.renders.client.Configured() {
		return contracts.RenderResult{}, errNoRenderer()
	}
	if job.MaxCost <= 0 {
		job.MaxCost = MaxRenderCredits
	}
	result, err := d.renders.call(ctx, job)
	credits := cost(result, job, err)
	scrape.Notef(ctx, "paid %d credits for a render of %s: %s", credits, job.URL, renderOutcome(err))
	d.book(func(s *Spent) { s.Renders++; s.RenderCredits += credits })
	if err != nil {
		return contracts.RenderResult{}, d.renders.refusal(ctx, err)
	}
	return result, nil
}

// Solve has the text in an image read, for at most [MaxSolveUSD]. Its errors are those of a solve job.
func (d *Direct) Solve(ctx context.Context, _ string, job contracts.SolveJob) (contracts.SolveResult, error) {
	switch {
	case !d.solves.client.Configured():
		return contracts.SolveResult{}, errNotConfigured()
	case job.Bad != nil:
		return contracts.SolveResult{}, d.solves.client.ReportBad(ctx, job.Bad.TaskID)
	case len(job.Image) == 0:
		return contracts.SolveResult{}, errNoImage()
	}
	task, solution, err := d.solves.create(ctx, job)
	result, usd, err := d.solves.await(ctx, task, solution, err)
	scrape.Notef(ctx, "paid %.4f USD for a solve: %s", usd, solveOutcome(err))
	d.book(func(s *Spent) { s.Solves++; s.SolveUSD += usd })
	switch {
	case errors.Is(err, solver.Unsolvable):
		return contracts.SolveResult{Unsolvable: true}, nil
	case err != nil:
		return contracts.SolveResult{}, d.solves.refusal(ctx, err)
	}
	return result, nil
}

func (d *Direct) book(change func(*Spent)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.spent)
}
