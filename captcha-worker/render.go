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
	"assay.dev/captcha-worker/renderer"
	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/jobs"
)

const (
	// renderCost is what a render may cost when the job does not say: about 5 credits are usual.
	renderCost = 10
	// countLag is how late the rendering service's own count is, with a margin.
	countLag = 20 * time.Second
	// renderTries bounds the calls for one page that the service says it could not make: it tries for long by itself.
	renderTries = 3
)

// renders does render jobs.
type renders struct {
	client  *renderer.Client
	ledger  *credits.Ledger
	metrics *metrics
	log     *slog.Logger
}

func (r *renders) do(ctx context.Context, id string, job contracts.RenderJob) (contracts.RenderResult, error) {
	if !r.client.Configured() {
		return contracts.RenderResult{}, errNoRenderer()
	}
	if job.MaxCost <= 0 {
		job.MaxCost = renderCost
	}
	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer(scope).Start(ctx, "render")
	defer span.End()
	begun := time.Now()
	result, err := r.render(ctx, id, job)
	r.metrics.rendered(renderOutcome(err), time.Since(begun))
	span.SetAttributes(attribute.String("render.outcome", renderOutcome(err)),
		attribute.Int("render.credits", result.Credits))
	if err != nil {
		span.SetStatus(codes.Error, renderOutcome(err))
		return contracts.RenderResult{}, r.refusal(ctx, err)
	}
	return result, nil
}

func errNoRenderer() error {
	return contracts.Errorf(contracts.SourceUnavailable,
		"this deployment has no rendering service: set ASSAY_RENDER_KEY on captcha-worker").After(time.Hour)
}

// render pays for the page at most once, however often the job is delivered. A page whose worker died while it was
// being rendered is not asked for again: that call may have been charged, and what it gave is gone.
func (r *renders) render(ctx context.Context, id string, job contracts.RenderJob) (contracts.RenderResult, error) {
	_, fresh, err := r.ledger.Reserve(ctx, id, int64(job.MaxCost))
	if err != nil {
		return contracts.RenderResult{}, err
	}
	if !fresh {
		return contracts.RenderResult{}, errLost
	}
	result, err := r.call(ctx, job)
	settle(ctx, r.ledger, id, cost(result, job, err), r.log)
	return result, err
}

// call asks again where the service charges nothing and a later try may work. A call that is made is waited for also
// when the job's sender has left: it is charged, and who asks again gets the page.
func (r *renders) call(ctx context.Context, job contracts.RenderJob) (contracts.RenderResult, error) {
	for try := 1; ; try++ {
		result, err := r.client.Render(jobs.Unhurried(ctx), job)
		if try == renderTries || !errors.Is(err, renderer.Busy) && !errors.Is(err, renderer.Unreachable) {
			return result, err
		}
		if clock.Sleep(ctx, time.Duration(try)*time.Second) != nil {
			return result, err
		}
	}
}

// cost is what to book for a call; the most it can be when no answer came back. The count of the service itself
// corrects that later.
func cost(result contracts.RenderResult, job contracts.RenderJob, err error) int64 {
	if kind := renderer.KindOf(err); err != nil && (kind == "" || kind == renderer.Lost) {
		return int64(job.MaxCost)
	}
	return int64(result.Credits)
}

// refusal is what the job's sender is told. The service's own words stay here.
func (r *renders) refusal(ctx context.Context, err error) error {
	r.log.WarnContext(ctx, "render failed", "outcome", renderOutcome(err), "error", err)
	wait := time.Minute
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, credits.ErrSpent), errors.Is(err, renderer.AccountRefused):
		wait = time.Hour
	}
	return contracts.Wrap(err, contracts.SourceUnavailable, "the page could not be rendered; retry later").After(wait)
}

// renderOutcome is a metric label.
func renderOutcome(err error) string { return outcome("rendered", string(renderer.KindOf(err)), err) }

// outcome is a metric label: what became of a call to a paid service, whose own failure is kind where it told one.
func outcome(good, kind string, err error) string {
	switch {
	case err == nil:
		return good
	case kind != "":
		return kind
	case errors.Is(err, credits.ErrSpent):
		return "budget_spent"
	case errors.Is(err, credits.ErrUncounted):
		return "uncounted"
	case errors.Is(err, errLost):
		return "lost"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return "error"
}

// watch reconciles the ledger with the service's own count and shows both sides of it.
func (r *renders) watch(ctx context.Context) {
	if r.client.Configured() {
		if account, err := r.client.Account(ctx); err != nil {
			r.log.WarnContext(ctx, "the rendering service's count is not known", "error", err)
		} else if _, err := r.ledger.Reconcile(ctx, account.Used, countLag); err != nil {
			r.log.WarnContext(ctx, "the render credits could not be reconciled", "error", err)
		}
	}
	month, err := r.ledger.Read(ctx)
	if err != nil {
		r.log.WarnContext(ctx, "the render credits cannot be read", "error", err)
		return
	}
	if r.client.Configured() {
		r.metrics.remaining.WithLabelValues().Set(float64(month.Remaining()))
	}
	r.metrics.reserved.Set(float64(month.Reserved()))
}
