package api

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/spreadsheet"
	"assay.dev/platform/telemetry"
)

// HeaderLinePrice is the header of an audit's reply that says what each resolved line costs, in US dollars. Replies to
// test keys, which cost nothing, are without it.
const HeaderLinePrice = "Assay-Line-Price"

// MaxToolLines bounds the lines of a call of the tool audit_fuel_surcharge.
const MaxToolLines = 200

// auditing is the endpoint that holds invoices against what carriers published (contract §4.11).
var auditing = &Endpoint{
	Path: "/v1/ltl/audit", ID: "auditFuelSurcharges", Method: "POST", LinePriced: true,
	Summary: "Fuel surcharges of invoices, line by line",
	Description: "Each line names a carrier, the day of shipment and what was billed, and gets a verdict by what the carrier published for " +
		"that day: MATCH, WRONG_WEEK, OVERBILLED and so on. At most 10,000 lines and 5 MB; the answer has the form of the body, its lines " +
		"in the order of the body's, and ends with totals. Lines that are INVALID, DUPLICATE or UNRESOLVED are free. A repetition of the " +
		"same body with the same Idempotency-Key within 24 hours is charged once. With columns=auto a file is read as it was exported: headings, " +
		"dates and numbers as people have them, other columns carried through; the header Assay-Columns, a query string, says which column was " +
		"taken for what.",
	Parameters: []*Parameter{
		tolerancePoints.Parameter, toleranceAmount.Parameter, dryRun.Parameter, auditContract.Parameter, keepAudit.Parameter, auditColumns.Parameter, dateForm.Parameter, percentForm.Parameter,
		byteOrderMark.Parameter, withTotals.Parameter,
	},
	Upload: &Upload{
		MaxBytes: sheet.MaxWorkbook, Forms: auditForms, MaxItems: MaxToolLines, Example: exampleUpload, ExampleReply: exampleReply,
		Argument: Argument{
			Name: "lines", Required: true, Description: "The lines of the invoices, at most 200; send more in further calls.",
			Schema: &jsonschema.Schema{Type: "array", Items: LineSchema(), MinItems: jsonschema.Ptr(1), MaxItems: jsonschema.Ptr(MaxToolLines)},
		},
	},
	Bodies:   bodyTypes[Audit, AuditQuote](),
	Failures: []*Failure{MalformedBody, NotAcceptable, UnsupportedMediaType, NoContract},
	Tool: &Tool{
		Name: "audit_fuel_surcharge", Title: "Audit fuel surcharges",
		Description: "Checks the fuel surcharges of up to 200 invoice lines against what the carriers published for the day of shipment, however " +
			"long ago. Give each line an id, the carrier, ship_date, and billed_pct, or base_amount and billed_amount, or all three. " +
			"It answers with totals and with the lines that are not MATCH: WRONG_WEEK (the rate of the week before or after), " +
			"WRONG_TABLE (the truckload column), ARITHMETIC, OVERBILLED, UNDERBILLED, WITHIN_TOLERANCE, and INVALID, DUPLICATE or " +
			"UNRESOLVED, whose reason says why there is no verdict. results_left_out counts the lines that are not MATCH and did not fit.",
		Body: bodyType[AuditSummary]()[0], Reshape: summarizeAudit, InWords: auditInWords,
	},
	Examples: auditExamples,
	Answer:   auditLines,
}

// auditForms are the forms of a file of lines, and auditFormats what the engine calls them.
var (
	auditForms = []Form{
		{"application/json", "application/json", audit.MaxBytes, "One line, or a list of lines. A single line may also have the query's parameters as members."},
		{"application/x-ndjson", "application/x-ndjson", audit.MaxBytes, "A line of the audit a line of text. The last line of the answer has an empty id, the verdict TOTAL and the totals."},
		{"text/csv", spreadsheet.MediaType, audit.MaxBytes, "RFC 4180 with a header that names the members. The last row of the answer has an empty id, the verdict TOTAL and the totals."},
		{sheet.WorkbookType, spreadsheet.MediaType, sheet.MaxWorkbook, "A workbook (.xlsx), of which the first sheet is read; with the parameter columns only. It is answered as CSV."},
	}
	auditFormats = map[string]audit.Format{
		"application/json": audit.JSON, "application/x-ndjson": audit.NDJSON, "text/csv": audit.CSV,
		sheet.WorkbookType: audit.Workbook,
	}
)

// The parameters of the endpoint.
var (
	tolerancePoints = decimalParam(Parameter{
		Name: "tolerance_points", Schema: decimalSchema("0"), Description: "By how many percentage points a bill may be off and be WITHIN_TOLERANCE.",
	}, audit.ParsePoints)
	toleranceAmount = decimalParam(Parameter{
		Name: "tolerance_amount", Schema: decimalSchema("0.01"), Description: "By how many USD a billed amount may be off.",
	}, audit.ParseCents)
	dryRun = booleanParam(Parameter{
		Name: "dry_run", Description: "1 tells what the lines would cost, and nothing else. It is free.",
		Schema: &jsonschema.Schema{Type: "integer", Enum: []any{0, 1}, Default: json.RawMessage("0")}, Argument: Argument{Omitted: true},
	}, false)
)

func decimalSchema(absent string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "number", Format: "double", Minimum: jsonschema.Ptr(0.0), Default: json.RawMessage(absent)}
}

// LineSchema is the JSON Schema of a line.
func LineSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, m := range audit.Members {
		s.Properties[m.Name] = memberSchema(m)
		s.PropertyOrder = append(s.PropertyOrder, m.Name)
		if m.Required {
			s.Required = append(s.Required, m.Name)
		}
	}
	return s
}

func memberSchema(m audit.Member) *jsonschema.Schema {
	switch m.Kind {
	case audit.Day:
		return &jsonschema.Schema{Type: "string", Format: "date", Description: m.Text}
	case audit.Decimal:
		return &jsonschema.Schema{Description: m.Text, AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number", Format: "double"}}}
	}
	return &jsonschema.Schema{Type: "string", Description: m.Text}
}

// Audit is the body of an audit in JSON.
type Audit struct {
	Results []audit.LineResult `json:"results"`
	Totals  audit.Totals       `json:"totals"`
	AuditID string             `json:"audit_id,omitempty" jsonschema:"The id under which it is kept; with keep=1 only."`
	audit.Matched
}

// AuditQuote is what an audit would cost: the body of a dry run.
type AuditQuote struct {
	DryRun bool `json:"dry_run"`
	Lines  int  `json:"lines"`
	// Resolved lines are those that would be charged.
	Resolved  int             `json:"resolved" jsonschema:"The lines that would be charged."`
	LinePrice contracts.Price `json:"line_price_usd" csv:"number" jsonschema:"What a resolved line costs; 0.00 for a test key."`
	Price     contracts.Price `json:"price_usd" csv:"number" jsonschema:"What the audit would cost."`
	Problems  []audit.Problem `json:"problems,omitempty" jsonschema:"Why lines are INVALID or UNRESOLVED, each cause once; absent for none."`
	audit.Matched
}

var quoteTable = spreadsheet.New[AuditQuote]("")

// Auditing is what audits need besides the answers of workers.
type Auditing struct {
	// LinePrice is charged for each resolved line.
	LinePrice contracts.Price
	verdicts  map[audit.Verdict]prometheus.Counter
}

// NewAuditing registers the metric of verdicts.
func NewAuditing(linePrice contracts.Price, r prometheus.Registerer) (*Auditing, error) {
	lines, err := telemetry.Register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "gateway_audit_lines_total", Help: "Audited lines by their verdict.",
	}, []string{"verdict"}))
	if err != nil {
		return nil, err
	}
	a := &Auditing{LinePrice: linePrice, verdicts: map[audit.Verdict]prometheus.Counter{}}
	for _, v := range audit.Verdicts {
		a.verdicts[v] = lines.WithLabelValues(string(v))
	}
	return a, nil
}

func (a *Auditing) count(v audit.Verdict) { a.verdicts[v].Inc() }

// auditLines gives the lines of the body their verdicts.
func auditLines(ctx context.Context, a *API, r *Request) (Reply, error) {
	format := auditFormats[r.Form.MediaType]
	file, options, err := readLines(ctx, r, format)
	if err != nil {
		return Reply{}, err
	}
	today := contracts.Today(time.Now())
	output := audit.Output{Format: format, Mark: byteOrderMark.of(r), NoTotals: !withTotals.of(r)}
	if keepAudit.of(r) && !options.dryRun {
		return a.keptAudit(ctx, r, output, func() (kept.Audit, error) {
			auditor, err := a.auditorOf(ctx, r, file.Lines, today, options.tolerance)
			if err != nil {
				return kept.Audit{}, err
			}
			results := slices.Collect(auditor.All(file.Lines, a.Auditing.count))
			return kept.NewAudit(file.Found, results, auditContract.of(r), time.Now()), nil
		})
	}
	auditor, err := a.auditorOf(ctx, r, file.Lines, today, options.tolerance)
	if err != nil {
		return Reply{}, err
	}
	if options.dryRun {
		return a.quote(r, file, auditor)
	}
	return Reply{
		MediaType: r.Form.Reply, Pieces: audit.Pieces(output, file.Found, auditor.All(file.Lines, a.Auditing.count)), LinePrice: a.Auditing.LinePrice,
		Headers: columnsHeader(file.Found),
	}, nil
}

// auditOptions are the values of the parameters.
type auditOptions struct {
	tolerance audit.Tolerance
	dryRun    bool
}

// readLines reads the body, and the options of the query and of a single line.
func readLines(ctx context.Context, r *Request, format audit.Format) (audit.File, auditOptions, error) {
	_, span := telemetry.StartSpan(ctx, "assay.dev/gateway/api", "audit.read")
	defer span.End()
	reading, err := r.reading()
	if err != nil {
		return audit.File{}, auditOptions{}, err
	}
	file, err := audit.Read(format, r.Body, reading)
	if err != nil {
		return audit.File{}, auditOptions{}, err
	}
	o := auditOptions{tolerance: audit.DefaultTolerance}
	points := orMember(r, tolerancePoints, file.Options, audit.ParsePoints)
	amount := orMember(r, toleranceAmount, file.Options, audit.ParseCents)
	if points != nil {
		o.tolerance.Points = *points
	}
	if amount != nil {
		o.tolerance.Amount = *amount
	}
	o.dryRun = dryRun.of(r) || file.Options[dryRun.Name] == "1"
	return file, o, r.err()
}

// orMember is a parameter's value or, where the query does not have it, the member of that name of the body.
func orMember[T any](r *Request, p Param[*T], of map[string]string, parse func(string) (T, error)) *T {
	value, member := p.of(r), of[p.Name]
	if member == "" {
		return value
	}
	parsed, err := parse(member)
	switch {
	case value != nil:
		r.violate(inBody, p.Name, "too_many_values", "this is in the query too")
	case err != nil:
		r.violate(inBody, p.Name, "decimal_parsing", err.Error())
	}
	return &parsed
}

// quote tells what the lines would cost. Only live keys are charged.
func (a *API) quote(r *Request, file audit.File, auditor *audit.Auditor) (Reply, error) {
	totals := audit.NewTotals()
	for _, l := range file.Lines {
		r := auditor.Audit(l)
		totals.Add(r)
		totals.Note(l.Number, r)
	}
	q := AuditQuote{
		DryRun: true, Lines: totals.Lines, Resolved: totals.Resolved(), LinePrice: a.Auditing.LinePrice, Problems: totals.Problems,
		Matched: file.Found.Matched(),
	}
	if r.Environment != contracts.Live {
		q.LinePrice = 0
	}
	q.Price = contracts.Price(q.Resolved) * q.LinePrice
	body, err := json.Marshal(q)
	if err == nil && r.Form.Reply == spreadsheet.MediaType {
		body, err = quoteTable.CSV(body)
	}
	return Reply{Body: contracts.EscapeJSON(body), MediaType: r.Form.Reply, Headers: columnsHeader(file.Found)}, err
}
