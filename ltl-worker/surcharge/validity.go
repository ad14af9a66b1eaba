package surcharge

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
	"assay.dev/ltl-worker/surcharge/token"
	"assay.dev/platform/scrape/table"
)

// textsBeside are the texts in these places that may say when the figures of a sheet hold, and those of the members of a JSON document. A member
// whose value is one word has its name before it: "valid until 2026-06-30".
func textsBeside(own sheet.Sheet, isPlace func(table.Place) bool) []string {
	texts := slices.Clone(own.Titles)
	for _, r := range own.Remarks {
		if isPlace(r.Place) {
			texts = append(texts, r.Text)
		}
	}
	for _, f := range own.Facts {
		text := f.Value
		if !strings.Contains(text, " ") {
			text = token.Spaced(f.Name) + " " + text
		}
		texts = append(texts, text)
	}
	return texts
}

// isHeading and isLabel tell the places of titles. A label may be one of several tabs, such as one for each year.
func isHeading(p table.Place) bool { return p == table.Above || p == table.Below || p == table.Over }

func isLabel(p table.Place) bool {
	return p == table.Label || p == table.Choice || p == table.Active || p == table.Crumb || p == table.Kicker
}

func isBeside(p table.Place) bool { return p != table.Near && p != table.Notice }

// maxYearTitle is the most words of a title that says of which year the weeks are: "Through June 2025".
const maxYearTitle = 5

// titleOfOtherYear is a short title over weeks, or the heading of their percents, that names a year before theirs, or of which the
// percents are and that comes after theirs: "Fuel surcharge 2027". It is "" where there is none.
func titleOfOtherYear(own sheet.Sheet, percent int, weeks []contracts.ObservedWeek) string {
	isOther := func(title string) bool { return isOfOtherYear(title, weeks) }
	isOtherLabel := func(label string) bool { return strings.Contains(label, " ") && isOther(label) }
	headings, labels := slices.Concat(own.Columns[percent].Levels, textsBeside(own, isHeading)), textsBeside(own, isLabel)
	if i := slices.IndexFunc(headings, isOther); i >= 0 {
		return headings[i]
	}
	if i := slices.IndexFunc(labels, isOtherLabel); i >= 0 {
		return labels[i]
	}
	return ""
}

func isOfOtherYear(title string, weeks []contracts.ObservedWeek) bool {
	year, _ := cell.OnlyYear(title)
	fields := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return r == ' ' || r == '(' || r == ')' })
	if year < earliestTitle || !slices.Contains(fields, strconv.Itoa(year)) || slices.Contains(otherTitles, fields[0]) {
		return false
	}
	isPast := year < weeks[len(weeks)-1].EffectiveDate.Time().Year() && len(fields) <= maxYearTitle
	return isPast || year > weeks[0].EffectiveDate.Time().Year() && saysOnlyWhen(fields)
}

// maxDayTitle is the most words of a title that says from which day on the weeks hold: "LTL surcharges in effect from January 4, 2027".
const maxDayTitle = 8

// otherTitles begin what is no title of a table: "Copyright 2024", "Jump to 2025".
var otherTitles = strings.Fields(`copyright jump view go open browse download`)

// saysOnlyWhen tells whether a title names nothing but a time and surcharges. "2027 General Rate Increase" names more.
func saysOnlyWhen(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		_, err := strconv.Atoi(strings.Trim(w, ".,:()"))
		return err != nil && !slices.Contains(timeWords, w) && calendar.Month(w) == 0
	})
}

var timeWords = strings.Fields(`fuel surcharge surcharges ltl fsc table schedule percentages percents rates weekly weeks for the of in from effective
	beginning starting valid year quarter first second third fourth q1 q2 q3 q4 our`)

// earliestTitle is the first year for which weeks are published. Those before it are of the company: "Since 1935".
const earliestTitle = 2015

// validity finds the words before the last day on which something holds: "Valid through", "The table expires on".
var validity = regexp.MustCompile(`\b(?:valid|good|effective|applicable|appl(?:y|ies|ied)|in (?:effect|force)|expire[sd]?)\b(?: \w+){0,3}$|` +
	`\b(?:program|schedule|table|page|percentages|figures|surcharges?|rates|offer)(?: \w+){0,2} end(?:s|ed)(?: on| in)?$`)

// endWords finds words by which a day is the last one.
var endWords = regexp.MustCompile(`expire| to$|\bend(?:s|ed)(?: on| in)?$`)

// beginsTitle and beginsSentence find the words before the first day on which what a page shows holds: "Effective", "These percentages take
// effect on". A new percentage is another one than those that are shown.
var (
	beginsTitle = regexp.MustCompile(`^(?:(?:the |our )?(?:ltl |fuel |weekly )*(?:(?:surcharges?|percentages|rates|table|schedule|figures) )?)?` +
		`(?:effective|from|valid|starting|beginning|in (?:force|effect)|good)(?: from| on| as of| in| since)?$`)
	beginsSentence = regexp.MustCompile(`\b(?:these|this|the)(?: ltl| fuel)* (?:percentages|figures|surcharges|rates|table|schedule|page|program)(?: shown| listed| below| above| here)? ` +
		`(?:will )?(?:takes? effect|becomes? effective|(?:is|are|be) (?:effective|valid)|goe?s? into effect|begins?|starts?|appl(?:y|ies))(?: from| on| as of| in| starting| beginning)*$`)
)

// ranOut is a text beside weeks by which they held until a day before the newest one: "Valid through 12/31/2025"; "" where there is none.
func (s *search) ranOut(own sheet.Sheet, newest contracts.ObservedWeek) string {
	for _, text := range textsBeside(own, isBeside) {
		parts, _ := cell.Scan(text)
		for _, p := range parts {
			last := p.Dates.First(cell.MonthFirst, 0)
			if p.Dates.IsRange() {
				last = p.Dates.Last(cell.MonthFirst, 0)
			}
			isEnd := p.Dates.IsRange() || endsBefore(p.Before) || endWords.MatchString(p.Before)
			if p.Kind == cell.Dates && p.Dates.HasYear() && isEnd && validity.MatchString(p.Before) &&
				last < calendar.Of(newest.EffectiveDate) && last < s.carrier.Today {
				return text
			}
		}
	}
	return ""
}

// beginsLater is a text beside weeks, or the heading of their percents, by which they hold from a day on that comes after the newest one: "Effective January 1, 2027"; "" where
// there is none.
func (s *search) beginsLater(own sheet.Sheet, percent int, newest contracts.ObservedWeek) string {
	latest := max(calendar.Of(newest.EffectiveDate), s.carrier.Today) + daysPerWeek
	for _, text := range slices.Concat(own.Columns[percent].Levels, textsBeside(own, isBeside)) {
		parts, rest := cell.Scan(text)
		for _, p := range parts {
			isTitle := len(parts) == 1 && p.After == "" && rest == "" && len(strings.Fields(text)) <= maxDayTitle && beginsTitle.MatchString(p.Before)
			isLater := p.Kind == cell.Dates && p.Dates.HasYear() && p.Dates.First(cell.MonthFirst, 0) > latest
			if isLater && (isTitle || beginsSentence.MatchString(p.Before)) {
				return text
			}
		}
	}
	return ""
}

const daysPerWeek = 7

// maxPageAge is how old, in days, a page may say that it is whose dates have no year.
const maxPageAge = 60

// isPageOlder tells whether the dates of weeks have no year and the page says that it was last changed long before the newest week:
// "Page last revised 11/16/2020".
func (s *search) isPageOlder(own sheet.Sheet, dates int, newest contracts.ObservedWeek) bool {
	hasYear := func(r sheet.Row) bool {
		return !r.Broken && r.Cells[dates].Kind == cell.Dates && r.Cells[dates].Dates.HasYear()
	}
	if slices.ContainsFunc(own.Rows, hasYear) {
		return false
	}
	return slices.ContainsFunc(own.Remarks, func(remark table.Remark) bool {
		parts, _ := cell.Scan(remark.Text)
		return slices.ContainsFunc(parts, func(p cell.Part) bool {
			changed := p.Dates.First(cell.MonthFirst, 0)
			return p.Kind == cell.Dates && s.vocabulary.Of(p.Before).Has(meaning.Posted) && changed != 0 && calendar.Of(newest.EffectiveDate)-changed > maxPageAge
		})
	})
}
