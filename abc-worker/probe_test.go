package abcworker_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/sandbox"
)

func TestProbe(t *testing.T) {
	t.Parallel()
	box, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	cfg := abcworker.Config{}
	cfg.Environment = contracts.Test
	cfg.HTTPSProxy, cfg.CAFile = box.ProxyURL(), box.CAFile()
	log := slog.New(slog.DiscardHandler)

	l, _ := box.Licensing().Register.Case(contracts.CA, "plain")
	for _, ask := range []abcworker.Question{{Number: "00" + l.Number}, {Query: contracts.Query{DBAName: "kettle"}}} {
		report, err := abcworker.Probe(t.Context(), cfg, contracts.CA, ask, log)
		if err != nil || len(report.Failed()) > 0 || len(report.Paths) != 2 {
			t.Fatalf("%+v, %v", report, err)
		}
		for _, p := range report.Paths {
			if p.Err != nil || p.Value.Total == 0 || p.Confidence() == 0 {
				t.Errorf("%+v", p)
			}
		}
		var out bytes.Buffer
		report.Write(&out)
		for _, want := range []string{"path page (structured_parse)", "path mirror (api_mirror)", "license_number",
			"transcript", "GET https://www.abc.ca.gov"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in the report:\n%s", want, out.String())
			}
		}
	}
	report, err := abcworker.Probe(t.Context(), cfg, contracts.IL, abcworker.Question{Number: "1A-1100000"}, log)
	if err != nil || len(report.Failed()) > 0 || report.Paths[0].Err == nil {
		t.Errorf("%+v, %v", report, err)
	}
	for fault, want := range map[string]string{"": "", "/resource/7hf9-qc9f.json": "inquiry, soda", "/resource/ix8u-msb9.json": "list 102.32"} {
		box.ClearFaults()
		if fault != "" && box.Fault("data.texas.gov", fault, sandbox.Broken) != nil {
			t.Fatalf("no fault at %s", fault)
		}
		l, _ := box.Licensing().Register.Case(contracts.TX, "plain")
		report, err := abcworker.Probe(t.Context(), cfg, contracts.TX, abcworker.Question{Number: l.Number}, log) // nobody solves for the inquiry
		if got := strings.Join(report.Failed(), ", "); err != nil || got != want || len(report.All()) != 3 {
			t.Errorf("without %s: %q is not read, want %q; %v", fault, got, want, err)
		}
	}
	for _, bad := range []abcworker.Question{{}, {Number: "none"}, {Number: "1", Query: contracts.Query{DBAName: "x"}}} {
		if _, err := abcworker.Probe(t.Context(), cfg, contracts.CA, bad, log); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
