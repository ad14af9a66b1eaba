package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// exampleLines are the columns of an audit's example, and two lines of it.
var exampleLines = [][]string{
	{"id", "carrier", "ship_date", "billed_pct", "base_amount", "billed_amount", "pro_number", "bill_received"},
	{"A1", "ODFL", "2026-09-11", "46.32", "1200.00", "555.84", "77000001", "2026-09-14"},
	{"A2", "EXLA", "2026-09-11", "48.10", "", "", "77000002", "2026-09-14"},
}

// exampleObjects are the lines as JSON objects.
func exampleObjects(lines [][]string) []map[string]any {
	var all []map[string]any
	for _, line := range lines[1:] {
		o := map[string]any{}
		for i, name := range lines[0] {
			if line[i] != "" {
				o[name] = line[i]
			}
		}
		all = append(all, o)
	}
	return all
}

// exampleUpload is an example as a body of a form: objects for JSON, else its text.
func exampleUpload(lines [][]string) func(Form) any {
	return func(f Form) any {
		var text strings.Builder
		switch f.MediaType {
		case "application/json":
			return exampleObjects(lines)
		case "text/csv":
			for _, line := range lines {
				fmt.Fprintf(&text, "%s\r\n", strings.Join(line, ","))
			}
		default:
			for _, o := range exampleObjects(lines) {
				line, _ := json.Marshal(o) // texts always marshal
				fmt.Fprintf(&text, "%s\n", line)
			}
		}
		return text.String()
	}
}

// exampleFile reads the example and gives what it is audited by.
func exampleFile() (audit.File, *audit.Auditor) {
	text := exampleUpload(exampleLines)(Form{MediaType: "application/x-ndjson"}).(string)
	file, err := audit.Read(lines.NDJSON, []byte(text), lines.Reading{})
	if err != nil {
		panic(err) // the example is ours: a test sees it
	}
	weeks := func(url string, percents ...float64) audit.Archive {
		var all []audit.Week
		for i, percent := range percents {
			start := contracts.Date("2026-09-02").AddDays(7 * i)
			all = append(all, audit.Week{
				Start: start, End: start.AddDays(6), LTL: audit.PublishedPoints(percent), Confidence: 1, EvidenceURL: url,
			})
		}
		return audit.NewArchive(all)
	}
	return file, audit.NewAuditor(map[contracts.Carrier]audit.Archive{
		contracts.ODFL:  weeks("https://www.odfl.com/us/en/resources/fuel-surcharge.html", 46.18, 46.32, 46.5),
		contracts.ESTES: weeks("https://www.estes-express.com/resources/fuel-surcharge/", 48.10, 47.80, 47.60),
	}, "2026-09-18", audit.DefaultTolerance)
}

// auditExamples are the JSON bodies of the example, and of a dry run.
func auditExamples() map[string]any {
	file, auditor := exampleFile()
	body := Audit{Totals: audit.NewTotals()}
	for _, l := range file.Lines {
		r := auditor.Audit(l)
		body.Results = append(body.Results, audit.NewLineResult(r, nil))
		body.Totals.Add(r)
	}
	price := contracts.LTL.UnitPrice() / 10
	return map[string]any{
		"two lines": body,
		"a dry run": AuditQuote{LinesQuote: LinesQuote{DryRun: true, Lines: 2, Resolved: 2, LinePrice: price, Price: 2 * price}},
	}
}

// exampleReply is the example's reply in a form of text.
func exampleReply(f Form) string {
	file, auditor := exampleFile()
	var text []byte
	for p := range audit.Pieces(lines.Output{Format: lineFormats[f.MediaType]}, nil, auditor.All(file.Lines, func(audit.Verdict) {})) {
		text = slices.Concat(text, p.Text)
	}
	return string(text)
}
