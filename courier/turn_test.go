package courier

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/feed"
	"assay.dev/platform/webhook"
)

// An endpoint that is far behind goes on at once, though nothing of what it reads first is of its portfolio.
func TestAnEndpointThatIsFarBehindGoesOn(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	begin := s.place()
	const n = feed.Held + 10
	subject := contracts.ChangeSubject(contracts.Test, contracts.ABC, "CA", contracts.StatusChanged).Name
	for i := range n {
		_, err := s.js.PublishAsync(subject, fmt.Appendf(nil, `{"data":{"license_number":"%d"}}`, i))
		if s.must(err); i%1000 == 0 { // only so many may be under way
			<-s.js.PublishAsyncComplete()
		}
	}
	<-s.js.PublishAsyncComplete()
	f, err := feed.New(s.js, slog.New(slog.DiscardHandler), prometheus.NewRegistry(), nil)
	s.must(err)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = f.Follow(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	var newest feed.Cursor
	s.await("the feed", func() bool { newest, err = f.Newest(); return err == nil })
	s.must(err)
	now := time.Now()
	e := &endpoint{
		env: contracts.Test, read: begin, saved: now.Add(time.Hour), stored: webhook.Endpoint{Products: contracts.Products,
			Portfolio: "bars", Cursor: begin}, portfolio: portfolio{licenses: feed.Licenses{}, newest: newest},
	}
	c := &courier{feed: f, keys: keyring{known: true}}
	turns := 0
	for next := now; !next.After(time.Now()); turns++ {
		next, err = c.turn(t.Context(), e)
		s.must(err)
	}
	if e.read != newest || turns < 2 {
		t.Errorf("%d turns up to %d of %d", turns, e.read.Sequence, newest.Sequence)
	}
}

// An endpoint that nothing reaches loses nothing: it is tried again daily until it is disabled, and all at once when it is well again.
func TestWhatBecomesOfAnEndpoint(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	metrics, err := newMetrics(nil)
	s.must(err)
	c := &courier{
		log: slog.New(slog.DiscardHandler), metrics: metrics, js: s.js, schedule: schedule, sender: newSender(s.sealer, true, sendTime, nil),
		tracer: sdktrace.NewTracerProvider().Tracer("test"),
	}
	t.Cleanup(c.sender.client.CloseIdleConnections)
	good, bad := s.receiver(nil), s.receiver(status(502))
	const hour, day = time.Hour, 24 * time.Hour
	for name, tt := range map[string]struct {
		to       *receiver
		failing  time.Duration // for how long; 0 for not
		attempts int           // that failed before
		since    time.Duration // ago the first one failed; 0 for as long as the endpoint
		waits    []int         // how many attempts of others failed, which are due in ten hours
		want     string
	}{
		"others arrive":                       {bad, 0, 9, 3 * day, []int{3}, "failing: 3 in 10h"},
		"others arrived since":                {bad, day, 9, 3 * day, []int{3}, "failing: 3 in 10h"},
		"nothing arrives":                     {bad, 4 * day, 9, 0, []int{3}, "failing: 3 in 10h, 10 in 24h"},
		"nothing arrives for five days":       {bad, 5 * day, 10, 0, []int{3}, "disabled: 3 in 10h, 11 in 24h"},
		"nothing was sent in the last days":   {bad, 5 * day, 0, 0, nil, "failing: 1 in 0h"},
		"it is well again":                    {good, 8 * hour, 3, 0, []int{4, 9}, "active: 4 in 0h, 9 in 0h"},
		"it is well again after four days":    {good, 4 * day, 10, 0, []int{10, 4}, "active: 0 in 0h, 4 in 0h"},
		"it failed for a moment, and for one": {good, hour / 2, 3, 0, []int{4}, "active: 4 in 10h"},
	} {
		key, _ := s.keep(tt.to.URL)
		stored, now := s.kept(key), time.Now()
		if tt.failing > 0 {
			since := now.Add(-tt.failing)
			stored.FailingSince = &since
		}
		for i, n := range tt.waits {
			stored.Retries = append(stored.Retries, webhook.Retry{Event: fmt.Sprint("other", i), Attempts: n, Due: now.Add(10 * hour)})
		}
		edit, err := c.attempt(t.Context(), &endpoint{key: key}, &stored, event{id: "CA.e.1", product: contracts.ABC},
			webhook.Retry{Event: "CA.e.1", Attempts: tt.attempts, Since: now.Add(-cmp.Or(tt.since, tt.failing))}, false)
		if s.must(err); edit != nil {
			edit(&stored)
		}
		got := fmt.Sprint(stored.Status(), ":") // a pause may be a tenth longer
		for i, r := range stored.Retries {
			got += fmt.Sprintf("%s %d in %.0fh", strings.Repeat(",", min(i, 1)), r.Attempts, min(r.Due.Sub(now).Truncate(2*hour), day).Hours())
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// An operator sees why an attempt failed, and nothing of the URL, whose path may be secret.
func TestAnOperatorSeesWhyADeliveryFailed(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	refused := "http://" + bustest.FreeAddress(t)
	for want, test := range map[string]struct {
		url    string
		status codes.Code
	}{
		"":                                       {s.receiver(nil).URL, codes.Unset},
		`level=INFO msg=delivery`:                {s.receiver(status(500)).URL, codes.Error},
		`error="the status was 500" cause=<nil>`: {s.receiver(status(500)).URL, codes.Error},
		`error="the connection failed" cause="dial`: {refused, codes.Error},
		`connection refused"`:                       {refused, codes.Error},
	} {
		var log bytes.Buffer
		spans := tracetest.NewSpanRecorder()
		metrics, err := newMetrics(nil)
		s.must(err)
		c := &courier{
			log: slog.New(slog.NewTextHandler(&log, nil)), metrics: metrics, js: s.js, schedule: schedule,
			tracer: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test"),
			sender: newSender(s.sealer, true, sendTime, nil),
		}
		t.Cleanup(c.sender.client.CloseIdleConnections)
		key, _ := s.keep(test.url + "/secret")
		stored := s.kept(key)
		_, err = c.attempt(t.Context(), &endpoint{key: key}, &stored, event{product: contracts.ABC}, webhook.Retry{}, false)
		s.must(err)
		if got := log.String(); !strings.Contains(got, want) || (want == "") != (got == "") || strings.Contains(got, "secret") {
			t.Errorf("the log says %q, want %q", got, want)
		}
		if got := spans.Ended()[0].Status(); got.Code != test.status || got.Description != "" && got.Description != "failed" {
			t.Errorf("%q: the span's status is %v", want, got)
		}
	}
}
