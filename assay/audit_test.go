package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/platform/daemon"
)

// publishedWeeks are the weeks of a carrier as the API has them, newest first.
func publishedWeeks(t *testing.T, base, key string, c contracts.Carrier) []contracts.SurchargeWeek {
	t.Helper()
	var answer contracts.Surcharge
	if err := json.Unmarshal(get(t, base+"/v1/ltl/fuel-surcharge?weeks=8&carriers="+string(c), key), &answer); err != nil || len(answer.Weeks) < 4 {
		t.Fatalf("%d weeks of %s, %v", len(answer.Weeks), c, err)
	}
	return answer.Weeks
}

// invoices is a CSV with bills of carriers that the whole system reads, and the verdicts that they must have.
func invoices(t *testing.T, base, key string) (file string, want []audit.Verdict) {
	t.Helper()
	var text strings.Builder
	text.WriteString("id,carrier,ship_date,billed_pct,base_amount,billed_amount,pro_number\n")
	for _, c := range []contracts.Carrier{contracts.ODFL, contracts.SAIA, contracts.XPO} {
		weeks := publishedWeeks(t, base, key, c)
		day, now := weeks[2].EffectiveDate.AddDays(3), weeks[2].Percent
		due := fmt.Sprintf("%.2f", now*10) // of 1,000 USD
		for i, line := range []struct {
			billed, amount string
			want           audit.Verdict
		}{
			{fmt.Sprint(now), due, audit.Match},
			{fmt.Sprint(now), "1.00", audit.Arithmetic},
			{fmt.Sprint(now + 55), "", audit.Overbilled},
			{"5", "", audit.Underbilled},
			{"", "", audit.Unresolved},
			{"x", "", audit.Invalid},
		} {
			fmt.Fprintf(&text, "%s-%d,%s,%s,%s,1000,%s,\n", c, i, c, day, line.billed, line.amount)
			want = append(want, line.want)
		}
	}
	return text.String(), want
}

// The command audits a file by what the whole system reads, in each form.
func TestAuditCommand(t *testing.T) {
	base, key := up(t)
	text, want := invoices(t, base, key)
	e := daemon.Environ{"ASSAY_API_KEY": key}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"march.csv": text, "march.json": asJSON(rows, "[", ",", "]"), "march.NDJSON": asJSON(rows, "", "\n", "\n")} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errs := run(t, e, "audit", file, "--url", base, "--json")
		var answer struct {
			Results []audit.Result
			Totals  audit.Totals
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil || code != 0 || len(answer.Results) != len(want) || answer.Totals.Lines != len(want) {
			t.Fatalf("%s: exit %d, %v, %d results\n%s%s", name, code, err, len(answer.Results), out, errs)
		}
		for i, r := range answer.Results {
			if r.Verdict != want[i] || (r.Verdict == audit.Invalid) != (len(r.Errors) > 0) {
				t.Errorf("%s: line %s is %s %v, want %s", name, r.ID, r.Verdict, r.Errors, want[i])
			}
		}
		code, out, errs = run(t, e, "audit", file, "--url", base, "--tolerance-points", "100", "--tolerance-amount", "1000")
		if code != 0 || !strings.Contains(out, "WITHIN_TOLERANCE") || !strings.Contains(errs, "UNRESOLVED") || !strings.Contains(errs, "recoverable, USD") {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, errs)
		}
	}
	if code, out, _ := runWith(t, e, text, "audit", "-", "--url", base, "--dry-run"); code != 0 || !strings.Contains(out, "true,18,12,0.00,0.00") {
		t.Errorf("a dry run: exit %d, %s", code, out)
	}
}

// asJSON writes rows as objects.
func asJSON(rows [][]string, begin, between, end string) string {
	var objects []string
	for _, row := range rows[1:] {
		line := map[string]string{}
		for i, name := range rows[0] {
			line[name] = row[i]
		}
		text, _ := json.Marshal(line)
		objects = append(objects, string(text))
	}
	return begin + strings.Join(objects, between) + end
}

// What is wrong is said, with the exit code for it.
func TestAuditCommandFails(t *testing.T) {
	answers := map[string]struct {
		status int
		body   string
	}{
		"coded":   {413, `{"detail":{"error":"REQUEST_TOO_LARGE","message":"at most 10000 lines are allowed"}}`},
		"invalid": {422, `{"detail":[{"loc":["body"],"msg":"there are no lines","type":"unreadable_body"}]}`},
		"foreign": {200, `<html>`},
		"cut":     {200, "id,carrier,ship_date,verdict\r\n1,ODFL,2026-09-11,MATCH\r\n"},
		"strange": {404, `nothing here`},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := answers[r.Header.Get("Idempotency-Key")]
		w.WriteHeader(answer.status)
		_, _ = w.Write([]byte(answer.body))
	}))
	t.Cleanup(server.Close)
	e := daemon.Environ{"ASSAY_API_KEY": "test_x"}
	for name, c := range map[string]struct {
		e    daemon.Environ
		args []string
		code int
		want string
	}{
		"no key":          {nil, []string{"-"}, 1, "ASSAY_API_KEY is not set"},
		"no such file":    {e, []string{"none.csv"}, 1, "no such file"},
		"another file":    {e, []string{"march.pdf"}, 2, "ends in .csv"},
		"no contract":     {e, []string{"-", "--contract="}, 2, "--contract"},
		"no address":      {e, []string{"-", "--url", "here"}, 2, "--url"},
		"nobody there":    {e, []string{"-", "--url", "http://127.0.0.1:1"}, 1, "cannot be reached"},
		"too many lines":  {e, []string{"-", "--url", server.URL, "--idempotency-key", "coded"}, 1, "at most 10000 lines"},
		"no lines":        {e, []string{"-", "--url", server.URL, "--idempotency-key", "invalid"}, 1, "there are no lines"},
		"another service": {e, []string{"-", "--url", server.URL, "--idempotency-key", "strange"}, 1, "no Assay API"},
		"cut short":       {e, []string{"-", "--url", server.URL, "--idempotency-key", "cut"}, 1, "broke off after 1 results"},
		"no results":      {e, []string{"-", "--url", server.URL, "--idempotency-key", "foreign"}, 1, "broke off after 0 results"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, errs := run(t, c.e, append([]string{"audit"}, c.args...)...)
			if code != c.code || !strings.Contains(errs, c.want) {
				t.Errorf("exit %d, %s, want %d %s", code, errs, c.code, c.want)
			}
		})
	}
}
