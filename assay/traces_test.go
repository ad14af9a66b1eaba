package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	collectortrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// collector is an OTLP/HTTP collector that keeps what it is sent.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans map[string][]span // by trace id
}

type span struct {
	*tracepb.Span
	service string
}

func startCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{spans: map[string][]span{}}
	c.Server = httptest.NewServer(http.HandlerFunc(c.receive))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request collectortrace.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(body, &request)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range request.ResourceSpans {
		service := ""
		for _, a := range resource.Resource.Attributes {
			if a.Key == "service.name" {
				service = a.Value.GetStringValue()
			}
		}
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				id := hex.EncodeToString(s.TraceId)
				c.spans[id] = append(c.spans[id], span{s, service})
			}
		}
	}
}

// tree waits until the trace is whole: every parent but the caller's own is there, and every name wanted.
func (c *collector) tree(t *testing.T, traceID, caller string, wanted ...string) []span {
	t.Helper()
	var spans []span
	var missing []string
	if !clocktest.Holds(func() bool {
		c.mu.Lock()
		spans = slices.Clone(c.spans[traceID])
		c.mu.Unlock()
		missing = incomplete(spans, caller, wanted)
		return len(missing) == 0
	}) {
		t.Errorf("the trace lacks %v; it has:\n%s", missing, outline(spans))
	}
	return spans
}

func incomplete(spans []span, caller string, wanted []string) (missing []string) {
	ids := map[string]bool{caller: true}
	for _, s := range spans {
		ids[hex.EncodeToString(s.SpanId)] = true
	}
	for _, s := range spans {
		if !ids[hex.EncodeToString(s.ParentSpanId)] {
			missing = append(missing, "the parent of "+s.Name)
		}
	}
	for _, want := range wanted {
		if !slices.ContainsFunc(spans, func(s span) bool { return s.service+": "+s.Name == want }) {
			missing = append(missing, want)
		}
	}
	return missing
}

func outline(spans []span) string {
	var lines []string
	for _, s := range spans {
		lines = append(lines, s.service+": "+s.Name)
	}
	return strings.Join(lines, "\n")
}

// traced asks under a trace of the caller's, and returns the id of ours, which no span is above.
func traced(t *testing.T, n int, address, key string) (traceID, above string, status int) {
	t.Helper()
	theirs, caller := fmt.Sprintf("%032x", 0xa55a0000+n), fmt.Sprintf("%016x", 0xca11+n)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", key)
	req.Header.Set("Traceparent", "00-"+theirs+"-"+caller+"-00")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return "", "", 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	ours := strings.Split(resp.Header.Get("Traceresponse"), "-")
	if len(ours) != 4 || ours[1] == theirs {
		t.Fatalf("traceresponse %v", ours)
	}
	return ours[1], "", resp.StatusCode
}

// paid are the sandbox's keys of the services that cost money.
var paid = daemon.Environ{"ASSAY_SOLVER_KEY": "sandbox-solver-key", "ASSAY_RENDER_KEY": "sandbox-render-key", "ASSAY_SOLVER_POLL": "100ms"}

const (
	surchargeRequest = "assay.v1.test.ltl.surcharge.{carrier}"
	licenseRequest   = "assay.v1.test.abc.license.{state}"
)

func TestTracesAreWholeAcrossProcesses(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the services as processes")
	}
	c := startCollector(t)
	f := startFleet(t)
	f.environ = f.environ.With("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	f.start(t, "captcha-worker", paid)
	f.start(t, "abc-worker", nil)
	f.start(t, "ltl-worker", daemon.Environ{"ASSAY_REFRESH": "false"})
	g := f.gateway(t)

	get := func(n int, path string) (string, string) {
		traceID, caller, status := traced(t, n, g.api+path, f.key)
		if status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
		return traceID, caller
	}
	const surcharge, license = "/v1/ltl/fuel-surcharge?carriers=", "/v1/abc/license/"
	t.Run("a miss", func(t *testing.T) {
		id, caller := get(1, surcharge+"ODFL")
		c.tree(t, id, caller, "gateway: GET /v1/ltl/fuel-surcharge", "gateway: request "+surchargeRequest, "ltl-worker: process "+surchargeRequest, "ltl-worker: flight.join", "ltl-worker: kv.put")
	})
	t.Run("a hit", func(t *testing.T) {
		id, caller := get(2, surcharge+"ODFL")
		for _, s := range c.tree(t, id, caller, "gateway: GET /v1/ltl/fuel-surcharge") {
			if s.service != "gateway" {
				t.Errorf("a hit reached %s: %s", s.service, s.Name)
			}
		}
	})
	t.Run("a coalesced miss", func(t *testing.T) { coalesced(t, c, g.api+surcharge+"SAIA", f) })
	t.Run("a solve", func(t *testing.T) {
		id, caller := get(4, license+f.license(t, "TX")+"?state=TX")
		c.tree(t, id, caller, "gateway: GET /v1/abc/license/{license_number}", "abc-worker: process "+licenseRequest,
			"abc-worker: request assay.v1.test.jobs.solve", "captcha-worker: process assay.v1.test.jobs.solve")
	})
	t.Run("a render", func(t *testing.T) {
		id, caller := get(5, license+f.license(t, "IL")+"?state=IL")
		c.tree(t, id, caller, "gateway: GET /v1/abc/license/{license_number}", "abc-worker: process "+licenseRequest,
			"abc-worker: request assay.v1.test.jobs.render", "captcha-worker: process assay.v1.test.jobs.render")
	})
}

// coalesced asks for the same cold answer many times at once: one trace holds the read, the others a link to it.
func coalesced(t *testing.T, c *collector, address string, f *fleet) {
	const callers = 8
	var asking sync.WaitGroup
	traces, spans := make([]string, callers), make([]string, callers)
	for i := range callers {
		asking.Go(func() { traces[i], spans[i], _ = traced(t, 100+i, address, f.key) })
	}
	asking.Wait()
	var reads, linked int
	clocktest.Await(t, "the worker's spans have come", func() bool {
		reads, linked = 0, 0
		for i := range callers {
			tree := c.tree(t, traces[i], spans[i], "gateway: GET /v1/ltl/fuel-surcharge")
			switch {
			case slices.ContainsFunc(tree, func(s span) bool { return s.service == "ltl-worker" }):
				reads++
			case slices.ContainsFunc(tree, func(s span) bool { return len(s.Links) > 0 && len(s.ParentSpanId) > 0 }): // the root's is the caller
				linked++
			}
		}
		return reads > 0
	})
	if reads != 1 || linked == 0 {
		t.Errorf("%d traces hold a read, %d link to one", reads, linked)
	}
}

// license is the number of a license that the sandbox knows.
func (f *fleet) license(t testing.TB, state string) string {
	t.Helper()
	return f.licenses(t, state, 1)[0]
}

// licenses are the numbers of up to limit licenses that the state's own site shows, as a path takes them.
func (f *fleet) licenses(t testing.TB, state string, limit int) []string {
	t.Helper()
	resp, err := http.Get(fmt.Sprintf("%s/licenses?limit=%d&state=%s", f.sandbox, limit, state))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var licenses []struct {
		Number  string
		Primary any
	}
	if err := json.NewDecoder(resp.Body).Decode(&licenses); err != nil || len(licenses) == 0 {
		t.Fatalf("licenses of %s: %v", state, err)
	}
	var numbers []string
	for _, l := range licenses {
		if l.Primary != nil {
			numbers = append(numbers, url.PathEscape(l.Number))
		}
	}
	return numbers
}
