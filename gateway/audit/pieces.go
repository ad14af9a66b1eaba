package audit

import "iter"

// pieceLines is how many results a [Piece] has.
const pieceLines = 250

// Piece is the next part of the results as text.
type Piece struct {
	// Text is good until the next piece is made.
	Text []byte
	// Through counts the lines up to the end of the piece, Resolved those of the piece that were judged.
	Through, Resolved int
}

// Output is the form of results.
type Output struct {
	// Format is that of the file. The results of a workbook are CSV.
	Format Format
	// Mark puts a byte order mark before a CSV, and NoTotals leaves its last row out.
	Mark, NoTotals bool
	// AuditID names an audit that is kept; empty for others.
	AuditID string
}

// Audited is a line's result, with the line's number and its cells that hold no member.
type Audited struct {
	Number int `json:"number"`
	Result
	Others []string `json:"others,omitempty"`
}

// All gives the lines their verdicts, one after the other. Seen is told of each verdict.
func (a *Auditor) All(lines []Line, seen func(Verdict)) iter.Seq[Audited] {
	return func(yield func(Audited) bool) {
		for _, l := range lines {
			r := a.Audit(l)
			seen(r.Verdict)
			if !yield(Audited{l.Number, r, l.Other}) {
				return
			}
		}
	}
}

// Pieces writes results in a format, with the totals at the end. found is what was found in a file that was read as it is.
func Pieces(o Output, found *Found, results iter.Seq[Audited]) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		w, totals := newWriter(o, found), NewTotals()
		w.begin()
		n := 0
		for r := range results {
			if n%pieceLines == 0 && n > 0 && !yield(w.next(n)) {
				return
			}
			totals.Add(r.Result)
			totals.Note(r.Number, r.Result)
			w.result(n, r.Result, r.Others)
			n++
			if r.Verdict.IsResolved() {
				w.piece.Resolved++
			}
		}
		w.end(totals)
		yield(w.next(n))
	}
}

// Whole joins pieces to one.
func Whole(pieces iter.Seq[Piece]) (whole Piece) {
	for p := range pieces {
		whole.Text, whole.Through, whole.Resolved = append(whole.Text, p.Text...), p.Through, whole.Resolved+p.Resolved
	}
	return whole
}
