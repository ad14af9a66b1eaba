package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
)

// idempotencyKey is the header by which a client repeats a request.
var idempotencyKey = object{
	"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "minLength": 1, "maxLength": 200},
	"description": "A key of your own. The same body with the same key is charged once within 24 hours.",
}

// uploadOf is the body of an endpoint's requests, in each of its forms.
func uploadOf(u *api.Upload) object {
	forms := object{}
	for _, f := range u.Forms {
		form := object{"schema": object{"type": "string", "description": f.Text}, "example": written(f, exampleLines)}
		if f.MediaType == "application/json" {
			form["schema"] = jsonUpload(u, f)
			form["example"] = exampleObjects(exampleLines)
		}
		forms[f.MediaType] = form
	}
	return object{"required": true, "content": forms}
}

// jsonUpload is a line, with the parameters that it may have, or a list of lines.
func jsonUpload(u *api.Upload, f api.Form) *jsonschema.Schema {
	list := *u.Argument.Schema
	list.MaxItems = jsonschema.Ptr(audit.MaxLines)
	one := api.LineSchema()
	for _, name := range audit.OptionNames {
		one.Properties[name] = &jsonschema.Schema{Description: "As the parameter of the query."}
	}
	return &jsonschema.Schema{Description: f.Text, OneOf: []*jsonschema.Schema{one, &list}}
}

// uploadReplies adds the forms of a reply that are not JSON.
func uploadReplies(e *api.Endpoint, forms object) object {
	for _, f := range e.Upload.Forms {
		name, _, _ := strings.Cut(f.Reply, ";")
		if forms[name] == nil {
			forms[name] = object{"schema": object{"type": "string", "description": f.Text}, "example": exampleAudit(f)}
		}
	}
	return forms
}

// exampleLines are the columns of an audit's example, and two lines of it.
var exampleLines = [][]string{
	{"id", "carrier", "ship_date", "billed_pct", "base_amount", "billed_amount", "pro_number", "bill_received"},
	{"A1", "ODFL", "2026-09-11", "46.32", "1200.00", "555.84", "77000001", "2026-09-14"},
	{"A2", "EXLA", "2026-09-11", "48.10", "", "", "77000002", "2026-09-14"},
}

// exampleObjects are the lines as JSON objects.
func exampleObjects(lines [][]string) []object {
	var all []object
	for _, line := range lines[1:] {
		o := object{}
		for i, name := range lines[0] {
			if line[i] != "" {
				o[name] = line[i]
			}
		}
		all = append(all, o)
	}
	return all
}

// written is the example in a form of text.
func written(f api.Form, lines [][]string) string {
	var text strings.Builder
	if f.MediaType == "text/csv" {
		for _, line := range lines {
			fmt.Fprintf(&text, "%s\r\n", strings.Join(line, ","))
		}
		return text.String()
	}
	for _, o := range exampleObjects(lines) {
		line, _ := json.Marshal(o) // texts always marshal
		fmt.Fprintf(&text, "%s\n", line)
	}
	return text.String()
}

// exampleFile reads the example and gives what it is audited by.
func exampleFile() (audit.File, *audit.Auditor) {
	file, err := audit.Read(audit.NDJSON, []byte(written(api.Form{}, exampleLines)))
	if err != nil {
		panic(fmt.Sprintf("openapi: %v", err)) // the example is ours: a test sees it
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

// exampleAudits are the JSON bodies of the example, and of a dry run.
func exampleAudits() map[string]any {
	file, auditor := exampleFile()
	body := api.Audit{Totals: audit.NewTotals()}
	for _, l := range file.Lines {
		r := auditor.Audit(l)
		body.Results = append(body.Results, r)
		body.Totals.Add(r)
	}
	price := contracts.LTL.UnitPrice() / 10
	return map[string]any{
		"two lines": body,
		"a dry run": api.AuditQuote{DryRun: true, Lines: 2, Resolved: 2, LinePrice: price, Price: 2 * price},
	}
}

// exampleAudit is the example's reply in a form of text.
func exampleAudit(f api.Form) string {
	file, auditor := exampleFile()
	format := map[string]audit.Format{"application/x-ndjson": audit.NDJSON, "text/csv": audit.CSV}[f.MediaType]
	var text []byte
	for p := range audit.Pieces(format, file.Lines, auditor, func(audit.Verdict) {}) {
		text = slices.Concat(text, p.Text)
	}
	return string(text)
}
