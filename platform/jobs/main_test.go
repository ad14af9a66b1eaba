package jobs_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
)

// patient is the deadline of what a test needs and does not measure: it holds on a busy machine too.
const patient = clocktest.Patience

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type question struct {
	Text string `json:"text"`
}

func (q question) Validate() error {
	if q.Text == "" {
		return contracts.Invalid("body", "text", "missing", "is missing")
	}
	return nil
}

type answer struct {
	Text string `json:"text"`
}

func stop(t testing.TB, s interface{ Stop(context.Context) error }) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		t.Error(err)
	}
}

func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}
