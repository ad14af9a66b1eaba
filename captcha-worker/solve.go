package captchaworker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/captcha-worker/credits"
	"assay.dev/captcha-worker/solver"
	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

const scope = "assay.dev/captcha-worker"

const (
	// reservedUSD is above what any of the services takes for one image; assumedUSD is booked where the service does
	// not say what it took.
	reservedUSD = 0.003
	assumedUSD  = 0.001
	// busyPause is what the protocol asks for when the service has no free slot, or a page stands in for its answer.
	busyPause = 5 * time.Second
	// createTries is how often a task is sent that the service did not take, its free slots aside.
	createTries = 2
)

// solves does solve jobs.
type solves struct {
	client  *solver.Client
	ledger  *credits.Ledger
	metrics *metrics
	log     *slog.Logger
}

// solver answers which service solves CAPTCHAs. It makes no call to it.
func (s *solves) solver(context.Context, contracts.SolverRequest) (contracts.SolverAnswer, error) {
	if !s.client.Configured() {
		return contracts.SolverAnswer{}, errNotConfigured()
	}
	return contracts.SolverAnswer{Provider: s.client.Provider()}, nil
}

func errNotConfigured() error {
	return contracts.Errorf(contracts.CaptchaSolverNotConfigured,
		"this deployment has no CAPTCHA solver: set ASSAY_SOLVER_KEY on captcha-worker to read Texas licenses")
}

func errNoImage() error {
	return contracts.Errorf(contracts.InvalidRequest, "a solve job needs an image")
}

func (s *solves) do(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error) {
	if !s.client.Configured() {
		return contracts.SolveResult{}, errNotConfigured()
	}
	switch {
	case job.Bad != nil:
		return contracts.SolveResult{}, s.report(ctx, *job.Bad)
	case len(job.Image) == 0:
		return contracts.SolveResult{}, errNoImage()
	}
	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer(scope).Start(ctx, "captcha.solve",
		trace.WithAttributes(attribute.String("captcha.provider", s.client.Provider())))
	defer span.End()
	begun := time.Now()
	result, cost, err := s.solve(ctx, id, job)
	s.metrics.solved(s.client.Provider(), solveOutcome(err), time.Since(begun), cost)
	span.SetAttributes(attribute.String("captcha.outcome", solveOutcome(err)),
		attribute.Float64("captcha.cost_usd", cost))
	if err != nil {
		span.SetStatus(codes.Error, solveOutcome(err))
	}
	switch {
	case errors.Is(err, solver.Unsolvable):
		return contracts.SolveResult{Unsolvable: true}, nil
	case err != nil:
		return contracts.SolveResult{}, s.refusal(ctx, err)
	}
	return result, nil
}

// solve pays for the image once, however often the job is delivered.
func (s *solves) solve(
	ctx context.Context, id string, job contracts.SolveJob,
) (result contracts.SolveResult, usd float64, err error) {
	grant, fresh, err := s.ledger.Reserve(ctx, id, credits.MicroUSD(reservedUSD))
	if err != nil {
		return result, 0, err
	}
	task := grant.Task
	var solution *solver.Solution
	switch {
	case fresh:
		task, solution, err = s.create(ctx, job)
		if err == nil {
			s.noteTask(ctx, id, task)
		}
	case task == "":
		return result, 0, errLost
	}
	result, usd, err = s.await(ctx, task, solution, err)
	settle(ctx, s.ledger, id, credits.MicroUSD(usd), s.log)
	return result, usd, err
}

// noteTask keeps the task for a worker that takes the job over. Where that fails, this one goes on all the same.
func (s *solves) noteTask(ctx context.Context, id, task string) {
	if err := s.ledger.Note(ctx, id, task); err != nil {
		s.log.WarnContext(ctx, "a task is not noted", "job", id, "error", err)
	}
}

// await waits for the solution of a task, unless it is there already or creating the task failed, and says what it
// cost.
func (s *solves) await(
	ctx context.Context, task string, solution *solver.Solution, err error,
) (result contracts.SolveResult, usd float64, _ error) {
	if err == nil && solution == nil {
		solution, err = s.client.Await(ctx, task)
	}
	if err == nil {
		usd = solution.CostUSD
		result = contracts.SolveResult{Text: solution.Text,
			SolveRef: contracts.SolveRef{Provider: s.client.Provider(), TaskID: task}}
	}
	if usd == 0 && charged(task, err) {
		usd = assumedUSD
	}
	return result, usd, err
}

// errLost says that a worker died between paying and noting what for.
var errLost = errors.New("an earlier attempt at this job may have paid already")

// charged tells whether a call is paid for when the service does not say. A failed solve is refunded; a solve that
// nobody waited for is not, and neither may be one whose task was sent and not answered.
func charged(task string, err error) bool {
	if err == nil || task != "" {
		return !errors.Is(err, solver.Unsolvable)
	}
	return errors.Is(err, solver.Lost)
}

// create waits for a free slot at the service as long as the job may take.
func (s *solves) create(ctx context.Context, job contracts.SolveJob) (string, *solver.Solution, error) {
	for try := 1; ; {
		task, solution, err := s.client.Create(ctx, job)
		if errors.Is(err, solver.Unreachable) && try < createTries {
			try++
		} else if !errors.Is(err, solver.Busy) {
			return task, solution, err
		}
		if clock.Sleep(ctx, busyPause) != nil {
			return "", nil, err
		}
	}
}

func (s *solves) report(ctx context.Context, bad contracts.SolveRef) error {
	if bad.Provider != s.client.Provider() {
		return nil // it was solved by a service that is no longer configured
	}
	if err := s.client.ReportBad(ctx, bad.TaskID); err != nil {
		s.log.WarnContext(ctx, "a bad solve could not be reported", "provider", bad.Provider, "error", err)
		return s.refusal(ctx, err)
	}
	s.metrics.reported(s.client.Provider())
	return nil
}

// refusal is what the job's sender is told. The service's own words stay here.
func (s *solves) refusal(ctx context.Context, err error) error {
	s.log.WarnContext(ctx, "solve failed", "provider", s.client.Provider(), "outcome", solveOutcome(err), "error", err)
	wait := time.Minute
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, credits.ErrSpent), errors.Is(err, solver.AccountRefused):
		wait = 15 * time.Minute
	}
	return contracts.Wrap(err, contracts.SourceUnavailable, "the CAPTCHA could not be solved; retry later").After(wait)
}

// solveOutcome is a metric label.
func solveOutcome(err error) string { return outcome("solved", string(solver.KindOf(err)), err) }

// watch shows what is left of the month's budget and on the account.
func (s *solves) watch(ctx context.Context) {
	if !s.client.Configured() {
		return
	}
	if month, err := s.ledger.Read(ctx); err != nil {
		s.log.WarnContext(ctx, "the solve credits cannot be read", "error", err)
	} else {
		s.metrics.budget.WithLabelValues().Set(credits.USD(month.Remaining()))
	}
	balance, err := s.client.Balance(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "the solver's balance is not known", "provider", s.client.Provider(), "error", err)
		return
	}
	s.metrics.balance.WithLabelValues().Set(balance)
}
