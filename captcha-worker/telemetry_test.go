package captchaworker

import (
	"context"
	"log/slog"
	"net/http"
	"testing"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"assay.dev/captcha-worker/renderer"
	"assay.dev/captcha-worker/solver"
	"assay.dev/contracts"
	"assay.dev/platform/bustest"
)

// A search for failed spans finds the paid calls that failed.
func TestSpansOfFailuresHaveAnErrorStatus(t *testing.T) {
	t.Parallel()
	w := &world{nats: bustest.Server(t)}
	metrics, err := newMetrics(nil)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	solves := solves{
		client: solver.New(solver.Config{Provider: "2captcha", Key: "key"}, http.DefaultTransport),
		ledger: w.ledger(t, contracts.Solve), metrics: metrics, log: log,
	}
	renders := renders{
		client: renderer.New(renderer.Config{Key: "key", URL: "https://api.scraperapi.com"}, http.DefaultTransport),
		ledger: w.ledger(t, contracts.Render), metrics: metrics, log: log,
	}
	for name, do := range map[string]func(context.Context) error{
		"captcha.solve": func(ctx context.Context) error {
			_, err := solves.do(ctx, "job", contracts.SolveJob{Image: []byte("image")})
			return err
		},
		"render": func(ctx context.Context) error {
			_, err := renders.do(ctx, "job", contracts.RenderJob{URL: page})
			return err
		},
	} {
		spans := tracetest.NewSpanRecorder()
		ctx, span := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test").Start(t.Context(), "job")
		if err := do(ctx); err == nil {
			t.Errorf("%s: the budget is 0, and it did not fail", name)
		}
		span.End()
		want := sdktrace.Status{Code: codes.Error, Description: "budget_spent"}
		if got := spans.Ended()[0]; got.Name() != name || got.Status() != want {
			t.Errorf("%s has the status %v", got.Name(), got.Status())
		}
	}
}
