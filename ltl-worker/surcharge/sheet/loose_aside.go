package sheet

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// Not all that has a date and a percent is a week: pages have news, dates of letters and of tariffs, and the Mondays of the price.

// isOnOtherDay tells whether the date of a record without a percent is no first day of a week: those with percents begin on other days
// of the week. It is that of the price.
func (w *looseWalk) isOnOtherDay(f looseFields, records []looseRecord) bool {
	day := f.date().First(cell.MonthFirst, 0)
	for i := range records {
		other, ok := w.fieldsOf(&records[i])
		if !ok || !other.has(percentField) {
			continue
		}
		if first := other.date().First(cell.MonthFirst, 0); first == 0 || first.Weekday() == day.Weekday() {
			return false
		}
	}
	return day != 0
}

// putPrices gives each week without a price the one of the Monday before it.
func putPrices(weeks, prices []looseFields) {
	for i := range weeks {
		for _, p := range prices {
			if !weeks[i].has(priceField) && isIndexDay(p.date(), weeks[i].date()) && weeks[i].has(percentField) {
				at := slices.Index(p.kinds, priceField)
				weeks[i].kinds, weeks[i].values = append(weeks[i].kinds, priceField), append(weeks[i].values, p.values[at])
				weeks[i].labels, weeks[i].lines = append(weeks[i].labels, p.labels[at]), append(weeks[i].lines, p.lines[at])
			}
		}
	}
}

// withoutNews leaves out records that speak of something else beside those that name fuel or LTL: "Oil fell 2.1% on Friday, November 20".
// A record that begins on the same day of the week as those stays: it may be a week, or correct one.
func (w *looseWalk) withoutNews(records []looseRecord) []looseRecord {
	weekdays := map[time.Weekday]bool{}
	isNamed := make([]bool, len(records))
	dates := make([]calendar.Day, len(records))
	for i := range records {
		f, ok := w.fieldsOf(&records[i])
		if isNamed[i] = !ok || w.namesFuel(&records[i]); ok {
			dates[i] = f.date().First(cell.MonthFirst, 0)
		}
		if ok && isNamed[i] && f.has(percentField) {
			weekdays[dates[i].Weekday()] = true
		}
	}
	if len(weekdays) == 0 {
		return records
	}
	var kept []looseRecord
	for i, r := range records {
		if isNamed[i] || r.percents(w) == 0 || weekdays[dates[i].Weekday()] {
			kept = append(kept, r)
		}
	}
	return kept
}

// chargeWords find what is charged.
var chargeWords = regexp.MustCompile(`(?i)\b(?:rates?|pays?|charged?|charges|appl(?:y|ies))\b`)

// namesFuel tells whether the lines of a record name fuel, LTL, a charge or a correction.
func (w *looseWalk) namesFuel(r *looseRecord) bool {
	return slices.ContainsFunc(r.lines, func(line *table.Block) bool {
		return w.vocabulary.Of(line.Text).Has(meaning.Fuel|meaning.LTL) || IsCorrection(line.Text) || chargeWords.MatchString(line.Text)
	})
}

// isBareDate tells whether a record is a date and says nothing of it, such as the date of a letter.
func (f looseFields) isBareDate() bool {
	at := slices.Index(f.kinds, dateField)
	label := strings.Join(f.labels[at], "")
	return len(f.kinds) == 1 && (f.lines[at] == f.values[at].Text || strings.HasPrefix(strings.ToLower(f.lines[at]), "date:") || label == "")
}

// areDatesNamed tells whether the page names the dates of all weeks with percents: "Effective November 18, 2026". A bare date beside
// them is none of a week.
func (w *looseWalk) areDatesNamed(records []looseRecord) bool {
	named := false
	for i := range records {
		f, ok := w.fieldsOf(&records[i])
		if !ok || !f.has(percentField) {
			continue
		}
		label := strings.Join(f.labels[slices.Index(f.kinds, dateField)], " ")
		if named = w.vocabulary.Of(label).Has(meaning.Effective | meaning.Begin); !named {
			return false
		}
	}
	return named
}

// isOfTariff tells whether the words beside the date say that it is that of a tariff.
func (f looseFields) isOfTariff() bool {
	label := strings.ToLower(strings.Join(f.labels[slices.Index(f.kinds, dateField)], " "))
	return strings.Contains(label, "tariff") || strings.Contains(label, "rules") || strings.Contains(label, "item")
}

// isInSentences tells whether the weeks of a page stand in sentences.
func (w *looseWalk) isInSentences(records []looseRecord) bool {
	for i := range records {
		for _, line := range records[i].lines {
			c := w.counts[line]
			if c.dates == 1 && c.percents > 0 && len(strings.Fields(line.Text)) > maxLooseWords {
				return true
			}
		}
	}
	return false
}
