package trust

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// Verdict is what is believed of a reading.
type Verdict struct {
	// Notes say why the reading is in doubt; none for a clean one.
	Notes []contracts.Note
	Figures
	// Unknown are the lines that nobody has accepted.
	Unknown []Line
	// Learn are lines that are known from now on, because the figures are proven.
	Learn []Line
}

// IsClean tells whether the weeks may be answered at full confidence, kept as clean, and vouch for others.
func (v Verdict) IsClean() bool { return len(v.Notes) == 0 }

// IsInDoubt tells whether no week of the reading is believed. A week that its bracket table contradicts is in doubt by
// itself.
func (v Verdict) IsInDoubt() bool {
	return slices.ContainsFunc(v.Notes, func(n contracts.Note) bool { return n.Code.IsDoubt() })
}

// Judge decides whether a reading is believed: see the package comment.
func Judge(r Reading, k Known, p Past) Verdict {
	v := Verdict{Figures: p.Prove(r.Weeks, k)}
	if k.IsFirstContact() {
		v.Unknown = r.Lines
		v.note(contracts.NoteWordingUnknown, "Nobody has looked yet at what this page says around its percents. "+
			"Read it before you use them.")
		return v
	}
	v.Unknown = k.Unknown(r)
	asks := slices.ContainsFunc(v.Unknown, func(l Line) bool {
		return l.Week == r.newest() || StopWord(l.Text) != "" || l.qualifies()
	})
	switch {
	case len(v.Unknown) > 0 && (asks || v.State != Proven || len(v.Unknown) > MaxLearnedAtOnce):
		v.note(contracts.NoteWordingChanged, "The page says what it did not say when somebody last looked; read it "+
			"before you use its percents: "+quote(v.Unknown))
	default:
		v.Learn = v.Unknown
	}
	if v.State == Contradicted {
		v.note(contracts.NoteWeeksContradicted, "The page shows weeks otherwise than they are known: "+list(v.Differs))
		return v
	}
	if v.Moved != "" {
		v.note(contracts.NotePercentInDoubt, "A percent is not plausible: "+v.Moved+".")
	}
	for _, w := range r.Weeks {
		if bracket, isOff := v.Off[w.EffectiveDate]; isOff {
			v.Notes = append(v.Notes, BracketDiffers(w, bracket))
		}
	}
	return v
}

// BracketDiffers says that a week is printed with another percent than that of the bracket of the price beside it.
func BracketDiffers(w contracts.SurchargeWeek, bracket float64) contracts.Note {
	return contracts.Note{Code: contracts.NoteBracketDiffers, Message: fmt.Sprintf(
		"The week of %s is printed with %.2f %%. By the carrier's bracket table it would be %.2f %% at the %.3f "+
			"dollars that stand beside it.",
		w.EffectiveDate, w.Percent, bracket, *w.DieselUSD)}
}

func (v *Verdict) note(code contracts.NoteCode, message string) {
	v.Notes = append(v.Notes, contracts.Note{Code: code, Message: message})
}

// Bounds of what a note names.
const (
	maxQuotes = 3
	maxQuote  = 160 // bytes
)

// quote quotes up to three lines, those with a stop word first.
func quote(unknown []Line) string {
	sorted := slices.Clone(unknown)
	slices.SortStableFunc(sorted, func(a, b Line) int { return rank(a) - rank(b) })
	var quotes []string
	for _, l := range sorted[:min(len(sorted), maxQuotes)] {
		text := l.Text
		if len(text) > maxQuote {
			text = strings.ToValidUTF8(text[:maxQuote], "") + "…"
		}
		quotes = append(quotes, fmt.Sprintf("%q", text))
	}
	return strings.Join(quotes, ", ") + more(len(unknown)-maxQuotes)
}

func rank(l Line) int {
	switch {
	case StopWord(l.Text) != "":
		return 0
	case l.Week != "":
		return 1
	}
	return 2
}

func list(differs []Difference) string {
	var weeks []string
	for _, d := range differs[:min(len(differs), maxQuotes)] {
		weeks = append(weeks, fmt.Sprintf("%s with %.2f %% instead of %.2f %%", d.Week, d.Shown, d.Known))
	}
	return strings.Join(weeks, ", ") + more(len(differs)-maxQuotes)
}

func more(n int) string {
	if n <= 0 {
		return "."
	}
	return fmt.Sprintf(" and %d more.", n)
}
