package bus_test

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
)

// patient is the deadline of what a test needs and does not measure: it holds on a busy machine too.
const patient = clocktest.Patience

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type question struct {
	Text  string `json:"text"`
	Pause string `json:"pause,omitempty"`
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

var subject = contracts.Subject{Name: "assay.v1.test.echo.A", Template: "assay.v1.{env}.echo.{x}"}

func echo(_ context.Context, q question) (answer, error) { return answer{q.Text}, nil }

func serve(t testing.TB, conn *nats.Conn, f func(context.Context, question) (answer, error)) *bus.Server {
	t.Helper()
	srv, err := bus.Serve(bus.Deps{Conn: conn}, service(4, f))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, srv) })
	return srv
}

func service(capacity int, f func(context.Context, question) (answer, error)) bus.Service {
	return bus.Service{
		Name: "echo", Version: "1.0.0", Capacity: capacity, MaxTime: patient,
		Endpoints: []bus.Endpoint{bus.Handle("echo-A", subject, f)},
	}
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

func ask(ctx context.Context, c *bus.Client, text string) (answer, error) {
	return bus.Call[answer](ctx, c, subject, question{Text: text})
}
