package audit_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/audit/audittest"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/spreadsheet"
)

// written is what the pieces of a file's results are together. Each piece tells of its own lines.
func written(t testing.TB, format lines.Format, all []audit.Line) string {
	t.Helper()
	var text strings.Builder
	through, resolved, seen := 0, 0, 0
	a := audit.NewAuditor(archives(), today, audit.Tolerance{})
	for p := range audit.Pieces(lines.Output{Format: format}, nil, a.All(all, func(v audit.Verdict) {
		if v.IsResolved() {
			seen++
		}
	})) {
		if p.Through <= through || p.Resolved > p.Through-through {
			t.Errorf("a piece through %d with %d lines follows one through %d", p.Through, p.Resolved, through)
		}
		through, resolved = p.Through, resolved+p.Resolved
		text.Write(p.Text)
	}
	if through != len(all) || resolved != seen {
		t.Errorf("%d of %d lines, %d of %d resolved", through, len(all), resolved, seen)
	}
	return text.String()
}

// Each result of a line has all headings of a file: long ones are refused, and a piece of wide lines ends early.
func TestHeadingsAreBounded(t *testing.T) {
	t.Parallel()
	row := `{"id":"1","carrier":"ODFL","ship_date":"2026-09-11","billed_pct":"46.32"`
	how := lines.Reading{AsIs: true}
	for _, format := range []lines.Format{lines.CSV, lines.JSON, lines.NDJSON} {
		body := row + `,"` + strings.Repeat("n", 201) + "\":\"x\"}\n"
		if format == lines.CSV {
			body = "carrier,ship_date,billed_pct," + strings.Repeat("n", 201) + "\nODFL,2026-09-11,46.32,x\n"
		}
		if _, err := audit.Read(t.Context(), format, []byte(body), how); contracts.CodeOf(err) != contracts.InvalidRequest || !strings.Contains(err.Error(), "shorten it") {
			t.Errorf("%s: %v", format, err)
		}
	}
	for i := range 200 {
		row += fmt.Sprintf(`,"%0200d":"x"`, i)
	}
	file, err := audit.Read(t.Context(), lines.NDJSON, []byte(strings.Repeat(row+"}\n", 100)), how)
	if err != nil {
		t.Fatal(err)
	}
	through, charged := 0, 0
	a := audit.NewAuditor(archives(), today, audit.Tolerance{})
	for p := range audit.Pieces(lines.Output{Format: lines.JSON}, file.Found, a.All(file.Lines, func(audit.Verdict) {})) {
		if len(p.Text) > 2<<20 {
			t.Errorf("a piece has %d bytes", len(p.Text))
		}
		through, charged = p.Through, charged+p.Resolved
	}
	if through != 100 || charged != 100 {
		t.Errorf("%d lines, %d charged", through, charged)
	}
}

var someLines = []byte(`{"id":"1","carrier":"ODFL","ship_date":"2026-09-11","base_amount":"100","billed_amount":"46.32","bill_received":"2026-09-14"}
{"id":"=1+1","carrier":"ODFL","ship_date":"2026-09-11","base_amount":"100","billed_amount":"40"}
{"id":"3","carrier":"exla, <Inc>","ship_date":"2026-09-11","billed_pct":"1"}
{"id":"4"}
`)

func TestResultsInEachFormat(t *testing.T) {
	t.Parallel()
	file, err := audit.Read(t.Context(), lines.NDJSON, someLines, lines.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	want := `id,carrier,ship_date,verdict,pro_number,published_pct,effective_date,end_date,billed_pct,expected_pct,variance_points,base_amount,billed_amount,expected_amount,variance_amount,recoverable_amount,contestable_amount,expired_amount,contest_by,formula,reason,evidence_url
1,ODFL,2026-09-11,MATCH,,46.32,2026-09-09,2026-09-15,,46.32,,100.00,46.32,46.32,0.00,0.00,0.00,0.00,2027-03-13,published: 46.32; 100.00 x 46.32 / 100 = 46.32,,https://carrier.test/fuel
'=1+1,ODFL,2026-09-11,UNDERBILLED,,46.32,2026-09-09,2026-09-15,,46.32,,100.00,40.00,46.32,-6.32,0.00,0.00,0.00,,published: 46.32; 100.00 x 46.32 / 100 = 46.32,6.32 USD below what is expected,https://carrier.test/fuel
3,"exla, <Inc>",2026-09-11,UNRESOLVED,,,,,1.00,,,,,,,,,,,,"carrier ""exla, <Inc>"" is not supported; the codes are ` + fmt.Sprint(contracts.Carriers) + `",
4,,,INVALID,,,,,,,,,,,,,,,,,line 4: carrier: this is required; line 4: ship_date: this is required,
,,,TOTAL,,,,,,,,,,,-6.32,0.00,0.00,0.00,,,"4 lines: 1 INVALID, 1 UNRESOLVED, 1 MATCH, 1 UNDERBILLED",
`
	if got := written(t, lines.CSV, file.Lines); got != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var whole struct {
		Results []json.RawMessage `json:"results"`
	}
	if err := json.Unmarshal([]byte(written(t, lines.JSON, file.Lines)), &whole); err != nil {
		t.Fatal(err)
	}
	texts := strings.Split(strings.TrimSpace(written(t, lines.NDJSON, file.Lines)), "\n")
	if len(whole.Results) != 4 || len(texts) != 5 {
		t.Fatalf("%d results, %d lines", len(whole.Results), len(texts))
	}
	for i, r := range whole.Results {
		if string(r) != texts[i] {
			t.Errorf("JSON has\n%s\nNDJSON\n%s", r, texts[i])
		}
		// A text beside its number: percents are read from both in the same way.
		var beside struct{ audit.LineResult }
		var texts struct{ Numbers map[string]json.Number }
		if err := errors.Join(json.Unmarshal(r, &beside), json.Unmarshal(r, &texts)); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]*audit.Points{
			"published_pct": beside.PublishedPct, "billed_pct": beside.BilledPct, "expected_pct": beside.ExpectedPct, "variance_points": beside.VariancePoints,
		} {
			var number *audit.Points
			if n := texts.Numbers[name]; n != "" {
				number = new(audit.Points)
				if err := number.UnmarshalJSON([]byte(n)); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(number, text) {
				t.Errorf("%s is %v and %v", name, texts.Numbers[name], text)
			}
		}
	}
	wantLast := `{"id":"","carrier":"","ship_date":null,"verdict":"TOTAL","pro_number":null,"published_pct":null,"effective_date":null,"end_date":null,"billed_pct":null,"expected_pct":null,` +
		`"variance_points":null,"base_amount":null,"billed_amount":null,"expected_amount":null,"variance_amount":"-6.32","recoverable_amount":"0.00","contestable_amount":"0.00","expired_amount":"0.00","contest_by":null,"formula":null,` +
		`"reason":"4 lines: 1 INVALID, 1 UNRESOLVED, 1 MATCH, 1 UNDERBILLED","evidence_url":null,"errors":[],"lines":4,"verdicts":{"ARITHMETIC":0,` +
		`"DUPLICATE":0,"INVALID":1,"MATCH":1,"OVERBILLED":0,"UNDERBILLED":1,"UNRESOLVED":1,"WITHIN_TOLERANCE":0,"WRONG_TABLE":0,"WRONG_WEEK":0},` +
		`"problems":[{"verdict":"UNRESOLVED","message":"carrier \"exla, <Inc>\" is not supported; the codes are ` + fmt.Sprint(contracts.Carriers) + `","count":1,"lines":"3"},` +
		`{"verdict":"INVALID","message":"carrier: this is required","count":1,"lines":"4"},{"verdict":"INVALID","message":"ship_date: this is required","count":1,"lines":"4"}]}`
	if texts[4] != wantLast {
		t.Errorf("totals\n%s\nwant\n%s", texts[4], wantLast)
	}
}

// The columns are the members of the results in their order, but for errors, which the reason repeats.
func TestColumnsAreTheMembers(t *testing.T) {
	t.Parallel()
	file, _ := audit.Read(t.Context(), lines.NDJSON, someLines, lines.Reading{})
	head, _, _ := strings.Cut(written(t, lines.CSV, file.Lines), "\r\n")
	members := spreadsheet.New[audit.Result]("").Columns()
	if want := slices.DeleteFunc(members, func(m string) bool { return m == "errors" }); !slices.Equal(strings.Split(head, ","), want) {
		t.Errorf("%s, want %v", head, want)
	}
	if n := reflect.TypeFor[audit.Result]().NumField(); n != 23 {
		t.Errorf("a result has %d members", n)
	}
}

// What can be recovered can be contested until contest_by has passed. Where that is not known, 180 days after the shipment nobody can tell.
// What is tolerated is not contested.
func TestContestable(t *testing.T) {
	t.Parallel()
	const now, tolerated = contracts.Date("2027-03-16"), 5
	const untold = "; whether its 180 days are over cannot be told without bill_received"
	totals := audit.NewTotals()
	for _, c := range []struct{ day, billed, received, want, reason string }{
		{"2026-09-11", "50.32", "2026-09-17", "4.00 4.00 0.00 2027-03-16 contestable", ""},
		{"2026-09-11", "47.32", "2026-09-16", "1.00 0.00 1.00 2027-03-15 expired", ""},
		{"2026-09-11", "46.42", "", "0.10 0.00 0.00  undated", untold},
		{"2026-09-16", "47.50", "", "1.00 0.00 0.00  undated", untold},
		{"2026-09-17", "47.50", "", "1.00 1.00 0.00  contestable", ""},
		{"2026-09-17", "47.50", "2027-03-17", "1.00 1.00 0.00  contestable", "; bill_received 2027-03-17 lies ahead and is not taken"},
		{"2026-09-17", "47.50", "2026-09-16", "1.00 1.00 0.00  contestable", "; bill_received 2026-09-16 is before ship_date and is not taken"},
		{"2026-09-11", "46.42", "2020-09-11", "0.10 0.00 0.00  undated", "; bill_received 2020-09-11 is before ship_date and is not taken"},
		{"2026-09-11", "46.42", "2026-09-11", "0.10 0.00 0.10 2027-03-10 expired", ""},
		{"2026-09-17", "46.55", "", "0.05 0.00 0.00  ", "and 0.05 USD"},
		{"2026-09-17", "46.00", "2026-09-16", "0.00 0.00 0.00  ", "below what is expected"},
	} {
		text := fmt.Sprintf(`{"id":"1","carrier":"ODFL","ship_date":%q,"base_amount":"100","billed_amount":%q,"bill_received":%q}`, c.day, c.billed, c.received)
		file, err := audit.Read(t.Context(), lines.NDJSON, []byte(text), lines.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		r := audit.NewAuditor(archives(), now, audit.Tolerance{Amount: tolerated}).Audit(file.Lines[0])
		totals.Add(r)
		got := fmt.Sprintf("%s %s %s %s %s", r.RecoverableAmount, r.ContestableAmount, r.ExpiredAmount, r.ContestBy, r.Contestability(now))
		if got != c.want || !strings.HasSuffix(*r.Reason, c.reason) || c.reason == "" && strings.Contains(*r.Reason, ";") {
			t.Errorf("%s %s %s: %s, want %s; reason %s", c.day, c.billed, c.received, got, c.want, *r.Reason)
		}
	}
	if totals.RecoverableAmount != 935 || totals.ContestableAmount != 700 || totals.ExpiredAmount != 110 {
		t.Errorf("%+v", totals)
	}
}

// file10k is 10,000 CSV lines over ten carriers and 160 weeks, with every verdict among them.
func file10k() ([]byte, map[contracts.Carrier]audit.Archive) {
	const weeks = 160
	first := today.AddDays(-7*weeks + 1)
	all := map[contracts.Carrier]audit.Archive{}
	percent := func(c contracts.Carrier, w int) float64 {
		return 30 + float64(slices.Index(contracts.Carriers, c)) + float64(w*7%100)/10
	}
	for _, carrier := range contracts.Carriers {
		var of []audit.Week
		for w := range weeks {
			of = append(of, week(first.AddDays(7*w), percent(carrier, w)))
		}
		all[carrier] = audit.NewArchive(of)
	}
	bills := audittest.Bills{
		First: first, Published: percent, Week: func(n int) int { return n / len(contracts.Carriers) % (weeks - 1) },
		Unknown: func(int) contracts.Date { return today.AddDays(1) },
	}
	return bills.CSV(lines.MaxLines), all
}

func audited(t testing.TB, format lines.Format, body []byte, all map[contracts.Carrier]audit.Archive) (map[audit.Verdict]int, []byte) {
	t.Helper()
	file, err := audit.Read(t.Context(), format, body, lines.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	counts := map[audit.Verdict]int{}
	a := audit.NewAuditor(all, today, audit.DefaultTolerance)
	for p := range audit.Pieces(lines.Output{Format: format}, file.Found, a.All(file.Lines, func(v audit.Verdict) { counts[v]++ })) {
		out = append(out, p.Text...)
	}
	return counts, out
}

// All verdicts come out of one file, in the order of its lines.
func TestWholeFileHasEveryVerdict(t *testing.T) {
	t.Parallel()
	body, all := file10k()
	counts, out := audited(t, lines.CSV, body, all)
	for _, v := range audit.Verdicts {
		if counts[v] == 0 {
			t.Errorf("no %s among %v", v, counts)
		}
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil || len(rows) != lines.MaxLines+2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1 : len(rows)-1] {
		if row[0] != fmt.Sprint(i) {
			t.Fatalf("row %d is of line %s", i, row[0])
		}
	}
	t.Log(counts)
}

// GOMAXPROCS=1 go test -bench Audit10k ./audit
func BenchmarkAudit10k(b *testing.B) {
	body, all := file10k()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		audited(b, lines.CSV, body, all)
	}
}
