package ltlworker_test

import (
	"log/slog"
	"strings"
	"testing"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
)

func TestProbeTriesEveryPath(t *testing.T) {
	t.Parallel()
	sb, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sb.Close() }()
	cfg := ltlworker.Config{}
	cfg.Environment = contracts.Test
	cfg.HTTPSProxy, cfg.CAFile, cfg.Bin = sb.ProxyURL(), sb.CAFile(), "/nonexistent/chromium"
	report, err := ltlworker.Probe(t.Context(), cfg, contracts.ODFL, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]scrape.Kind{"api": "", "page": "", "rendered": scrape.Unavailable, "scraper": scrape.Unavailable}
	if len(report.Paths) != len(want) || len(report.Failed()) > 0 {
		t.Fatalf("%+v", report.Paths)
	}
	for _, p := range report.Paths {
		if kind := scrape.KindOf(p.Err); kind != want[p.Name] || len(p.Transcript.Steps()) == 0 && kind == "" {
			t.Errorf("%s: %v\n%s", p.Name, p.Err, p.Transcript)
		}
	}
	var text strings.Builder
	report.Write(&text)
	newest := sb.Surcharge(contracts.ODFL)[0]
	for _, part := range []string{"api_mirror", string(newest.EffectiveDate), "confidence  1.00", "FAILED"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the report lacks %q:\n%s", part, text.String())
		}
	}
}
