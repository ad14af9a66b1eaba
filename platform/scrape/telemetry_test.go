package scrape_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

// One read is one tree: each path with its politeness and its upstream request, resends counted, no query anywhere.
func TestReadIsTracedAndCounted(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{
		"down.example.com": http.HandlerFunc(faulty),
		"fine.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/old" {
				http.Redirect(w, r, "/new", http.StatusFound)
				return
			}
			_, _ = fmt.Fprint(w, "46.32%")
		}),
	})
	registry := prometheus.NewRegistry()
	deps := scrape.Deps{Metrics: registry}
	f, err := scrape.NewFetcher(in.Config(), deps)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	from := func(url string) read {
		return func(ctx context.Context, _ string) (scrape.Reading[string], error) {
			page, err := f.Fetch(ctx, scrape.Request{URL: url})
			if err != nil {
				return scrape.Reading[string]{}, err
			}
			return scrape.Reading[string]{Value: page.Text(), Tally: contracts.Tally{Clean: 1, Required: 1}}, nil
		}
	}
	s := scrape.NewSource("ODFL", deps, path{Name: "page", Read: from("https://down.example.com/403?key=canary")},
		path{Name: "mirror", Read: from("https://fine.example.com/old?key=canary")})

	exporter := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter))
	ctx, root := provider.Tracer("test").Start(t.Context(), "process")
	ctx, transcript := scrape.WithTranscript(ctx)
	got, err := s.Read(ctx, "q")
	root.End()
	if err != nil || got.Path != "mirror" {
		t.Fatalf("got %v, %v", got, err)
	}
	want := `process
  path: page
    politeness
    fetch 403
  path: mirror
    politeness
    fetch 302
    politeness
    fetch 200 (1)
`
	if tree := draw(exporter.GetSpans().Snapshots()); tree != want {
		t.Errorf("got\n%swant\n%s", tree, want)
	}
	if strings.Contains(fmt.Sprint(exporter.GetSpans())+transcript.String(), "canary") {
		t.Error("a secret got out")
	}
	for _, line := range []string{"path page", "403", "path mirror read it: 1 of 1"} {
		if !strings.Contains(transcript.String(), line) {
			t.Errorf("no %q in\n%s", line, transcript)
		}
	}
	if n := testutil.CollectAndCount(registry, "upstream_request_duration_seconds"); n != 2 { // ODFL blocked, ODFL ok
		t.Errorf("%d series of upstream requests", n)
	}
}

// draw prints the spans as a tree in the order they began.
func draw(spans []sdktrace.ReadOnlySpan) string {
	var b strings.Builder
	var below func(parent [8]byte, depth int)
	below = func(parent [8]byte, depth int) {
		var children []sdktrace.ReadOnlySpan
		for _, s := range spans {
			if s.Parent().SpanID() == parent {
				children = append(children, s)
			}
		}
		for len(children) > 0 {
			first := 0
			for i := range children {
				if children[i].StartTime().Before(children[first].StartTime()) {
					first = i
				}
			}
			s := children[first]
			children = append(children[:first], children[first+1:]...)
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat("  ", depth), label(s))
			below(s.SpanContext().SpanID(), depth+1)
		}
	}
	below([8]byte{}, 0)
	return b.String()
}

func label(s sdktrace.ReadOnlySpan) string {
	text := s.Name()
	for _, a := range s.Attributes() {
		switch a.Key {
		case "assay.path":
			text += ": " + a.Value.AsString()
		case "http.response.status_code":
			text += " " + a.Value.String()
		}
	}
	for _, a := range s.Attributes() {
		if a.Key == "http.request.resend_count" && a.Value.AsInt64() > 0 {
			text += " (" + a.Value.String() + ")"
		}
	}
	return text
}

func TestTranscript(t *testing.T) {
	var none *scrape.Transcript
	none.Notef("nobody listens")
	scrape.Notef(context.Background(), "nobody listens")
	if none.String() != "" || none.Steps() != nil {
		t.Error("a nil transcript holds something")
	}
	ctx, transcript := scrape.WithTranscript(t.Context())
	for i := range 1000 {
		scrape.Notef(ctx, "step %d", i)
	}
	if text := transcript.String(); !strings.Contains(text, "step 0\n") || !strings.Contains(text, "600 more steps") {
		t.Error(text[:200])
	}
}
