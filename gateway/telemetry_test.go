package gateway_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/keys"
	"assay.dev/platform/access/accesstest"
	"assay.dev/platform/bustest"
	"assay.dev/platform/daemon"
)

// span is a line of the trace file.
type span struct {
	Name        string
	SpanContext struct{ TraceID, SpanID string }
	Parent      struct{ SpanID string }
	Links       []struct {
		SpanContext struct{ TraceID, SpanID string }
	}
}

func readSpans(t *testing.T, file string) []span {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []span
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var s span
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// The spans of a miss are one tree of a trace of ours, with a link to the caller's span, whatever the caller says of keeping it.
func TestTraceOfAMiss(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	file := filepath.Join(t.TempDir(), "spans")
	g := s.gateway(func(c *gateway.Config) { c.TraceFile = file })
	const trace, caller = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	r := g.get(s.key(), surchargePath+"?carriers=ODFL", "traceparent", "00-"+trace+"-"+caller+"-01")
	ours := strings.Split(r.Header.Get("Traceresponse"), "-")
	if len(ours) != 4 || ours[1] == trace || ours[3] != "01" {
		t.Fatalf("traceresponse %q", r.Header.Get("Traceresponse"))
	}
	if err := g.stop(); err != nil {
		t.Fatal(err)
	}
	parents, names := map[string]string{}, map[string]string{}
	for _, one := range readSpans(t, file) {
		if one.SpanContext.TraceID != ours[1] {
			t.Errorf("%s is of trace %s, want %s", one.Name, one.SpanContext.TraceID, ours[1])
		}
		if one.Name == "GET "+surchargePath && (len(one.Links) != 1 || one.Links[0].SpanContext.TraceID != trace || one.Links[0].SpanContext.SpanID != caller) {
			t.Errorf("the links of the server's span: %v", one.Links)
		}
		parents[one.Name], names[one.SpanContext.SpanID] = one.Parent.SpanID, one.Name
	}
	for child, parent := range map[string]string{
		"ratelimit.take": "GET " + surchargePath, "answer.find": "GET " + surchargePath, "cache.get": "answer.find",
		"request assay.v1.test.ltl.surcharge.{carrier}": "answer.find",
	} {
		if got := names[parents[child]]; got != parent {
			t.Errorf("%s is below %q, want %q; spans %v", child, got, parent, names)
		}
	}
	if parents["GET "+surchargePath] != strings.Repeat("0", 16) {
		t.Errorf("the server's span is below %q", parents["GET "+surchargePath])
	}
}

// The gateway alone decides which traces are kept: a client that asks for its own, with a key or without, gets no more than the ratio.
func TestClientsDoNotDecideTheSampling(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	for name, c := range map[string]struct {
		sampler daemon.Sampler
		ratio   float64
		flags   string
		kept    bool
	}{
		"asks for a trace, none is kept":     {"parentbased_traceidratio", 0, "01", false},
		"asks for none, all are kept":        {"parentbased_traceidratio", 1, "00", true},
		"asks for a trace, without a parent": {"traceidratio", 0, "01", false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "spans")
			g := s.gateway(func(cfg *gateway.Config) { cfg.TraceFile, cfg.Sampler, cfg.SamplerArg = file, c.sampler, c.ratio })
			for _, key := range []string{s.key(), ""} {
				r := g.get(key, surchargePath+"?carriers=SAIA", "traceparent", "00-"+strings.Repeat("ab", 16)+"-00f067aa0ba902b7-"+c.flags)
				if got := r.Header.Get("Traceresponse"); strings.HasSuffix(got, "-01") != c.kept {
					t.Errorf("with key %t: traceresponse %q", key != "", got)
				}
			}
			if err := g.stop(); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil || (len(text) > 0) != c.kept {
				t.Errorf("%d bytes of spans, %v", len(text), err)
			}
		})
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

// Nothing that is secret or personal is in logs, traces, metrics or errors, and no secret in what is said and stored on NATS.
func TestSecretsStayInside(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	heard := accesstest.Overhear(t, bustest.Connect(t, s.nats))
	s.worker(contracts.Test)
	s.worker(contracts.Live)
	file := filepath.Join(t.TempDir(), "spans")
	logs := &lockedBuffer{}
	g := s.gatewayWithLog(slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug})), func(c *gateway.Config) {
		c.TraceFile, c.RapidAPILTL = file, "canary-proxy-secret"
	})
	key := s.key(func(k *keys.Record) { k.ExpiresAt = time.Now().Add(time.Hour) })
	g.get(key, "/v1/abc/search?state=CA&owner_name=canary-owner")
	g.get(key, "/v1/abc/search?state=CA&canary-name=1")
	g.get(key, "/v1/abc/license/1A-9999999?state=IL") // a number that is no part of a measured one
	g.get(key, "/v1/abc/license/100001159?state=TX")
	g.get("", surchargePath+"?carriers=ODFL", "X-RapidAPI-Proxy-Secret", "canary-proxy-secret", "X-RapidAPI-User", "u")
	refused := string(g.get("", surchargePath, "X-RapidAPI-Proxy-Secret", "canary-wrong-secret", "X-RapidAPI-User", "u").body) +
		string(g.get("live_canary", surchargePath).body) + string(g.get("", surchargePath, "Authorization", "Bearer canary-token").body)
	g.post(key, "/v1/ltl/audit", "text/csv", "id,carrier,ship_date,billed_pct\ncanary-invoice,ODFL,2026-09-10,46.32\n", "Idempotency-Key", "canary-receipt")
	metrics := g.metrics()
	if err := g.stop(); err != nil {
		t.Fatal(err)
	}
	spans, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(logs.text(), `"route":"/v1/abc/search"`) || !strings.Contains(logs.text(), `"code":"CAPTCHA_SOLVER_NOT_CONFIGURED"`) {
		t.Errorf("the log does not tell of the requests: %s", logs.text())
	}
	for _, secret := range []string{key, key[5:20], "canary-proxy-secret", "canary-wrong", "live_canary", "canary-token", "canary-invoice", "canary-receipt"} {
		if said := heard.Holding(secret); len(said) > 0 || len(heard.Heard()) == 0 {
			t.Errorf("%q is in messages on %v", secret, said)
		}
	}
	for where, text := range map[string]string{"logs": logs.text(), "spans": string(spans), "metrics": metrics, "errors": refused} {
		for _, secret := range []string{key, key[5:20], "canary", "1A-9999999"} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in the %s", secret, where)
			}
		}
	}
}
