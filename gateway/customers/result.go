package customers

import (
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
)

// MatchResult is what became of a customer.
type MatchResult struct {
	ID      string                    `json:"id" jsonschema:"The line's own; empty for a line whose id cannot be read."`
	State   contracts.State           `json:"state,omitempty" jsonschema:"Absent for a line whose state cannot be read."`
	Outcome contracts.MatchOutcome    `json:"outcome" jsonschema:"MATCHED: one license; REVIEW: a person decides; NONE: nothing fits; UNRESOLVED: there is no copy of that state just now; INVALID: the line cannot be read."`
	License *contracts.MatchCandidate `json:"license" jsonschema:"The license of a MATCHED customer; null for others."`
	// Candidates are for a person to decide between.
	Candidates []contracts.MatchCandidate `json:"candidates" jsonschema:"What a person may decide between, the best first; at most 5, and none but for REVIEW."`
	Reason     *string                    `json:"reason" jsonschema:"Why the outcome is not MATCHED; null for MATCHED."`
	Errors     []string                   `json:"errors" jsonschema:"What is wrong with an INVALID line, each with the number of the line."`

	given contracts.Customer
}

// NamedMatch is a result with what else stood in the line.
type NamedMatch struct {
	MatchResult
	// Other are the cells of the columns that hold no member.
	Other map[string]string `json:"other,omitempty" jsonschema:"The cells of the columns that hold no member, by their headings; with the parameter columns only."`
}

// MatchCounts are how many lines have each outcome, every outcome among them.
type MatchCounts map[contracts.MatchOutcome]int

// MatchTotals sum the results of a list.
type MatchTotals struct {
	Lines    int                         `json:"lines"`
	Outcomes MatchCounts                 `json:"outcomes" jsonschema:"How many lines have each outcome."`
	Editions []contracts.RegisterEdition `json:"editions" jsonschema:"The copies that were looked in, with their proof."`
}

// NewTotals makes the totals of a list without lines.
func NewTotals(editions []contracts.RegisterEdition) MatchTotals {
	t := MatchTotals{Outcomes: MatchCounts{}, Editions: append([]contracts.RegisterEdition{}, editions...)}
	for _, o := range contracts.MatchOutcomes {
		t.Outcomes[o] = 0
	}
	return t
}

// Add makes the result of a line and adds it.
func (t *MatchTotals) Add(l *Line, m contracts.Match) MatchResult {
	r := MatchResult{ID: l.ID, State: l.State, Outcome: m.Outcome, Candidates: []contracts.MatchCandidate{},
		Errors: []string{}, given: l.Customer}
	if len(l.Errors) > 0 {
		m = contracts.Match{Outcome: contracts.InvalidCustomer, Reason: strings.Join(l.Errors, "; ")}
		r.Outcome, r.Errors = m.Outcome, l.Errors
	}
	switch {
	case m.Outcome == contracts.Matched && len(m.Candidates) == 1:
		r.License = &m.Candidates[0]
	case len(m.Candidates) > 0:
		r.Candidates = m.Candidates
	}
	if m.Reason != "" {
		r.Reason = &m.Reason
	}
	t.Lines++
	t.Outcomes[r.Outcome]++
	return r
}

// Match is what the result was made of.
func (r *MatchResult) Match() contracts.Match {
	m := contracts.Match{Outcome: r.Outcome, Candidates: r.Candidates}
	if r.License != nil {
		m.Candidates = []contracts.MatchCandidate{*r.License}
	}
	if r.Reason != nil {
		m.Reason = *r.Reason
	}
	return m
}

// totalOutcome marks the last line of NDJSON and CSV, which holds the totals.
const totalOutcome contracts.MatchOutcome = "TOTAL"

// Total is the last line of NDJSON: a result with an empty id, the outcome TOTAL, and the members of the totals.
type Total struct {
	MatchResult
	MatchTotals
	lines.Matched
}

// all are the totals in each form.
func (t *MatchTotals) all(found *lines.Found) (members, line any, row MatchResult) {
	text := lines.Counted(t.Lines, contracts.MatchOutcomes, t.Outcomes)
	row = MatchResult{Outcome: totalOutcome, Candidates: []contracts.MatchCandidate{}, Reason: &text, Errors: []string{}}
	return struct {
		Totals *MatchTotals `json:"totals"`
		lines.Matched
	}{t, found.Matched()}, Total{row, *t, found.Matched()}, row
}

// Pieces writes what became of the customers of a list, with the totals at the end. Seen is told of each outcome.
func Pieces(o lines.Output, file lines.File[Line], found []contracts.Match, editions []contracts.RegisterEdition,
	seen func(contracts.MatchOutcome)) iter.Seq[lines.Piece] {
	return func(yield func(lines.Piece) bool) {
		totals := NewTotals(editions)
		results := lines.Answered(file, func(i int, l *Line) MatchResult { return totals.Add(l, found[i]) })
		lines.Pieces(o, file.Found, results, lines.Results[MatchResult]{
			Columns: columns,
			IsCharged: func(r *MatchResult) bool {
				seen(r.Outcome)
				return r.Outcome.IsResolved()
			},
			Named:  func(r MatchResult, other map[string]string) any { return NamedMatch{r, other} },
			Totals: func() (members, line any, row MatchResult) { return totals.all(file.Found) },
		})(yield)
	}
}

// columns are those of a CSV. Only a MATCHED line has a license number: candidates are in a column of their own.
var columns = []lines.Column[MatchResult]{
	lines.TextColumn("id", func(r *MatchResult) string { return r.ID }),
	lines.TextColumn("state", func(r *MatchResult) string { return string(r.State) }),
	lines.TextColumn("outcome", func(r *MatchResult) string { return string(r.Outcome) }),
	ofLicense("license_number", func(x *contracts.MatchCandidate) string { return x.LicenseNumber }),
	ofLicense("license_type_code", func(x *contracts.MatchCandidate) string { return x.LicenseTypeCode }),
	ofLicense("dba_name", func(x *contracts.MatchCandidate) string { return x.DBAName }),
	ofLicense("owner_name", func(x *contracts.MatchCandidate) string { return x.OwnerName }),
	ofLicense("street", func(x *contracts.MatchCandidate) string { return x.Address.Street }),
	ofLicense("city", func(x *contracts.MatchCandidate) string { return x.Address.City }),
	ofLicense("zip_code", func(x *contracts.MatchCandidate) string { return x.Address.ZipCode }),
	ofLicense("expiration_date", func(x *contracts.MatchCandidate) string { return string(x.ExpirationDate) }),
	ofLicense("score", func(x *contracts.MatchCandidate) string { return scoreText(x.Score) }),
	lines.TextColumn("candidates", func(r *MatchResult) string {
		var all []string
		for _, x := range r.Candidates {
			all = append(all, fmt.Sprintf("%s %s, %s (%s: %s)", x.LicenseNumber, cmp.Or(x.DBAName, x.OwnerName), x.Address.Raw,
				scoreText(x.Score), strings.Join(x.Reasons, "; ")))
		}
		return strings.Join(all, " | ")
	}),
	lines.TextColumn("reason", func(r *MatchResult) string {
		switch {
		case r.Reason != nil:
			return *r.Reason
		case r.License != nil:
			return strings.Join(r.License.Reasons, "; ")
		}
		return ""
	}),
	lines.TextColumn("given_name", func(r *MatchResult) string { return r.given.Name }),
	lines.TextColumn("given_street", func(r *MatchResult) string { return r.given.Street }),
	lines.TextColumn("given_city", func(r *MatchResult) string { return r.given.City }),
	lines.TextColumn("given_zip", func(r *MatchResult) string { return r.given.ZipCode }),
	lines.TextColumn("given_license_number", func(r *MatchResult) string { return r.given.LicenseNumber }),
}

func scoreText(score float64) string { return strconv.FormatFloat(score, 'f', 2, 64) }

func ofLicense(name string, text func(*contracts.MatchCandidate) string) lines.Column[MatchResult] {
	return lines.TextColumn(name, func(r *MatchResult) string {
		if r.License == nil {
			return ""
		}
		return text(r.License)
	})
}
