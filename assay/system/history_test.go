package system_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
)

// history asks for a carrier's past weeks and reads one carrier's body.
func (r *running) history(t *testing.T, query string) (int, contracts.Surcharge, string) {
	t.Helper()
	status, _, body := r.get(t, r.base+"/v1/ltl/fuel-surcharge?"+query, r.keys["test"])
	var s contracts.Surcharge
	if status == http.StatusOK {
		if err := json.Unmarshal(body, &s); err != nil {
			t.Fatal(err)
		}
	}
	return status, s, string(body)
}

// sandboxWeek changes a week in the sandbox as a person does, over HTTP.
func (r *running) sandboxWeek(t *testing.T, body string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(r.admin+"/sandbox/weeks", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %d", body, resp.StatusCode)
	}
}

// The past of the sandbox has the real price of diesel, for all carriers and as far as a request may ask.
func thePastIsTold(t *testing.T, r *running) {
	t.Helper()
	status, s, body := r.history(t, "carriers=ODFL&as_of=2026-09-11")
	if status != http.StatusOK || len(s.Weeks) != 1 {
		t.Fatalf("%d %s", status, body)
	}
	if w := s.Weeks[0]; w.EffectiveDate != "2026-09-09" || w.Percent != 46.32 || w.EndDate != "2026-09-15" || *w.DieselUSD != 5.599 || w.FirstSeen == nil {
		t.Errorf("%s", body)
	}
	today := contracts.Today(time.Now())
	for _, c := range contracts.Carriers {
		status, s, body := r.history(t, fmt.Sprintf("carriers=%s&from=%s&to=%s", c, today.AddDays(-2*366), today.AddDays(-30)))
		if status != http.StatusOK || !s.Verifiability.Complete || len(s.Weeks) < 100 || s.Verifiability.Current != nil {
			t.Errorf("%s: %d, %d weeks, %.300s", c, status, len(s.Weeks), body)
		}
	}
	for _, query := range []string{"carriers=ODFL&as_of=2020-01-01", "carriers=ODFL&as_of=2026-09-11&known_at=2020-01-01", "as_of=2020-01-01"} {
		if status, _, body := r.history(t, query); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", query, status, body)
		}
	}
}

// A carrier revises a week and withdraws another: both are told as they were known before and after.
func TestRevisionsAndWithdrawalsAreTold(t *testing.T) {
	t.Parallel()
	r := start(t, environ(t.TempDir()))
	_, shown, body := r.history(t, "carriers=XPO&weeks=6")
	if len(shown.Weeks) != 6 {
		t.Fatal(body)
	}
	_, before, _ := r.history(t, "carriers=RLC&as_of="+string(shown.Weeks[2].EffectiveDate.AddDays(3)))
	revisedWeek, was := string(before.Weeks[0].EffectiveDate), before.Weeks[0].Percent
	_, before, _ = r.history(t, "carriers=RLC&as_of="+string(shown.Weeks[3].EffectiveDate.AddDays(3)))
	withdrawnWeek, withdrawn := string(before.Weeks[0].EffectiveDate), before.Weeks[0].Percent
	then := url.QueryEscape(time.Now().Add(-time.Second).UTC().Format(time.RFC3339))
	r.sandboxWeek(t, `{"carrier":"RLC","week":"`+revisedWeek+`","fuel_surcharge_pct":11.5}`)
	r.sandboxWeek(t, `{"carrier":"RLC","week":"`+withdrawnWeek+`"}`)
	if status, _, body := r.history(t, "carriers=RLC&weeks=1"); status != http.StatusOK { // RLC is read for the first time
		t.Fatalf("%d %s", status, body)
	}
	now := url.QueryEscape(time.Now().UTC().Format(time.RFC3339))
	days := "carriers=RLC&from=" + withdrawnWeek + "&to=" + string(before.Weeks[0].EffectiveDate.AddDays(13))
	for query, want := range map[string]string{
		days + "&known_at=" + then:                                  fmt.Sprintf("true %s %v, %s %v, ", revisedWeek, was, withdrawnWeek, withdrawn),
		days + "&known_at=" + now:                                   fmt.Sprintf("false %s 11.5, ", revisedWeek),
		"carriers=RLC&as_of=" + revisedWeek + "&known_at=" + then:   fmt.Sprintf("true %s %v, ", revisedWeek, was),
		"carriers=RLC&as_of=" + revisedWeek:                         fmt.Sprintf("true %s 11.5, ", revisedWeek),
		"carriers=RLC&as_of=" + withdrawnWeek + "&known_at=" + then: fmt.Sprintf("true %s %v, ", withdrawnWeek, withdrawn),
		"carriers=RLC&as_of=" + withdrawnWeek:                       "404",
	} {
		status, s, body := r.history(t, query)
		got := fmt.Sprint(s.Verifiability.Complete, " ")
		for _, w := range s.Weeks {
			got += fmt.Sprintf("%s %v, ", w.EffectiveDate, w.Percent)
			if isNew := w.Percent == 11.5; (w.Revised != nil) != isNew || w.FirstSeen == nil {
				t.Errorf("%s: revised %v, first seen %v", query, w.Revised, w.FirstSeen)
			}
		}
		if status == http.StatusNotFound {
			got = "404"
			if !strings.Contains(body, "WEEK_NOT_ARCHIVED") || !strings.Contains(body, "nearest weeks begin") {
				t.Errorf("%s: %s", query, body)
			}
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s\n%s", query, got, want, body)
		}
	}
}
