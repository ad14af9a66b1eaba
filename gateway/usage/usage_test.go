package usage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func publisher(t *testing.T, js jetstream.JetStream) *usage.Publisher {
	t.Helper()
	return publisherWith(t, js, nil)
}

func publisherWith(t *testing.T, js jetstream.JetStream, aside *usage.Aside) *usage.Publisher {
	t.Helper()
	p, err := usage.NewPublisher(js, aside, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func event(id int, tenant string, p contracts.Product, at time.Time) usage.Event {
	return usage.Event{ID: fmt.Sprint(id), Tenant: tenant, Product: p, Route: "/v1/x", RequestID: "same", At: at}
}

func TestSumsPerTenantProductAndMonth(t *testing.T) {
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	now := time.Now().UTC()
	if none, err := usage.Sums(t.Context(), js, now); err != nil || len(none) != 0 {
		t.Fatalf("sums of nothing: %v, %v", none, err)
	}
	p := publisher(t, js)
	for i := range 700 {
		p.Report(event(i, "acme", contracts.LTL, now))
		p.Report(event(i, "acme", contracts.LTL, now)) // the same answer twice
	}
	for i := range 3 {
		p.Report(event(1000+i, "acme", contracts.ABC, now))
		p.Report(event(2000+i, "bolt", contracts.LTL, now))
		p.Report(event(3000+i, "bolt", contracts.LTL, now.AddDate(0, -2, 0)))
		p.ReportTest("bolt", contracts.LTL, now)
		p.ReportTest("crew", contracts.ABC, now)
		p.ReportTest("crew", contracts.ABC, now.AddDate(0, -2, 0))
	}
	if err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := usage.Sums(t.Context(), js, now)
	if err != nil {
		t.Fatal(err)
	}
	month := usage.Month(now)
	want := []usage.Sum{
		{Tenant: "acme", Product: contracts.ABC, Month: month, Count: 3, Cents: 15, Price: 15 * contracts.Cent},
		{Tenant: "acme", Product: contracts.LTL, Month: month, Count: 700, Cents: 2100, Price: 2100 * contracts.Cent},
		{Tenant: "bolt", Product: contracts.LTL, Month: month, Count: 3, Cents: 9, Price: 9 * contracts.Cent, Tested: 3},
		{Tenant: "crew", Product: contracts.ABC, Month: month, Tested: 3},
	}
	if !slices.Equal(got, want) {
		t.Errorf("sums\n%v, want\n%v", got, want)
	}
	billedBefore(t, js, 700+3*3)
}

// Events that a gateway sends days after their month has ended are of that month, also the last of them.
func TestLateEventsAreOfTheirMonth(t *testing.T) {
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	now := time.Now().UTC()
	before := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC).Add(-time.Hour)
	p := publisher(t, js)
	for i := range 3 {
		p.Report(event(i, "acme", contracts.LTL, before))
	}
	if err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sums, err := usage.Sums(t.Context(), js, before); err != nil || len(sums) != 1 || sums[0].Count != 3 {
		t.Errorf("%v, %v", sums, err)
	}
	if sums, err := usage.Sums(t.Context(), js, now); err != nil || len(sums) != 0 {
		t.Errorf("the month that runs: %v, %v", sums, err)
	}
}

// billedBefore fails unless a version that knows no test events finds so many billable events.
func billedBefore(t *testing.T, js jetstream.JetStream, want int) {
	t.Helper()
	stream, err := js.Stream(t.Context(), contracts.UsageStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	billed := 0
	for i := range stream.CachedInfo().State.LastSeq {
		msg, err := stream.GetMsg(t.Context(), i+1)
		var e struct{ At time.Time }
		if err != nil || json.Unmarshal(msg.Data, &e) != nil {
			t.Fatal(err)
		}
		if !e.At.IsZero() {
			billed++
		}
	}
	if billed != want {
		t.Errorf("%d events are billed by the version before, want %d", billed, want)
	}
}

// Reporting does not wait for NATS, and what was reported while it was away arrives when it is back.
func TestEventsOutliveAnOutage(t *testing.T) {
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	metrics := prometheus.NewRegistry()
	p, err := usage.NewPublisher(js, nil, slog.New(slog.DiscardHandler), metrics)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	opts := bustest.Stop(srv)
	now := time.Now().UTC()
	for i := range 10 {
		p.Report(event(i, "acme", contracts.LTL, now))
	}
	if took := time.Since(now); took > clocktest.Patience/2 {
		t.Errorf("reporting took %s", took)
	}
	clocktest.Await(t, "the gauge tells that events wait", func() bool { return waiting(t, metrics) > 0 })
	bustest.Start(t, opts)
	clocktest.Await(t, "ten events are counted", func() bool {
		sums, err := usage.Sums(t.Context(), js, now)
		return err == nil && len(sums) == 1 && sums[0].Count == 10
	})
	clocktest.Await(t, "the gauge tells that none waits", func() bool { return waiting(t, metrics) == 0 })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := p.Flush(t.Context()); err != nil {
		t.Error(err)
	}
}

func waiting(t *testing.T, metrics *prometheus.Registry) float64 {
	t.Helper()
	families, err := metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "gateway_usage_waiting_seconds" {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatal("no gateway_usage_waiting_seconds")
	return 0
}

// A stop while nothing can be stored tells of every event, also of those that were being sent when it began.
func TestAStopTellsWhatIsLost(t *testing.T) {
	srv := bustest.Server(t)
	conn := bustest.Connect(t, srv)
	js := bustest.JetStream(t, conn)
	if err := js.DeleteStream(t.Context(), contracts.UsageStream.Name); err != nil {
		t.Fatal(err)
	}
	// Nobody stores and nobody refuses, as a stream without a leader.
	if _, err := conn.SubscribeSync(contracts.UsageSubject(contracts.LTL).Name); err != nil {
		t.Fatal(err)
	}
	metrics := prometheus.NewRegistry()
	p, err := usage.NewPublisher(js, nil, slog.New(slog.DiscardHandler), metrics)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 { // more than a batch, all before any is sent: the first batch is a whole one
		e := event(i, "acme", contracts.LTL, time.Now())
		e.Lines = max(0, 4-i)
		p.Report(e)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	clocktest.Await(t, "a batch is sent", func() bool { return conn.Stats().OutMsgs >= 256 })
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	over, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := p.Flush(over); err == nil || !strings.HasPrefix(err.Error(), "300 usage events are lost") {
		t.Errorf("%v", err)
	}
	if err := testutil.GatherAndCompare(metrics, strings.NewReader(`
# HELP gateway_billed_total Answers and lines that live keys are charged for.
# TYPE gateway_billed_total counter
gateway_billed_total{of="answer",product="abc"} 0
gateway_billed_total{of="answer",product="ltl"} 296
gateway_billed_total{of="line",product="abc"} 0
gateway_billed_total{of="line",product="ltl"} 10
`), "gateway_billed_total"); err != nil {
		t.Error(err)
	}
}
