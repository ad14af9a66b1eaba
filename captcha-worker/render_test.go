package captchaworker

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/jobs"
	renderers "assay.dev/sandbox/renderer"
)

const page = "https://ilcc.illinois.gov/resources/liquor-license-lookup.html"

// counted waits until the worker knows what the provider has counted.
func (w *world) counted(t *testing.T) {
	t.Helper()
	clocktest.Await(t, "the ledger is reconciled",
		func() bool { return !w.month(t, contracts.Render).ReconciledAt.IsZero() })
}

func (w *world) render(t *testing.T, id string) (contracts.RenderResult, error) {
	t.Helper()
	return jobs.Do[contracts.RenderResult](within(t, clocktest.Patience), w.jobs, contracts.Render, id,
		contracts.RenderJob{URL: page})
}

func TestRender(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(t, w.config())
	w.counted(t)
	got, err := w.render(t, "job")
	if err != nil || !strings.Contains(string(got.HTML), "<html") || got.Credits != 5 {
		t.Fatalf("%d bytes, %d credits, %v", len(got.HTML), got.Credits, err)
	}
	if _, err := w.render(t, "job"); err != nil {
		t.Errorf("the same job again: %v", err)
	}
	counts := w.sandbox.Licensing().Renderer.Counts()
	if counts.Credits != 5 {
		t.Errorf("the provider charged %d", counts.Credits)
	}
	if month := w.month(t, contracts.Render); month.Spent != 5 || month.Reserved() != 0 {
		t.Errorf("ledger: %+v", month)
	}
}

// What the service does not charge is given back, and what it asks to retry is retried.
func TestRenderFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		failure renderers.Failure
		works   bool
	}{
		"credits out": {renderers.CreditsOut, false},
		"too dear":    {renderers.TooDear, false},
		"blocked":     {renderers.Blocked, false},
		"throttled":   {renderers.Throttled, true},
		"transient":   {renderers.Unavailable, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.start(t, w.config())
			w.counted(t)
			if err := w.sandbox.Licensing().Renderer.Fail(tt.failure, 1); err != nil {
				t.Fatal(err)
			}
			_, err := w.render(t, "job")
			if tt.works != (err == nil) || (err != nil && contracts.CodeOf(err) != contracts.SourceUnavailable) {
				t.Errorf("error %v", err)
			}
			month := w.month(t, contracts.Render)
			if charged := int64(w.sandbox.Licensing().Renderer.Counts().Credits); month.Spent != charged ||
				month.Reserved() != 0 {
				t.Errorf("the provider charged %d, the ledger says %+v", charged, month)
			}
		})
	}
}

// A page that takes longer than its sender waits is charged all the same: it is there for who asks again.
func TestARenderOutlivesItsSender(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(t, w.config())
	w.counted(t)
	service := w.sandbox.Licensing().Renderer
	behaviour := service.Behaviour()
	behaviour.Delay = 2 * time.Second // twice as long as the sender waits
	if err := service.Behave(behaviour); err != nil {
		t.Fatal(err)
	}
	id := ""
	clocktest.Await(t, "a worker takes the job in time", func() bool {
		id = fmt.Sprint("job-", time.Now().UnixNano())
		_, err := jobs.Do[contracts.RenderResult](within(t, time.Second), w.jobs, contracts.Render, id, contracts.RenderJob{URL: page})
		if contracts.CodeOf(err) != contracts.Timeout {
			t.Errorf("%v; want TIMEOUT", err)
		}
		return service.Counts().Calls > 0
	})
	if got, err := w.render(t, id); err != nil || !strings.Contains(string(got.HTML), "<html") {
		t.Errorf("%d bytes, %v", len(got.HTML), err)
	}
}

func TestRenderBudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cfg := w.config()
	cfg.RenderBudget = 12 // one render, and no reservation of ten beside it
	w.start(t, cfg)
	w.counted(t)
	if _, err := w.render(t, "first"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.render(t, "second"); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("%v; want SOURCE_UNAVAILABLE", err)
	}
}

// Without the provider's own count nothing is spent: the ledger may have been lost.
func TestRenderNeedsTheProvidersCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cfg := w.config()
	cfg.RendererConfig.Key = "wrong key"
	w.start(t, cfg)
	if _, err := w.render(t, "job"); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("%v; want SOURCE_UNAVAILABLE", err)
	}
	if calls := w.sandbox.Licensing().Renderer.Counts().Calls; calls != 0 {
		t.Errorf("%d calls were made", calls)
	}
}
