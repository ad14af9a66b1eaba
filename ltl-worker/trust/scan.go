package trust

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
)

const (
	month   = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
	weekday = `(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?`
	clock   = `(?:(?: at|,)? ?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?(?: ?e[sd]?t\b)?)?`
)

// tokens finds dates, with a weekday and a time of day beside them, and numbers. The groups are: year, month and day as numbers; month,
// day and year of 9/9/2026; eight digits; month, day and year of September 9, 2026; day, month and year of 9 September 2026; a number.
var tokens = regexp.MustCompile(`(?i)` + weekday + `(?:` +
	`\b(\d{4})-(\d{2})-(\d{2})(?:t[\d:.]+(?:z|[+-]\d{2}:?\d{2})?)?\b` +
	`|\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b` +
	`|\b(20\d{6})\b` +
	`|\b(` + month + `) ?(\d{1,2})(?:st|nd|rd|th)?\b(?:,? ?(\d{4})\b)?` +
	`|\b(\d{1,2})(?:st|nd|rd|th)?[ -]?(` + month + `)(?:,?[ -]?(\d{4}))?\b)` + clock +
	`|(\d[\d,]*(?:\.\d+)?|\.\d+)`)

// token is a date or a number in a text.
type token struct {
	from, to  int
	date      contracts.Date // "" for a number
	value     float64
	isDecimal bool
}

// scan finds the dates and numbers of a text. A date without a year is the one nearest to ref, but one that lies more than four months
// before it is of the year after.
func scan(text string, ref contracts.Date) []token {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	var found []token
	for _, m := range tokens.FindAllStringSubmatchIndex(text, -1) {
		t := token{from: m[0], to: m[1]}
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return text[m[2*n]:m[2*n+1]]
		}
		switch {
		case group(1) != "":
			t.date = day(group(1), group(2), group(3), ref)
		case group(4) != "":
			t.date = day(group(6), group(4), group(5), ref)
		case group(7) != "":
			t.date = day(group(7)[:4], group(7)[4:6], group(7)[6:], ref)
		case group(8) != "":
			t.date = day(group(10), group(8), group(9), ref)
		case group(11) != "":
			t.date = day(group(13), group(12), group(11), ref)
		default:
			number := strings.ReplaceAll(group(14), ",", "")
			t.value, _ = strconv.ParseFloat(number, 64)
			t.isDecimal = strings.Contains(number, ".")
			found = append(found, t)
			continue
		}
		if t.date != "" {
			found = append(found, t)
		}
	}
	return found
}

// day is the date of that year, month (a number or a name) and day; "" where there is none.
func day(year, month, day string, ref contracts.Date) contracts.Date {
	m, err := strconv.Atoi(month)
	if err != nil {
		m = 1 + strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(month[:3]))/3
	}
	d, _ := strconv.Atoi(day)
	y, _ := strconv.Atoi(year)
	if len(year) == 2 {
		y += 2000
	}
	if year == "" {
		y = ref.Time().Year()
	}
	at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if year == "" {
		const back = 120 // days
		switch days := contracts.DateOf(at).DaysSince(ref); {
		case days < -back:
			at = at.AddDate(1, 0, 0)
		case days > 365-back:
			at = at.AddDate(-1, 0, 0)
		}
	}
	if int(at.Month()) != m || at.Day() != d || y > 9999 {
		return ""
	}
	return contracts.DateOf(at)
}
