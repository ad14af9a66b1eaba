package courier

import (
	"bytes"
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
