package api

import (
	"context"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/spreadsheet"
	"assay.dev/platform/telemetry"
)

// MaxToolLines bounds the lines of a call of the tool audit_fuel_surcharge.
const MaxToolLines = 200

// auditing is the endpoint that holds invoices against what carriers published (contract §4.11).
var auditing = &Endpoint{
	Path: "/v1/ltl/audit", ID: "auditFuelSurcharges", Method: "POST", LinePriced: true,
	Summary: "Fuel surcharges of invoices, line by line",
	Description: "Each line names a carrier, the day of shipment and what was billed, and gets a verdict by what " +
		"the carrier published for that day: MATCH, WRONG_WEEK, OVERBILLED and so on. At most 10,000 lines and 5 MB; " +
		"the answer has the form of the body, its lines in the order of the body's, and ends with totals. Lines that " +
		"are INVALID, DUPLICATE or UNRESOLVED are free. A repetition of the same body with the same Idempotency-Key " +
		"within 24 hours is charged once. With columns=auto a file is read as it was exported: headings, dates and " +
		"numbers as people have them, other columns carried through; the header Assay-Columns, a query string, says " +
		"which column was taken for what.",
	Parameters: []*Parameter{
		tolerancePoints.Parameter, toleranceAmount.Parameter, dryRun.Parameter, auditContract.Parameter, keepAudit.Parameter,
		auditColumns.Parameter, dateForm.Parameter, percentForm.Parameter,
		byteOrderMark.Parameter, withTotals.Parameter,
	},
	Upload: &Upload{
		MaxBytes: sheet.MaxWorkbook, Forms: lineForms("verdict"), MaxItems: MaxToolLines, Options: audit.Schema.Options,
		Argument: Argument{
			Name: "lines", Required: true, Description: "The lines of the invoices, at most 200; send more in " +
				"further calls. Keep all lines of a carrier and pro_number in one call: duplicates and credits are seen only there.",
			Schema: &jsonschema.Schema{Type: "array", Items: lineSchema(audit.Schema.Members), MinItems: jsonschema.Ptr(1),
				MaxItems: jsonschema.Ptr(MaxToolLines)},
		},
	},
	Bodies:   bodyTypes[Audit, AuditQuote](),
	Failures: []*Failure{MalformedBody, NotAcceptable, UnsupportedMediaType, NoContract},
	Tool: &Tool{
		Name: "audit_fuel_surcharge", Title: "Audit fuel surcharges",
		Description: "Checks the fuel surcharges of up to 200 invoice lines against what the carriers published for the day " +
			"of shipment, however long ago. Give each line an id, the carrier, ship_date, and billed_pct, or base_amount and " +
			"billed_amount, or all three. It answers with totals and with the lines that are not MATCH: WRONG_WEEK (the rate " +
			"of the week before or after), WRONG_TABLE (the truckload column), ARITHMETIC, OVERBILLED, UNDERBILLED, " +
			"WITHIN_TOLERANCE, and INVALID, DUPLICATE or UNRESOLVED, whose reason says why there is no verdict. " +
			"results_left_out counts the lines at the end that are not MATCH and did not fit.",
		Body: bodyType[AuditSummary]()[0], Reshape: summarizeAudit, InWords: auditInWords,
	},
	Answer: auditLines,
}

// The parameters of the endpoint.
var (
	tolerancePoints = decimalParam(Parameter{
		Name: "tolerance_points", Description: "By how many percentage points a bill may be off and be WITHIN_TOLERANCE; 0 " +
			"where it is not given.",
	}, audit.ParsePoints)
	toleranceAmount = decimalParam(Parameter{
		Name: "tolerance_amount", Description: "By how many USD a billed amount may be off; 0.01 where it is not given.",
	}, audit.ParseCents)
)

// Audit is the body of an audit in JSON.
type Audit struct {
	Results []audit.LineResult `json:"results"`
	Totals  audit.Totals       `json:"totals"`
	AuditID string             `json:"audit_id,omitempty" jsonschema:"The id under which it is kept; with keep=1 only."`
	lines.Matched
}

// AuditQuote is what an audit would cost: the body of a dry run.
type AuditQuote struct {
	LinesQuote
	Problems []audit.Problem `json:"problems,omitempty" jsonschema:"Why lines are INVALID or UNRESOLVED, each cause once; absent for none."`
}

var auditQuotes = spreadsheet.New[AuditQuote]("")

// auditLines gives the lines of the body their verdicts.
func auditLines(ctx context.Context, a *API, r *Request) (Reply, error) {
	format := lineFormats[r.Form.MediaType]
	file, options, err := readLines(ctx, r, format)
	if err != nil {
		return Reply{}, err
	}
	today := contracts.Today(time.Now())
	output := lines.Output{Format: format, NoTotals: !withTotals.of(r)}
	if keepAudit.of(r) && !options.dryRun {
		return a.keptAudit(ctx, r, output, func() (kept.Audit, error) {
			auditor, err := a.auditorOf(ctx, r, file.Lines, today, options.tolerance)
			if err != nil {
				return kept.Audit{}, err
			}
			results := slices.Collect(auditor.All(file.Lines, a.Auditing.Count))
			return kept.NewAudit(file.Found, results, auditor.Grounds(results), auditContract.of(r), time.Now()), nil
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
		MediaType: r.Form.Reply, Pieces: audit.Pieces(output, file.Found, auditor.All(file.Lines, a.Auditing.Count)),
		LinePrice: a.Auditing.Price, Sheet: sheetOf(file.Found),
		Headers: columnsHeader(file.Found),
	}, nil
}

// auditOptions are the values of the parameters.
type auditOptions struct {
	tolerance audit.Tolerance
	dryRun    bool
}

// readLines reads the body, and the options of the query and of a single line.
func readLines(ctx context.Context, r *Request, format lines.Format) (audit.File, auditOptions, error) {
	ctx, span := telemetry.StartSpan(ctx, "assay.dev/gateway/api", "lines.read")
	defer span.End()
	reading, err := r.reading()
	if err != nil {
		return audit.File{}, auditOptions{}, err
	}
	file, err := audit.Read(ctx, format, r.Body, reading)
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
	if o.dryRun, err = r.isDryRun(file.Options); err != nil {
		r.report(err)
	}
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

// quote tells what the lines would cost.
func (a *API) quote(r *Request, file audit.File, auditor *audit.Auditor) (Reply, error) {
	totals := audit.NewTotals()
	for _, l := range file.Lines {
		r := auditor.Audit(l)
		totals.Add(r)
		totals.Note(l.Number, r)
	}
	q := AuditQuote{quoteOf(r, totals.Lines, totals.Resolved(), a.Auditing.Price, file.Found), totals.Problems}
	return quoteReply(r, q, auditQuotes, file.Found)
}
