package trust

import (
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/calendar"
)

// scanned is a text in small letters, with one blank for white space, and the dates and numbers in it.
type scanned struct {
	text  string
	marks []cell.Mark
}

// scan finds the dates and numbers of a text.
func scan(text string) scanned {
	text = strings.ToLower(document.Fold(text))
	return scanned{text, new(cell.Reader).Marks(nil, text)}
}

// told is a text of a document.
func told(t *document.Text) scanned {
	text := strings.ToLower(t.Text)
	if len(text) != len(t.Text) || document.Fold(text) != text { // its marks stand elsewhere
		return scan(text)
	}
	return scanned{text, t.Marks}
}

// defaultDay is what dates without a year are near to where no week is known.
var defaultDay = calendar.Of("2000-01-01")

// dayOf is the first day of the newest week.
func dayOf(weeks []contracts.SurchargeWeek) calendar.Day {
	if len(weeks) == 0 {
		return defaultDay
	}
	return calendar.Of(weeks[0].EffectiveDate)
}

// dayIn is the day of a date; it is false where the calendar has none. A date without a year is the one nearest to ref,
// but one that lies more than four months before it is of the year after. The year that a date has stays.
func dayIn(m *cell.Mark, ref calendar.Day) (d calendar.Day, ok bool) {
	const back = 120 // days
	if m.Date.HasYear() {
		d = m.Date.First(0)
		return d, d != 0
	}
	year := ref.Year()
	if d = m.Date.First(year); d == 0 {
		return 0, false
	}
	switch days := d - ref; {
	case days < -back:
		d = m.Date.First(year + 1)
	case days > 365-back:
		d = m.Date.First(year - 1)
	}
	return d, true
}

// each gives the dates that are days, and the numbers, with the text before each.
func (s scanned) each(ref calendar.Day) func(yield func(between string, m *cell.Mark) bool) {
	return func(yield func(string, *cell.Mark) bool) {
		end := int32(0)
		for i := range s.marks {
			m := &s.marks[i]
			if m.IsDate {
				if _, ok := dayIn(m, ref); !ok {
					continue
				}
			}
			if !yield(s.text[end:m.From], m) {
				return
			}
			end = m.To
		}
		yield(s.text[end:], nil)
	}
}

// with is the text with other words for its dates and numbers.
func (s scanned) with(ref calendar.Day, word func(*cell.Mark) string) string {
	if len(s.marks) == 0 {
		return s.text
	}
	var buf [256]byte
	b := buf[:0]
	for between, m := range s.each(ref) {
		if b = append(b, between...); m != nil {
			b = append(b, word(m)...)
		}
	}
	return string(b)
}
