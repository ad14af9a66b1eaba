package audit

import (
	"iter"

	"assay.dev/gateway/lines"
)

// Audited is a line's result, with the line's number and its cells that hold no member.
type Audited struct {
	Number int `json:"number"`
	Result
	Others []string `json:"others,omitempty"`
}

// All gives the lines their verdicts, one after the other. Seen is told of each verdict.
func (a *Auditor) All(lines []Line, seen func(Verdict)) iter.Seq[Audited] {
	return func(yield func(Audited) bool) {
		a.others = othersOf(lines)
		for _, l := range lines {
			r := a.Audit(l)
			seen(r.Verdict)
			if !yield(Audited{l.Number, r, l.Other}) {
				return
			}
		}
	}
}

// Pieces writes results in a format, with the totals at the end. found is what was found in a file that was read as it
// is.
func Pieces(o lines.Output, found *lines.Found, results iter.Seq[Audited]) iter.Seq[lines.Piece] {
	return func(yield func(lines.Piece) bool) {
		totals := NewTotals()
		withOthers := func(yield func(Audited, []string) bool) {
			for r := range results {
				if !yield(r, r.Others) {
					return
				}
			}
		}
		lines.Pieces(o, found, withOthers, lines.Results[Audited]{
			Columns: columns,
			IsCharged: func(r *Audited) bool {
				totals.Add(r.Result)
				totals.Note(r.Number, r.Result)
				return r.Verdict.IsResolved()
			},
			Named:  func(r Audited, other map[string]string) any { return NewLineResult(r.Result, other) },
			Totals: func() (members, line any, row Audited) { return totals.all(found, o.KeptID) },
		})(yield)
	}
}
