package jobs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/jobs"
)

// All solve slots of a process may be taken while its renders have room: each kind shows that by itself.
func TestAnOperatorSeesHowFullAndHowLateJobsAre(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	conn, registry, spans := bustest.Connect(t, srv), prometheus.NewPedanticRegistry(), tracetest.NewSpanRecorder()
	queue, err := jobs.Open(within(t, patient), bus.Deps{
		Conn: conn, Metrics: registry, Tracer: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)),
	}, bustest.JetStream(t, conn), contracts.Test)
	if err != nil {
		t.Fatal(err)
	}
	for kind, slots := range map[contracts.JobKind]int{contracts.Solve: 1, contracts.Render: 2} {
		w, err := jobs.Work(within(t, patient), queue, kind, slots,
			func(ctx context.Context, id string, q question) (answer, error) {
				if err := testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP worker_capacity Requests and jobs that can be in hand at one time.
# TYPE worker_capacity gauge
worker_capacity{kind="render"} 2
worker_capacity{kind="solve"} 1
# HELP worker_inflight Requests and jobs in hand.
# TYPE worker_inflight gauge
worker_inflight{kind="render"} 0
worker_inflight{kind="solve"} 1
`), "worker_capacity", "worker_inflight"); err != nil {
					t.Error(err)
				}
				if n, err := testutil.GatherAndCount(registry, "job_wait_seconds"); n != 2 || err != nil {
					t.Errorf("%d series of waits, %v", n, err)
				}
				return echoJob(ctx, id, q)
			})
		if err != nil {
			t.Fatal(err)
		}
		defer stop(t, w)
	}
	if _, err := solve(within(t, patient), openJobs(t, bustest.Connect(t, srv)), "one", "x"); err != nil {
		t.Fatal(err)
	}
	hasWait := false
	for _, a := range spans.Ended()[0].Attributes() {
		hasWait = hasWait || a.Key == "assay.queue_wait_ms"
	}
	if !hasWait {
		t.Errorf("the span has %v", spans.Ended()[0].Attributes())
	}
}
