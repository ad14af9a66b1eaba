package api

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/spreadsheet"
	"assay.dev/platform/telemetry"
)

// HeaderLinePrice is the header of a reply to a file of lines that says what each resolved line costs, in US dollars.
// Replies to test keys, which cost nothing, are without it.
const HeaderLinePrice = "Assay-Line-Price"

// HeaderReplayed is the header of a reply to a request that came before with the same Idempotency-Key and owes nothing.
// Above 250 lines, unless the reply is kept, it speaks of the first piece: it is sent before the rest is judged.
const HeaderReplayed = "Idempotent-Replayed"

// lineForms are the forms of a file of lines; result is what a line is given, such as a verdict.
func lineForms(result string) []Form {
	last := fmt.Sprintf("of the answer has an empty id, the %s TOTAL and the totals.", result)
	return []Form{
		{"application/json", "application/json", lines.MaxBytes,
			"One line, or a list of lines. A single line may also have " +
				"the query's parameters as members."},
		{"application/x-ndjson", "application/x-ndjson", lines.MaxBytes, "An object a line of text. The last line " + last},
		{"text/csv", spreadsheet.MediaType, lines.MaxBytes,
			"RFC 4180 with a header that names the members. The last row " + last},
		{sheet.WorkbookType, spreadsheet.MediaType, sheet.MaxWorkbook, "A workbook (.xlsx), of which the first sheet is " +
			"read; with the parameter columns only. It is answered as CSV."},
	}
}

// lineFormats are what the forms are called where lines are read.
var lineFormats = map[string]lines.Format{
	"application/json": lines.JSON, "application/x-ndjson": lines.NDJSON, "text/csv": lines.CSV,
	sheet.WorkbookType: lines.Workbook,
}

var dryRun = booleanParam(Parameter{
	Name: "dry_run", Description: "true tells what it would cost, and does nothing else.", Argument: Argument{Omitted: true},
}, false)

// isDryRun tells whether the query or a single line says so.
func (r *Request) isDryRun(options map[string]string) (bool, error) {
	member, isGiven := options[dryRun.Name]
	if dryRun.of(r) || !isGiven {
		return dryRun.of(r), nil
	}
	return readBoolean(inBody, dryRun.Parameter, member)
}

// lineSchema is the JSON Schema of a line.
func lineSchema[L any](members []lines.Member[L]) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, m := range members {
		of := &jsonschema.Schema{Type: "string", Description: m.Text}
		switch {
		case m.Kind == lines.Day:
			of.Format = "date"
		case m.Kind.IsNumber():
			of = &jsonschema.Schema{Description: m.Text,
				AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number", Format: "double"}}}
		}
		s.Properties[m.Name] = of
		s.PropertyOrder = append(s.PropertyOrder, m.Name)
		if m.Required {
			s.Required = append(s.Required, m.Name)
		}
	}
	return s
}

// PricedLines are the lines of a kind that were answered, and what each costs that is resolved.
type PricedLines[V ~string] struct {
	Price  contracts.Price
	counts map[V]prometheus.Counter
}

// NewPricedLines registers the metric that counts lines by a label, of which all are the values.
func NewPricedLines[V ~string](price contracts.Price, r prometheus.Registerer, name, help, label string,
	all []V) (*PricedLines[V], error) {
	m := telemetry.NewMetrics(r)
	counts := m.Counters(name, help, label)
	if err := m.Err(); err != nil {
		return nil, err
	}
	l := &PricedLines[V]{Price: price, counts: map[V]prometheus.Counter{}}
	for _, v := range all {
		l.counts[v] = counts.WithLabelValues(string(v))
	}
	return l, nil
}

// Count counts a line.
func (l *PricedLines[V]) Count(v V) { l.counts[v].Inc() }

// LinesQuote is what a file of lines would cost: the body of a dry run.
type LinesQuote struct {
	DryRun bool `json:"dry_run"`
	Lines  int  `json:"lines"`
	// Resolved lines are those that would be charged.
	Resolved  int             `json:"resolved" jsonschema:"The lines that would be charged."`
	LinePrice contracts.Price `json:"line_price_usd" csv:"number" jsonschema:"What a resolved line costs; 0.00 for a test key."`
	Price     contracts.Price `json:"price_usd" csv:"number" jsonschema:"What all lines would cost."`
	LivePrice contracts.Price `json:"live_price_usd" csv:"number" jsonschema:"What they would cost a live key."`
	lines.Matched
}

var linesQuotes = spreadsheet.New[LinesQuote]("")

// quoteOf is what lines cost. Only live keys are charged.
func quoteOf(r *Request, all, resolved int, price contracts.Price, found *lines.Found) LinesQuote {
	whole := contracts.Price(resolved) * price
	q := LinesQuote{DryRun: true, Lines: all, Resolved: resolved, LinePrice: price, Price: whole, LivePrice: whole,
		Matched: found.Matched()}
	if r.Environment != contracts.Live {
		q.LinePrice, q.Price = 0, 0
	}
	return q
}

func quoteReply(r *Request, quote any, table *spreadsheet.Table, found *lines.Found) (Reply, error) {
	body, err := json.Marshal(quote)
	if err == nil && r.Form.Reply == spreadsheet.MediaType {
		body, err = table.CSV(body)
	}
	return Reply{Body: contracts.EscapeJSON(body), MediaType: r.Form.Reply, Headers: columnsHeader(found)}, err
}

// linesUpload is the body of an endpoint whose lines get results from what is known already, by the word that names
// what a result says.
func linesUpload[L any, P lines.Line[L]](word string, s *lines.Schema[L, P]) *Upload {
	return &Upload{
		MaxBytes: sheet.MaxWorkbook, Forms: lineForms(word), Options: s.Options,
		Argument: Argument{Schema: &jsonschema.Schema{Type: "array", Items: lineSchema(s.Members),
			MinItems: jsonschema.Ptr(1)}},
	}
}

// linesParameters are those of such an endpoint.
var linesParameters = []*Parameter{dryRun.Parameter, auditColumns.Parameter, byteOrderMark.Parameter,
	withTotals.Parameter}

// linesOf reads the lines of a body.
func linesOf[L any, P lines.Line[L]](ctx context.Context, r *Request, s *lines.Schema[L, P]) (lines.File[L], error) {
	reading := r.columns(s.ParseColumns)
	if err := r.err(); err != nil {
		return lines.File[L]{}, err
	}
	return s.Read(ctx, lineFormats[r.Form.MediaType], r.Body, reading)
}

// answerLines writes the results of lines, or what they would cost. seen is told of each result.
func answerLines[L any, V ~string](
	r *Request, file lines.File[L], priced *PricedLines[V],
	pieces func(o lines.Output, seen func(V)) iter.Seq[lines.Piece],
) (Reply, error) {
	o := lines.Output{Format: lineFormats[r.Form.MediaType], NoTotals: !withTotals.of(r)}
	isDry, err := r.isDryRun(file.Options)
	if err != nil {
		return Reply{}, err
	}
	if isDry {
		resolved := 0
		for p := range pieces(o, func(V) {}) {
			resolved += p.Resolved
		}
		return quoteReply(r, quoteOf(r, len(file.Lines), resolved, priced.Price, file.Found), linesQuotes, file.Found)
	}
	return Reply{
		MediaType: r.Form.Reply, Pieces: pieces(o, priced.Count), LinePrice: priced.Price, Headers: columnsHeader(file.Found),
		Sheet: sheetOf(file.Found),
	}, nil
}
