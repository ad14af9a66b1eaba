package main

import (
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
)

// What is charged is listed as it is summed, also of one tenant alone: answers to test keys are not.
func TestUsageListsWhatIsCharged(t *testing.T) {
	t.Parallel()
	e := deployment(t)
	must(t, e, "provision", "--first")
	conn, js, err := connect(t.Context(), &console{environ: e})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	now := time.Now().UTC().Format(time.RFC3339)
	for _, text := range []string{
		`{"id":"a","tenant":"acme","product":"ltl","route":"/v1/x","request_id":"r1","at":"` + now + `"}`,
		`{"id":"b","tenant":"acme","product":"ltl","route":"/v1/y","request_id":"r2","at":"` + now + `","lines":2,"line_price_usd":"0.003"}`,
		`{"id":"c","tenant":"bolt","product":"ltl","route":"/v1/x","request_id":"r3","at":"` + now + `","price_usd":"0.02"}`,
		`{"id":"d","tenant":"acme","product":"ltl","tested":3,"tested_at":"` + now + `"}`,
	} {
		if _, err := js.Publish(t.Context(), contracts.UsageSubject(contracts.LTL).Name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	want := `{"id":"a","tenant":"acme","product":"ltl","route":"/v1/x","request_id":"r1","at":"` + now + `","price_usd":"0.03"}
{"id":"b","tenant":"acme","product":"ltl","route":"/v1/y","request_id":"r2","at":"` + now + `","lines":2,"line_price_usd":"0.003"}`
	if got := must(t, e, "usage", "--events", "--tenant", "acme"); strings.TrimSpace(got) != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	if got := must(t, e, "usage", "--events"); strings.Count(strings.TrimSpace(got), "\n") != 2 {
		t.Errorf("of all tenants: %s", got)
	}
	if got := must(t, e, "usage", "--tenant", "bolt"); strings.Contains(got, "acme") || !strings.Contains(got, "0.02") {
		t.Errorf("of one tenant: %s", got)
	}
}
