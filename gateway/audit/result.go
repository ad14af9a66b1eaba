package audit

import (
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
	ID           string         `json:"id"`
	Carrier      string         `json:"carrier"`
	ShipDate     contracts.Date `json:"ship_date"`
	Verdict      Verdict        `json:"verdict"`
	PublishedPct *Points        `json:"published_pct" csv:"number"`
	// EffectiveDate and EndDate are the first and the last day of the week in force on the day of shipment.
	EffectiveDate     contracts.Date `json:"effective_date"`
	EndDate           contracts.Date `json:"end_date"`
	ExpectedPct       *Points        `json:"expected_pct" csv:"number"`
	VariancePoints    *Points        `json:"variance_points" csv:"number"`
	ExpectedAmount    *Cents         `json:"expected_amount" csv:"number"`
	VarianceAmount    *Cents         `json:"variance_amount" csv:"number"`
	RecoverableAmount *Cents         `json:"recoverable_amount" csv:"number"`
	ContestBy         contracts.Date `json:"contest_by"`
	Formula           *string        `json:"formula"`
	Reason            *string        `json:"reason"`
	EvidenceURL       *string        `json:"evidence_url"`
	// Errors say what is wrong with an INVALID line.
	Errors []string `json:"errors"`
}

// Totals sum the results of a file.
type Totals struct {
	Lines             int    `json:"lines"`
	Verdicts          Counts `json:"verdicts"`
	VarianceAmount    Cents  `json:"variance_amount"`
	RecoverableAmount Cents  `json:"recoverable_amount"`
}

// Counts are how many lines have each verdict, every verdict among them.
type Counts map[Verdict]int

// NewTotals makes the totals of a file without lines.
func NewTotals() Totals {
	t := Totals{Verdicts: Counts{}}
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
