package worker

import (
	"context"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/jobs"
)

// Paid is the slow and paid work that captcha-worker does for others. The id of a job names it: a second job of the
// same id within an hour gets the result of the first, and is not paid for.
type Paid struct {
	queue  *jobs.Queue
	client *bus.Client
	env    contracts.Environment
}

// OpenPaid opens the way to captcha-worker. Whether one runs, only a call shows.
func (w *Worker) OpenPaid(ctx context.Context) (*Paid, error) {
	queue, err := jobs.Open(ctx, w.Bus(), w.JetStream, w.cfg.Environment)
	if err != nil {
		return nil, err
	}
	client := bus.NewClient(w.Bus(), contracts.SolverSubject(w.cfg.Environment))
	return &Paid{queue: queue, client: client, env: w.cfg.Environment}, nil
}

// Solve has the text in a CAPTCHA image read.
func (p *Paid) Solve(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error) {
	return jobs.Do[contracts.SolveResult](ctx, p.queue, contracts.Solve, id, job)
}

// Render has a page rendered.
func (p *Paid) Render(ctx context.Context, id string, job contracts.RenderJob) (contracts.RenderResult, error) {
	return jobs.Do[contracts.RenderResult](ctx, p.queue, contracts.Render, id, job)
}

// Solver asks which service solves CAPTCHAs. It costs nothing. CAPTCHA_SOLVER_NOT_CONFIGURED says that there is none,
// NO_WORKER that no captcha-worker runs.
func (p *Paid) Solver(ctx context.Context) (contracts.SolverAnswer, error) {
	return bus.Call[contracts.SolverAnswer](ctx, p.client, contracts.SolverSubject(p.env), contracts.SolverRequest{})
}
