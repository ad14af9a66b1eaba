package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// The same two lines in each format.
var sameLines = map[lines.Format][]string{
	lines.JSON: {
		`[{"id":"A1","carrier":"ODFL","ship_date":"2026-09-11","billed_pct":"46.32"},` + "\n" + `{"id":2,"carrier":"cnwy","ship_date":"2026-09-11","billed_pct":46.32}]`,
		"\ufeff [ {\"ship_date\":\"2026-09-11\",\"carrier\":\" ODFL \",\"billed_pct\":4632e-2,\"id\":\"A1\",\"cap_pct\":null}\n,{\"id\":\"2\",\"carrier\":\"XPO\",\"ship_date\":\"2026-09-11\",\"billed_pct\":0.4632E+2}]\n",
	},
	lines.NDJSON: {
		`{"id":"A1","carrier":"ODFL","ship_date":"2026-09-11","billed_pct":"46.32"}` + "\r\n\n" + `{"id":2,"carrier":"XPO","ship_date":"2026-09-11","billed_pct":46.32}`,
	},
	lines.CSV: {
		"id,carrier,ship_date,billed_pct\nA1,ODFL,2026-09-11,46.32\n2,XPO,2026-09-11,46.32\n",
		"\ufeffBilled_Pct, CARRIER ,ship_date,id\r\n\"46.32\",ODFL,2026-09-11,A1\r\n,,,\r\n\r\n46.32,\"cnwy\",2026-09-11,2",
	},
}

func TestFormatsHoldTheSame(t *testing.T) {
	t.Parallel()
	for format, bodies := range sameLines {
		for i, body := range bodies {
			file, err := audit.Read(t.Context(), format, []byte(body), lines.Reading{})
			if err != nil || len(file.Lines) != 2 {
				t.Fatalf("%s %d: %d lines, %v", format, i, len(file.Lines), err)
			}
			for n, want := range []string{"A1 ODFL", "2 XPO"} {
				l := file.Lines[n]
				if got := l.ID + " " + l.Carrier; got != want || len(l.Errors) > 0 || l.ShipDate != "2026-09-11" || *l.BilledPct != 463200 || l.Service != audit.LTL || l.Cap != nil {
					t.Errorf("%s %d: %+v, want %s", format, i, l, want)
				}
			}
		}
	}
}

// One bad line does not spoil the others, and is named by its number.
func TestBadLinesAreNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format lines.Format
		body   string
		want   []string // the number of each line and its first error
	}{
		"NDJSON": {lines.NDJSON, "{\"id\":1}\n\nnonsense\n[1]\n{\"id\":\"\xff\"}\n{\"id\":\"a\u200bb\"}\n", []string{
			"1 line 1: carrier: this is required", "3 line 3: this is not JSON", "4 line 4: want a JSON object",
			"5 line 5: this is not valid UTF-8", "6 line 6: id: invisible",
		}},
		"JSON": {lines.JSON, `[{"id":"1","carrier":"ODFL","ship_date":"2026-09-11"},7,{"id":{}},null]`, []string{
			"1 ", "2 line 2: want a JSON object", "3 line 3: id: want a text or a number", "4 line 4: want a JSON object",
		}},
		"CSV": {lines.CSV, "id,carrier,ship_date\n1,ODFL\n2,\"OD\nFL\",2026-09-11\n3,OD\"FL,2026-09-11\n4,ODFL,11/09/2026\n\"5\n", []string{
			"2 line 2: there are 2 cells below 3 columns", "3 line 3: carrier: control characters", "5 line 5: this is not CSV: bare",
			"6 line 6: ship_date: want a date in the form YYYY-MM-DD", "7 line 7: this is not CSV",
		}},
		"a text that is too long": {lines.NDJSON, `{"id":"` + strings.Repeat("x", 201) + `"}`, []string{"1 line 1: id: at most 200 characters"}},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := audit.Read(t.Context(), c.format, []byte(c.body), lines.Reading{})
			if err != nil || len(file.Lines) != len(c.want) {
				t.Fatalf("%d lines, %v: %+v", len(file.Lines), err, file.Lines)
			}
			for i, l := range file.Lines {
				first := ""
				if len(l.Errors) > 0 {
					first = l.Errors[0]
				}
				if got := fmt.Sprintf("%d %s", l.Number, first); !strings.HasPrefix(got, c.want[i]) || (first == "") != strings.HasSuffix(c.want[i], " ") {
					t.Errorf("%q, want %q", got, c.want[i])
				}
			}
		})
	}
}

// What is wrong with a file as a whole refuses it as a whole.
func TestUnreadableFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format     lines.Format
		body, want string
	}{
		"no JSON":              {lines.JSON, `{"id":`, "not JSON"},
		"empty JSON":           {lines.JSON, ``, "not JSON"},
		"a list without end":   {lines.JSON, `[{"id":1},`, "not JSON"},
		"NDJSON as JSON":       {lines.JSON, "{\"id\":1}\n{\"id\":2}", "application/x-ndjson"},
		"an empty list":        {lines.JSON, `[]`, "no lines"},
		"empty NDJSON":         {lines.NDJSON, "\n\n", "no lines"},
		"an empty CSV":         {lines.CSV, "", "not a CSV header"},
		"a CSV header alone":   {lines.CSV, "id,carrier,ship_date\n", "no lines"},
		"an unknown column":    {lines.CSV, "id,carrier,ship_date,weight\n", `the column "weight" is not known`},
		"a column twice":       {lines.CSV, "id,carrier,ship_date,ID\n", "there twice"},
		"a column is missing":  {lines.CSV, "id,carrier\n", "ship_date is missing"},
		"a quote without end":  {lines.CSV, "id,carrier,ship_date\n1,\"ODFL,2026-09-11\n2,ODFL,2026-09-11\n", "line 2: the quoted cell"},
		"a row of commas":      {lines.CSV, "id,carrier,ship_date\n1,ODFL,2026-09-11\n" + strings.Repeat(",", 65<<10), "below line 2: a row has more than 64 KB"},
		"a header of commas":   {lines.CSV, strings.Repeat(",", 65<<10), "more than 64 KB"},
		"semicolons for comma": {lines.CSV, "id;carrier;ship_date\n1;ODFL;2026-09-11\n", "not known"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := audit.Read(t.Context(), c.format, []byte(c.body), lines.Reading{})
			if contracts.CodeOf(err) != contracts.InvalidRequest || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want INVALID_REQUEST %q", err, c.want)
			}
		})
	}
}

// MaxLines is the most, in each format.
func TestMaxLines(t *testing.T) {
	t.Parallel()
	for format, write := range map[lines.Format]func(n int) string{
		lines.JSON:   func(n int) string { return "[" + strings.Repeat("{},", n-1) + "{}]" },
		lines.NDJSON: func(n int) string { return strings.Repeat("{}\n", n) },
		lines.CSV:    func(n int) string { return "id,carrier,ship_date\n" + strings.Repeat("1,,\n", n) },
	} {
		if file, err := audit.Read(t.Context(), format, []byte(write(lines.MaxLines)), lines.Reading{}); err != nil || len(file.Lines) != lines.MaxLines {
			t.Errorf("%s: %d lines, %v", format, len(file.Lines), err)
		}
		if _, err := audit.Read(t.Context(), format, []byte(write(lines.MaxLines+1)), lines.Reading{}); contracts.CodeOf(err) != contracts.RequestTooLarge {
			t.Errorf("%s: %v, want REQUEST_TOO_LARGE", format, err)
		}
	}
}

// An object is one line, and may have the options of the request.
func TestObjectWithOptions(t *testing.T) {
	t.Parallel()
	file, err := audit.Read(t.Context(), lines.JSON, []byte(`{"id":"1","carrier":"ODFL","ship_date":"2026-09-11","tolerance_points":0.5,"tolerance_amount":"1","dry_run":true}`), lines.Reading{})
	if err != nil || len(file.Lines) != 1 || len(file.Lines[0].Errors) > 0 {
		t.Fatal(file, err)
	}
	if got := fmt.Sprint(file.Options); got != "map[dry_run:1 tolerance_amount:1 tolerance_points:0.5]" {
		t.Error(got)
	}
	file, err = audit.Read(t.Context(), lines.JSON, []byte(`[{"id":"1","carrier":"ODFL","ship_date":"2026-09-11","dry_run":true}]`), lines.Reading{})
	if err != nil || len(file.Lines[0].Errors) != 1 {
		t.Error("an option in a list's line is not refused", file, err)
	}
}

// Whatever comes, lines are counted from 1 upwards, and each has an id, carrier, day and service, or says what is wrong.
func FuzzRead(f *testing.F) {
	formats := []lines.Format{lines.JSON, lines.NDJSON, lines.CSV}
	for i, format := range formats {
		for _, body := range sameLines[format] {
			f.Add(i, []byte(body))
		}
	}
	f.Add(2, []byte("id,carrier,ship_date\n\"1\n"))
	f.Add(2, []byte("id,carrier,ship_date\n1,ODFL,2026-09-11\n2,\""+strings.Repeat("x\n,", 22_000)))
	f.Fuzz(func(t *testing.T, format int, body []byte) {
		file, err := audit.Read(t.Context(), formats[uint(format)%3], body, lines.Reading{})
		if err != nil {
			if code := contracts.CodeOf(err); code != contracts.InvalidRequest && code != contracts.RequestTooLarge {
				t.Error(err)
			}
			return
		}
		last := 0
		for _, l := range file.Lines {
			if l.Number <= last {
				t.Fatalf("line %d follows line %d", l.Number, last)
			}
			last = l.Number
			if len(l.Errors) == 0 && (l.ID == "" || l.Carrier == "" || l.ShipDate == "" || l.Service == "") {
				t.Errorf("%+v", l)
			}
			audit.NewAuditor(archives(), today, audit.Tolerance{}).Audit(l)
		}
	})
}
