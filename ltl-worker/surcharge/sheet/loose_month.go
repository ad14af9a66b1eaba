package sheet

import (
	"regexp"
	"strings"

	"assay.dev/platform/scrape/table"
)

// A list may name the month once and then only days: "August 2026", "Wednesday the 5th: 45.5%". Before the weeks are looked
// for, such lines get their month: "Wednesday, August 5, 2026: 45.5%".

var (
	// monthLine is a line that says a month and nothing else.
	monthLine = regexp.MustCompile(`(?i)^(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|` +
		`nov(?:ember)?|dec(?:ember)?)\.?,?(?: ((?:19|20)\d\d))?:?$`)
	// dayLine begins with a day of a month: a weekday, a number, and what marks it as a day.
	dayLine = regexp.MustCompile(`(?i)^(?:week (?:of|beginning|starting) )?((?:sun|mon|tue|wed|thu|fri|sat)[a-z]*)?\.?,? ?(?:the )?([0-3]?\d)(st|nd|rd|th)?((?::| ?[–—-]) .*| [$0-9].*|:)?$`)
)

// putMonths puts the month that stands over lines into those that begin with a day. month is "August %, 2026", with "%" in
// place of the day; "" while none was said.
func putMonths(b *table.Block, month string) {
	for _, c := range b.Children {
		if said := monthOver(c); said != "" {
			month = said
			continue
		}
		switch {
		case c.Level > 0:
			month = ""
		case c.Text == "":
			putMonths(c, month)
		case month != "":
			c.Text = withMonth(c.Text, month)
		}
	}
}

// monthOver is the month that an element says and nothing else; "" when it says something else.
func monthOver(b *table.Block) string {
	for b.Text == "" && len(b.Children) == 1 {
		b = b.Children[0]
	}
	return monthIn(b.Text)
}

// monthIn is the month that a line says, such as "August %, 2026", with "%" in place of the day; "" when it says something else.
func monthIn(line string) string {
	if len(line) > len("September, 2026:") {
		return ""
	}
	found := monthLine.FindStringSubmatch(line)
	if found == nil {
		return ""
	}
	return strings.TrimSuffix(found[1]+" %, "+found[2], ", ")
}

func withMonth(line, month string) string {
	found := dayLine.FindStringSubmatch(line)
	if found == nil {
		return line
	}
	weekday, day, ordinal, rest := found[1], found[2], found[3], found[4]
	if weekday == "" && ordinal == "" && !strings.HasPrefix(rest, ":") {
		return line // "5 states"
	}
	if weekday != "" {
		weekday += ", "
	}
	return weekday + strings.Replace(month, "%", day, 1) + rest
}
