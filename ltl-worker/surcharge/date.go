package surcharge

// dates is the day or the range that a cell names.
type dates struct {
	from, to day
	ranged   bool
}

// parseDates reads a cell that says one day or one range and nothing else of weight.
func parseDates(t []token) (dates, bool) {
	var d dates
	i, weekday := skipDateWords(t, 0)
	from, i, ok := parseDay(t, i)
	if !ok {
		return d, false
	}
	d.from = from
	d.from.weekday = weekday
	i = skipTime(t, i)
	if next, ok := rangeSign(t, i); ok {
		next, weekday = skipDateWords(t, next)
		if next == len(t) || t[next].text == "present" || t[next].text == "further" {
			return d, onlyMarks(t, skipEnd(t, next)) // "9/2/2026 - present"
		}
		if to, after, ok := parseRangeEnd(t, next); ok {
			d.to, d.ranged, i = to, true, skipTime(t, after)
			d.to.weekday = weekday
		}
	}
	return d, onlyMarks(t, i)
}

// skipDateWords passes what may stand before a date, such as "Week of Wed," and returns the weekday among it.
func skipDateWords(t []token, i int) (next int, weekday int8) {
	for ; i < len(t); i++ {
		switch t[i].kind {
		case word:
			if monthOf(t[i].text) > 0 {
				return i, weekday
			}
			if w := weekdayOf(t[i].text); w > 0 {
				weekday = w
				continue
			}
			m := words[t[i].text]
			if m == 0 || m&(mEnd|mIndex|mPosted|mTL|mService|mOther|mPrice) != 0 {
				return i, weekday
			}
		case ':', ',', '(', '.', '*':
		default:
			return i, weekday
		}
	}
	return i, weekday
}

// rangeSign finds "-", "to" or "through" at i.
func rangeSign(t []token, i int) (int, bool) {
	if i >= len(t) {
		return i, false
	}
	switch t[i].text {
	case "to", "through", "thru", "until", "till":
		return i + 1, true
	}
	return i + 1, t[i].kind == '-'
}

// skipEnd passes the words of an open end.
func skipEnd(t []token, i int) int {
	for i < len(t) && (t[i].text == "present" || t[i].text == "further" || t[i].text == "notice") {
		i++
	}
	return i
}

// parseRangeEnd also reads the "8, 2026" of "September 2-8, 2026".
func parseRangeEnd(t []token, i int) (day, int, bool) {
	if d, next, ok := parseDay(t, i); ok {
		return d, next, true
	}
	if i >= len(t) || !isShort(t[i]) {
		return day{}, i, false
	}
	d := day{mday: number[int8](t[i].text)}
	i = skipOrdinal(t, i+1)
	if next := skip(t, i, ","); next < len(t) && isYear(t[next]) {
		d.year = number[int16](t[next].text)
		i = next + 1
	}
	return d, i, true
}

// skipTime passes the time of day of a timestamp. The date is taken as it is printed.
func skipTime(t []token, i int) int {
	start := i
	if i < len(t) && (t[i].text == "t" || t[i].text == "at") {
		i++
	}
	if i+2 >= len(t) || t[i].kind != digits || t[i+1].kind != ':' {
		return start
	}
	for i < len(t) && (t[i].kind == digits || t[i].kind == ':' || t[i].kind == '.' || t[i].kind == '+' ||
		t[i].kind == '-' && t[i].glued || zones[t[i].text]) {
		i++
	}
	return i
}

var zones = map[string]bool{"am": true, "pm": true, "z": true, "utc": true, "gmt": true, "et": true, "est": true, "edt": true, "ct": true, "cst": true, "cdt": true}

// onlyMarks tells whether nothing but footnote marks and words without weight follow.
func onlyMarks(t []token, i int) bool {
	for ; i < len(t); i++ {
		switch t[i].kind {
		case '*', '†', '‡', '§', '(', ')', '[', ']', '.', ',', '!', '¹', '²', '³', '#':
		case digits:
			if !footnote(t, i) {
				return false
			}
		case word:
			if m := words[t[i].text]; weekdayOf(t[i].text) == 0 && (m == 0 || m&^mNeutral != 0) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// footnote tells whether the figure at i stands alone in brackets: "(1)".
func footnote(t []token, i int) bool {
	return i > 0 && i+1 < len(t) && len(t[i].text) == 1 &&
		(t[i-1].kind == '(' && t[i+1].kind == ')' || t[i-1].kind == '[' && t[i+1].kind == ']')
}
