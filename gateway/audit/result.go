package audit

import (
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// Verdict is what the audit says of a line.
type Verdict string

// The verdicts, in the order in which they are looked for: the first one that holds is the line's.
const (
	// Invalid lines cannot be read; Errors says why.
	Invalid Verdict = "INVALID"
	// Duplicate lines have the carrier and the PRO number of an earlier line.
	Duplicate Verdict = "DUPLICATE"
	// Unresolved lines cannot be judged; Reason says why.
	Unresolved Verdict = "UNRESOLVED"
	// Match: the billed percent and amount are what the carrier published. A line may have only one of the two.
	Match Verdict = "MATCH"
	// WrongWeek: the line was billed with the percent of the week before or after.
	WrongWeek Verdict = "WRONG_WEEK"
	// WrongTable: the line was billed with the percent of the other service's column.
	WrongTable Verdict = "WRONG_TABLE"
	// Arithmetic: the percent is right, and the amount is not what it makes.
	Arithmetic Verdict = "ARITHMETIC"
	// WithinTolerance: the billed percent and amount differ from the right ones by no more than the tolerances.
	WithinTolerance Verdict = "WITHIN_TOLERANCE"
	Overbilled      Verdict = "OVERBILLED"
	Underbilled     Verdict = "UNDERBILLED"
)

// Verdicts lists all in their order.
var Verdicts = []Verdict{
	Invalid, Duplicate, Unresolved, Match, WrongWeek, WrongTable, Arithmetic, WithinTolerance, Overbilled, Underbilled,
}

// IsResolved tells whether a line with the verdict was judged. Only such lines are charged.
func (v Verdict) IsResolved() bool { return v != Invalid && v != Duplicate && v != Unresolved }

// Result is the verdict on a line. Percents and amounts are decimal texts. What is not known is null.
type Result struct {
	ID           string         `json:"id" jsonschema:"The line's own; empty for a line whose id cannot be read."`
	Carrier      string         `json:"carrier" jsonschema:"The carrier's code here; the text as it was given where it names no carrier."`
	ShipDate     contracts.Date `json:"ship_date"`
	Verdict      Verdict        `json:"verdict" jsonschema:"The first of the verdicts, in the order of the list, that holds."`
	PRO          *string        `json:"pro_number" jsonschema:"The line's own."`
	PublishedPct *Points        `json:"published_pct" csv:"number" jsonschema:"What the carrier published for the week and the service, in percent."`
	// EffectiveDate and EndDate are the first and the last day of the week in force on the day of shipment.
	EffectiveDate     contracts.Date `json:"effective_date" jsonschema:"The first day of the week in force on the day of shipment."`
	EndDate           contracts.Date `json:"end_date" jsonschema:"Its last day; null while no later week is known."`
	BilledPct         *Points        `json:"billed_pct" csv:"number" jsonschema:"The line's own."`
	ExpectedPct       *Points        `json:"expected_pct" csv:"number" jsonschema:"min(published_pct - discount_points, cap_pct), at least 0."`
	VariancePoints    *Points        `json:"variance_points" csv:"number" jsonschema:"billed_pct - expected_pct; null without billed_pct."`
	BaseAmount        *Cents         `json:"base_amount" csv:"number" jsonschema:"The line's own, in USD."`
	BilledAmount      *Cents         `json:"billed_amount" csv:"number" jsonschema:"The line's own, in USD."`
	ExpectedAmount    *Cents         `json:"expected_amount" csv:"number" jsonschema:"max(base_amount x expected_pct / 100, rounded half up to a cent, min_amount), in USD; null without base_amount."`
	VarianceAmount    *Cents         `json:"variance_amount" csv:"number" jsonschema:"billed_amount - expected_amount in USD; null without billed_amount."`
	RecoverableAmount *Cents         `json:"recoverable_amount" csv:"number" jsonschema:"The positive part of variance_amount."`
	ContestableAmount *Cents         `json:"contestable_amount" csv:"number" jsonschema:"recoverable_amount while contest_by or, without it, ship_date and 180 days have not passed; else 0, as WITHIN_TOLERANCE and where reason says that the line is not contested."`
	ExpiredAmount     *Cents         `json:"expired_amount" csv:"number" jsonschema:"recoverable_amount once contest_by has passed; else 0."`
	ContestBy         contracts.Date `json:"contest_by" jsonschema:"bill_received and 180 days (49 USC 13710); null without a bill_received that can be."`
	Formula           *string        `json:"formula" jsonschema:"How expected_pct and expected_amount were computed."`
	Reason            *string        `json:"reason" jsonschema:"Why the verdict is not MATCH; null for MATCH."`
	EvidenceURL       *string        `json:"evidence_url" jsonschema:"Where the published percent stands or stood, for a person to open; null of an imported week."`
	// Errors say what is wrong with an INVALID line.
	Errors []string `json:"errors" jsonschema:"What is wrong with an INVALID line, each with the number of the line."`
}

// Shipment is what people call the line's shipment: its number, or its id where that tells it from no other.
func (r Result) Shipment() string {
	if r.PRO != nil && isNumber(*r.PRO) {
		return *r.PRO
	}
	return r.ID
}

// LineResult is a result with its percents as numbers, and with what else stood in the line.
type LineResult struct {
	Result
	Numbers Percents `json:"numbers" jsonschema:"The same percents as numbers, as answers of other paths have them."`
	// Other are the cells of the columns that hold no member.
	Other map[string]string `json:"other,omitempty" jsonschema:"The cells of the columns that hold no member, by their headings; with the parameter columns only."`
}

// Percents are those of a result as numbers.
type Percents struct {
	PublishedPct   *float64 `json:"published_pct"`
	BilledPct      *float64 `json:"billed_pct"`
	ExpectedPct    *float64 `json:"expected_pct"`
	VariancePoints *float64 `json:"variance_points"`
}

// NewLineResult makes the line of a reply.
func NewLineResult(r Result, other map[string]string) LineResult {
	return LineResult{r,
		Percents{r.PublishedPct.number(), r.BilledPct.number(), r.ExpectedPct.number(), r.VariancePoints.number()}, other}
}

// Totals sum the results of a file.
type Totals struct {
	Sums
	// Problems are why lines have no verdict, each told once.
	Problems []Problem `json:"problems" jsonschema:"Why lines are INVALID or UNRESOLVED, each cause once; the first 50."`
}

// Sums are the counts and sums of totals.
type Sums struct {
	Lines             int    `json:"lines"`
	Verdicts          Counts `json:"verdicts" jsonschema:"How many lines have each verdict."`
	VarianceAmount    Cents  `json:"variance_amount" jsonschema:"The sum of the lines' variances, in USD."`
	RecoverableAmount Cents  `json:"recoverable_amount" jsonschema:"The sum of the lines' recoverable amounts, in USD."`
	ContestableAmount Cents  `json:"contestable_amount" jsonschema:"The sum of the lines' contestable amounts."`
	ExpiredAmount     Cents  `json:"expired_amount" jsonschema:"The part of it whose contest_by has passed."`
}

// Problem is why some lines have no verdict.
type Problem struct {
	Verdict Verdict `json:"verdict"`
	Message string  `json:"message"`
	Count   int     `json:"count" jsonschema:"How many lines it concerns."`
	Lines   string  `json:"lines" jsonschema:"Their numbers, such as 2-61, 70; the first of them."`
	last    int
}

const (
	maxProblems = 50
	// maxNumbers bounds the text of a problem's lines.
	maxNumbers = 120
)

// note notes a line's problem under its cause.
func (t *Totals) note(v Verdict, cause string, line int) {
	i := slices.IndexFunc(t.Problems, func(p Problem) bool { return p.Verdict == v && p.Message == cause })
	if i < 0 {
		if len(t.Problems) == maxProblems {
			return
		}
		i = len(t.Problems)
		t.Problems = append(t.Problems, Problem{Verdict: v, Message: cause, last: -1})
	}
	t.Problems[i].addLine(line)
}

// addLine adds a line. Lines come in their order.
func (p *Problem) addLine(line int) {
	p.Count++
	begin, isRun := p.Lines, line == p.last+1
	switch {
	case line == p.last || len(p.Lines) > maxNumbers:
		return
	case isRun && strings.HasSuffix(p.Lines, "-"+strconv.Itoa(p.last)):
		begin = strings.TrimSuffix(p.Lines, strconv.Itoa(p.last))
	case isRun:
		begin += "-"
	case begin != "":
		begin += ", "
	}
	p.last, p.Lines = line, begin+strconv.Itoa(line)
	if len(p.Lines) > maxNumbers {
		p.Lines += " …"
	}
}

// Text is the problem in words, such as "lines 2-61: ship_date: this is required".
func (p Problem) Text() string {
	noun := "line"
	if p.Count > 1 {
		noun = "lines"
	}
	return noun + " " + p.Lines + ": " + p.Message
}

// Counts are how many lines have each verdict, every verdict among them.
type Counts map[Verdict]int

// NewTotals makes the totals of a file without lines.
func NewTotals() Totals {
	t := Totals{Sums{Verdicts: Counts{}}, []Problem{}}
	for _, v := range Verdicts {
		t.Verdicts[v] = 0
	}
	return t
}

// Add adds a result.
func (t *Totals) Add(r Result) {
	t.Lines++
	t.Verdicts[r.Verdict]++
	if r.VarianceAmount != nil {
		t.VarianceAmount += *r.VarianceAmount
		t.RecoverableAmount += *r.RecoverableAmount
		t.ContestableAmount += *r.ContestableAmount
		t.ExpiredAmount += *r.ExpiredAmount
	}
}

// Note notes why the line of a result that was added has no verdict.
func (t *Totals) Note(line int, r Result) {
	switch r.Verdict {
	case Invalid:
		for _, e := range r.Errors {
			_, cause, _ := strings.Cut(e, ": ") // behind the line's number
			t.note(r.Verdict, cause, line)
		}
	case Unresolved:
		t.note(r.Verdict, *r.Reason, line)
	}
}

// Resolved counts the lines that were judged.
func (t Totals) Resolved() (n int) {
	for verdict, count := range t.Verdicts {
		if verdict.IsResolved() {
			n += count
		}
	}
	return n
}
