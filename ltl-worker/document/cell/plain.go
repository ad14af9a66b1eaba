package cell

import "assay.dev/ltl-worker/surcharge/calendar"

// maxPlain is the length, in bytes, of the longest plain cell.
const maxPlain = len("12/31/2026")

// plain reads what most cells of a table hold, such as 9/2/2026, $5.599 or 46.32%, as [Reader.Read] and [Reader.Marks]
// do, without tokens. It is false for any other text.
func plain(text string) (v Value, m Mark, ok bool) {
	if len(text) == 0 || len(text) > maxPlain {
		return v, m, false
	}
	v.Text, m.To = text, int32(len(text))
	if text[0] == '$' {
		v.Quantity.Unit, m.From = Dollars, 1
	}
	first, at := digits(text, int(m.From))
	size := at - int(m.From)
	switch {
	case size == 0 || size > 3:
		return v, m, false
	case at < len(text) && text[at] == '/' && size <= 2 && v.Quantity.Unit == Bare:
		v.Kind, m.IsDate = Dates, true
		v.Dates.from, ok = plainDay(text, first, at+1)
		m.Date = v.Dates
		return v, m, ok
	}
	v.Kind, v.Quantity.Value = Figure, float64(first)
	if at < len(text) && text[at] == '.' {
		fraction, end := digits(text, at+1)
		size := end - at - 1
		if size == 0 || size > 4 {
			return v, m, false
		}
		v.Quantity.Decimals, m.IsDecimal = int8(size), true
		power := [...]int{1, 10, 100, 1000, 10_000}[size]
		v.Quantity.Value, at = float64(first*power+fraction)/float64(power), end
	}
	m.Value, m.To = v.Quantity.Value, int32(at)
	if at+1 == len(text) && text[at] == '%' && v.Quantity.Unit == Bare {
		v.Quantity.Unit = Percent
		at++
	}
	return v, m, at == len(text)
}

// IsPlain tells whether nothing stands beside the value of a text, such as 9/2/2026, $5.599 or 46.32%.
func IsPlain(text string) bool {
	_, _, ok := plain(text)
	return ok
}

// plainDay reads the rest of 9/2/2026.
func plainDay(text string, month, at int) (d writtenDay, ok bool) {
	mday, slash := digits(text, at)
	if slash == at || slash > at+2 || slash == len(text) || text[slash] != '/' {
		return d, false
	}
	year, end := digits(text, slash+1)
	d = writtenDay{year: int16(year), month: int8(month), mday: int8(mday)}
	return d, end == len(text) && end == slash+5 && calendar.PlausibleYear(year) && d.mayBe()
}

// digits is the number at a place of a text, and the place behind it.
func digits(text string, at int) (n, end int) {
	for ; at < len(text) && '0' <= text[at] && text[at] <= '9'; at++ {
		n = 10*n + int(text[at]-'0')
	}
	return n, at
}
