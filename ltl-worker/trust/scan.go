package trust

import (
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/document/token"
)

// mark is a date or a number in a text.
type mark struct {
	from, to  int
	date      contracts.Date // "" for a number
	value     float64
	isDecimal bool
}

// scan finds the dates and numbers of a text in small letters. A date without a year is the one nearest to ref, but one that lies more than
// four months before it is of the year after.
func scan(text string, ref contracts.Date) (found []mark) {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	var buf [32]token.Token
	t := token.SplitLine(buf[:0], text)
	for i := 0; i < len(t); {
		next := i + 1
		if r, end, ok := cell.DateAt(t, i); ok {
			if d := day(r, ref); d != "" {
				found = append(found, mark{from: int(t[i].From), to: int(t[end-1].To), date: d})
			}
			next = end
		} else if token.BeginsNumber(t, i) {
			next = numberEnd(t, i)
			m := mark{from: int(t[i].From), to: int(t[next-1].To)}
			number := strings.ReplaceAll(text[m.from:m.to], ",", "")
			m.value, _ = strconv.ParseFloat(number, 64)
			m.isDecimal = strings.Contains(number, ".")
			found = append(found, m)
		}
		i = next
	}
	return found
}

// numberEnd is the index after the number at i: 1,234.50 or .254.
func numberEnd(t []token.Token, i int) int {
	for t[i].Kind == token.Digits && follows(t, i+1, ',') {
		i += 2
	}
	if t[i].Kind == token.Digits && follows(t, i+1, '.') {
		i += 2
	}
	if t[i].Kind == '.' {
		i++
	}
	return i + 1
}

// follows tells whether a sign and digits stand at i, right behind what is before them.
func follows(t []token.Token, i int, sign rune) bool {
	return i+1 < len(t) && t[i].Kind == sign && t[i].Glued && t[i+1].Glued && t[i+1].Kind == token.Digits
}

// day is the day that a text names; "" where the calendar has none.
func day(r cell.Range, ref contracts.Date) contracts.Date {
	year := ref.Time().Year()
	first := r.First(year)
	if first == 0 {
		return ""
	}
	const back = 120 // days
	d := first.Date()
	switch days := d.DaysSince(ref); {
	case r.HasYear():
	case days < -back:
		d = r.First(year + 1).Date()
	case days > 365-back:
		d = r.First(year - 1).Date()
	}
	return d
}
