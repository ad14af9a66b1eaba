// Package scope judges what qualifies a figure: the lines over a sheet, the titles of sections, and the cells and
// headings that name a service or a place. What is for another service than standard LTL, or for another place than
// the whole country, is not ours.
package scope

import (
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
	"assay.dev/platform/scrape/table"
)

// HeadingIsForeign tells whether a column is another figure, or one of another service or place, than we look for.
func HeadingIsForeign(h meaning.Heading) bool {
	return h.Is(meaning.Service|meaning.Other|meaning.Region) || h.Is(meaning.Abroad) && !h.Is(meaning.US)
}

// lineIsForeign tells whether a line of text says that what stands under it is not ours: it names another service or
// place. A list of services in which ours stands too is not foreign, such as "LTL, Volume and Expedited". Under a
// column headed LTL a line that names truckload only is an error of the page: the column is right.
func lineIsForeign(line string, v *meaning.Vocabulary, headedLTL bool) bool {
	said := v.Of(withoutNeutral(line))
	switch {
	case said.Has(meaning.Abroad):
		return !said.Has(meaning.US)
	case said.Has(meaning.Service):
		return !said.Has(meaning.LTL) || !isList(line)
	}
	return said.Has(meaning.Truckload) && !said.Has(meaning.LTL) && !headedLTL
}

func isList(line string) bool {
	return strings.ContainsAny(line, ",&/|+-–—") || strings.Contains(line, " and ")
}

// ForeignLine is the line over the sheet that says that its percents are not ours; "" when there is none. headedLTL
// tells whether the percents stand under a heading that names LTL.
func ForeignLine(s sheet.Sheet, v *meaning.Vocabulary, headedLTL bool) string {
	for i, line := range s.Context {
		if i == 0 && len(s.Context) > 1 && headedLTL && !v.Of(line).Has(meaning.Abroad) {
			continue // the outermost line is the title of the site, which lists all services of the carrier
		}
		if lineIsForeign(line, v, headedLTL) && !isOverruled(s.Context[i+1:], v) {
			return line
		}
	}
	return ""
}

// isOverruled tells whether one of the lines further in speaks of LTL or of this country again.
func isOverruled(inner []string, v *meaning.Vocabulary) bool {
	for _, line := range inner {
		if v.Of(line).Has(meaning.LTL|meaning.US) && !lineIsForeign(line, v, false) {
			return true
		}
	}
	return false
}

// IsAboutFuel tells whether a heading of the sheet or a line over it says that it is about fuel.
func IsAboutFuel(s sheet.Sheet, v *meaning.Vocabulary) bool {
	if s.Fuel {
		return true
	}
	for _, h := range s.Columns {
		if h.Is(meaning.Fuel) {
			return true
		}
	}
	for _, line := range s.Context {
		if v.Of(line).Has(meaning.Fuel) {
			return true
		}
	}
	return slices.ContainsFunc(s.Remarks, func(r table.Remark) bool {
		return (r.Place == table.Above || r.Place == table.Near) && isSubject(r.Text)
	})
}

// subject begins the line of a letter that says what it is about: "RE: Item 195 — fuel surcharges".
var subject = regexp.MustCompile(`(?i)^\s*(?:re|subject|subj|regarding)\s*: .*\bfuel surcharges?\b`)

// isSubject tells whether a line is the subject of a letter about the fuel surcharge and about nothing else.
func isSubject(line string) bool {
	if !subject.MatchString(line) {
		return false
	}
	k, _ := foreignKind(wordsOf(line))
	return k == "" && mood(wordsOf(line), false) == "" && !deniesSurcharge(wordsOf(line))
}
