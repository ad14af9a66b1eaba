package deliveries

import (
	"iter"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
)

// Verdict is a [contracts.DeliveryVerdict], or says that there is none.
type Verdict string

const (
	// Invalid: the line cannot be read.
	Invalid Verdict = "INVALID"
	// total marks the last line of NDJSON and CSV, which holds the totals.
	total Verdict = "TOTAL"
)

// Verdicts lists all of a line.
var Verdicts = verdicts()

func verdicts() (all []Verdict) {
	for _, v := range contracts.DeliveryVerdicts {
		all = append(all, Verdict(v))
	}
	return append(all, Invalid)
}

// IsResolved tells whether a line with the verdict is charged.
func (v Verdict) IsResolved() bool {
	return v != Invalid && v != Verdict(contracts.DeliveryUnverified)
}

// Holder is what the copy of its register tells of a license.
type Holder struct {
	DBAName    string            `json:"dba_name"`
	OwnerName  string            `json:"owner_name"`
	City       string            `json:"city"`
	Status     *contracts.Status `json:"status" jsonschema:"null where the copy does not list it."`
	ReadAt     *time.Time        `json:"read_at" jsonschema:"The edition of the register that this is of, UTC; null where there is none just now."`
	LookedUpAt *time.Time        `json:"looked_up_at" jsonschema:"When the license was looked up, UTC, where this is of a stored lookup; null else."`
}

// Judged is a line's verdict on a delivery, and what is known of the license's holder.
type Judged struct {
	// On is the day that was judged.
	On contracts.Date
	Holder
	contracts.Delivery
}

// Result is what became of a line.
type Result struct {
	ID            string                     `json:"id" jsonschema:"The line's own; empty for a line whose id cannot be read."`
	State         contracts.State            `json:"state,omitempty" jsonschema:"Absent for a line whose state cannot be read."`
	LicenseNumber string                     `json:"license_number"`
	On            contracts.Date             `json:"on,omitempty" jsonschema:"The day that was judged; absent for INVALID."`
	Beverage      contracts.Beverage         `json:"beverage,omitempty" jsonschema:"Absent for the strictest of all."`
	Verdict       Verdict                    `json:"verdict" jsonschema:"STOP, UNVERIFIED, CASH_ONLY or DELIVER; INVALID: the line cannot be read."`
	Reasons       []contracts.DeliveryReason `json:"reasons" jsonschema:"What the verdict rests on."`
	Holder
	Holds        []contracts.Hold         `json:"holds" jsonschema:"Every entry that was found on a list, whatever the verdict."`
	HoldsChecked []contracts.HoldsChecked `json:"holds_checked" jsonschema:"The lists that were looked at."`
	ValidUntil   *time.Time               `json:"valid_until" jsonschema:"Ask again then; null for INVALID."`
	Errors       []string                 `json:"errors" jsonschema:"What is wrong with an INVALID line, each with the number of the line."`
}

// NamedResult is a result with what else stood in the line.
type NamedResult struct {
	Result
	// Other are the cells of the columns that hold no member.
	Other map[string]string `json:"other,omitempty" jsonschema:"The cells of the columns that hold no member, by their headings; with the parameter columns only."`
}

// DeliveryTotals sum the results of a list.
type DeliveryTotals struct {
	Lines    int                         `json:"lines"`
	Verdicts map[Verdict]int             `json:"verdicts" jsonschema:"How many lines have each verdict."`
	Editions []contracts.RegisterEdition `json:"editions" jsonschema:"The copies of the registers that were looked in, with their proof."`
}

// NewTotals makes the totals of a list without lines.
func NewTotals(editions []contracts.RegisterEdition) DeliveryTotals {
	t := DeliveryTotals{Verdicts: map[Verdict]int{}, Editions: append([]contracts.RegisterEdition{}, editions...)}
	for _, v := range Verdicts {
		t.Verdicts[v] = 0
	}
	return t
}

// Add makes the result of a line and adds it.
func (t *DeliveryTotals) Add(l *Line, d Judged) Result {
	r := Result{
		ID: l.ID, State: l.State, LicenseNumber: l.LicenseNumber, On: d.On, Beverage: l.Beverage, Verdict: Verdict(d.Verdict),
		Holder: d.Holder,
		Errors: []string{}, Reasons: d.Reasons, Holds: d.Holds, HoldsChecked: d.HoldsChecked, ValidUntil: &d.ValidUntil,
	}
	if len(l.Errors) > 0 {
		r = Result{ID: l.ID, State: l.State, LicenseNumber: l.LicenseNumber, Verdict: Invalid, Errors: l.Errors}.empty()
	}
	t.Lines++
	t.Verdicts[r.Verdict]++
	return r
}

// empty is the result with lists that are empty.
func (r Result) empty() Result {
	r.Reasons, r.Holds, r.HoldsChecked = []contracts.DeliveryReason{}, []contracts.Hold{}, []contracts.HoldsChecked{}
	return r
}

// Total is the last line of NDJSON: a result with an empty id, the verdict TOTAL, and the members of the totals.
type Total struct {
	Result
	DeliveryTotals
	lines.Matched
}

// all are the totals in each form.
func (t *DeliveryTotals) all(found *lines.Found) (members, line any, row Result) {
	row = Result{Verdict: total, Errors: []string{lines.Counted(t.Lines, Verdicts, t.Verdicts)}}.empty()
	line = Total{Result{Verdict: total, Errors: []string{}}.empty(), *t, found.Matched()}
	return struct {
		Totals *DeliveryTotals `json:"totals"`
		lines.Matched
	}{t, found.Matched()}, line, row
}

// Pieces writes what became of the deliveries of a list, with the totals at the end. Seen is told of each verdict.
func Pieces(o lines.Output, file lines.File[Line], judged []Judged, editions []contracts.RegisterEdition,
	seen func(Verdict)) iter.Seq[lines.Piece] {
	return func(yield func(lines.Piece) bool) {
		totals := NewTotals(editions)
		results := lines.Answered(file, func(i int, l *Line) Result { return totals.Add(l, judged[i]) })
		lines.Pieces(o, file.Found, results, lines.Results[Result]{
			Columns: columns,
			IsCharged: func(r *Result) bool {
				seen(r.Verdict)
				return r.Verdict.IsResolved()
			},
			Named:  func(r Result, other map[string]string) any { return NamedResult{r, other} },
			Totals: func() (members, line any, row Result) { return totals.all(file.Found) },
		})(yield)
	}
}

// columns are those of a CSV.
var columns = []lines.Column[Result]{
	lines.TextColumn("id", func(r *Result) string { return r.ID }),
	lines.TextColumn("state", func(r *Result) string { return string(r.State) }),
	lines.TextColumn("license_number", func(r *Result) string { return r.LicenseNumber }),
	lines.TextColumn("verdict", func(r *Result) string { return string(r.Verdict) }),
	lines.TextColumn("reasons", func(r *Result) string {
		all := r.Errors
		for _, reason := range r.Reasons {
			all = append(all, reason.Message)
		}
		return strings.Join(all, " ")
	}),
	lines.TextColumn("dba_name", func(r *Result) string { return r.DBAName }),
	lines.TextColumn("owner_name", func(r *Result) string { return r.OwnerName }),
	lines.TextColumn("city", func(r *Result) string { return r.City }),
	lines.TextColumn("status", func(r *Result) string {
		if r.Status == nil {
			return ""
		}
		return string(*r.Status)
	}),
	lines.TextColumn("holds", func(r *Result) string {
		var all []string
		for _, h := range r.Holds {
			all = append(all, strings.TrimSpace(h.List+" "+string(h.Since)))
		}
		return strings.Join(all, "; ")
	}),
	lines.TextColumn("holds_checked", func(r *Result) string {
		var all []string
		for _, h := range r.HoldsChecked {
			all = append(all, h.List+" of "+string(h.Edition))
		}
		return strings.Join(all, "; ")
	}),
	lines.TextColumn("valid_until", func(r *Result) string { return moment(r.ValidUntil) }),
	lines.TextColumn("read_at", func(r *Result) string { return moment(r.ReadAt) }),
	lines.TextColumn("looked_up_at", func(r *Result) string { return moment(r.LookedUpAt) }),
	lines.TextColumn("on", func(r *Result) string { return string(r.On) }),
	lines.TextColumn("beverage", func(r *Result) string { return string(r.Beverage) }),
}

func moment(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}
