package sheet

import (
	"slices"
	"strings"
	"time"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// looseFields are the values of one record by their kinds, in the order of the page.
type looseFields struct {
	kinds  []string
	values []cell.Value
	labels [][]string
	lines  []string // the line of each value
	loose  []string // lines without a value that name none
}

// The kinds of fields that every record may have once. Others are named by their words.
const (
	dateField    = "date"
	percentField = "percent"
	priceField   = "price"
	otherFigure  = "figure "
)

// date is the date of a record.
func (f looseFields) date() cell.Range { return f.values[slices.Index(f.kinds, dateField)].Dates }

// statements are the lines of the date and the percent.
func (f looseFields) statements() []string {
	var all []string
	for i, k := range f.kinds {
		if k == dateField || k == percentField {
			all = append(all, f.lines[i])
		}
	}
	return all
}

// isAside tells whether a date without a percent is no week: it stands in a sentence, or is that of the page.
func (f looseFields) isAside(v *meaning.Vocabulary) bool {
	at := slices.Index(f.kinds, dateField)
	said := v.Of(strings.Join(f.labels[at], " "))
	const ofWeek = meaning.Effective | meaning.Begin | meaning.Date | meaning.Percent | meaning.LTL | meaning.Fuel
	return said.Has(meaning.Posted) && !said.Has(meaning.Effective|meaning.Begin) || len(strings.Fields(f.lines[at])) > maxLooseWords ||
		len(f.kinds) == 1 && said != 0 && !said.Has(ofWeek)
}

// maxLooseWords is the most words of a line that says that a week has no percent yet: "Effective September 9, 2026: to be announced".
const maxLooseWords = 9

func (f looseFields) has(kind string) bool { return slices.Contains(f.kinds, kind) }

// fieldsOf reads the values of a record. It is false for a record in which two values could be the same field.
func (w *looseWalk) fieldsOf(r *looseRecord) (looseFields, bool) {
	var f looseFields
	label := "" // the last line without a value
	for _, line := range r.lines {
		c := w.counts[line]
		if len(c.parts) == 0 {
			if label != "" {
				f.loose = append(f.loose, label)
			}
			label = strings.TrimSuffix(line.Text, ":")
			if len(label) > maxLooseLabel || line.Place == openedRow {
				f.loose = append(f.loose, line.Text)
				label = ""
			}
			continue
		}
		named := line.Text
		for i := range c.parts {
			part := &c.parts[i]
			labels := appendText(appendText(nil, w.before(c.parts, i)), part.After)
			if i == len(c.parts)-1 && !w.tellsBracket(part, c.rest) {
				labels = appendText(labels, c.rest)
			}
			if i == 0 && part.Before == "" {
				labels = append(appendText(nil, label), labels...)
				if label != "" {
					named, label = label+": "+named, ""
				}
			}
			if isInBracket(c.parts, i) {
				continue
			}
			f.add(w.vocabulary, part.Value, labels)
			f.lines = append(f.lines, named)
		}
		if label != "" {
			f.loose = append(f.loose, label)
		}
		label = ""
	}
	if label != "" {
		f.loose = append(f.loose, label)
	}
	f.readAsOf(w.vocabulary)
	f.dropIndexDate(w.vocabulary)
	dates := 0
	for _, k := range f.kinds {
		if k == dateField {
			dates++
		}
	}
	return f, dates == 1 && f.settle()
}

// before are the words before a value without those that name the value before it: "with diesel at" of "48% LTL fuel surcharge, with diesel at
// $5.598".
func (w *looseWalk) before(parts []cell.Part, i int) string {
	p := &parts[i]
	if i == 0 || parts[i-1].After == "" || parts[i-1].Kind != cell.Figure || p.Kind != cell.Figure || p.Quantity.Unit == parts[i-1].Quantity.Unit {
		return p.Before
	}
	own, isNamed := strings.CutPrefix(p.Before, parts[i-1].After+" ")
	of := meaning.Percent
	if parts[i-1].Quantity.Unit == cell.Dollars {
		of = meaning.Price
	}
	if !isNamed || !w.vocabulary.Of(parts[i-1].After).Has(of) || !w.vocabulary.Of(own+" "+p.After).Has(meaning.Price|meaning.Percent|meaning.LTL) {
		return p.Before
	}
	return own
}

const maxLooseLabel = 60

// maxBracket is the widest bracket of prices, in dollars.
const maxBracket = 0.25

// isInBracket tells whether a price is an end of the bracket in which the price of a week lies: "Range: $5.78 to $5.81".
func isInBracket(parts []cell.Part, i int) bool {
	return i > 0 && isBracket(&parts[i-1], &parts[i]) || i+1 < len(parts) && isBracket(&parts[i], &parts[i+1])
}

// tellsBracket tells whether the words behind a price say in which bracket it lies: "$5.748, which lies in the range 5.72-5.75".
func (w *looseWalk) tellsBracket(p *cell.Part, behind string) bool {
	return p.Quantity.Unit == cell.Dollars && strings.ContainsAny(behind, digits) && w.vocabulary.Of(behind).Has(meaning.Bound)
}

func isBracket(from, to *cell.Part) bool {
	if from.Quantity.Unit != cell.Dollars || to.Quantity.Unit != cell.Dollars {
		return false
	}
	width := to.Quantity.Value - from.Quantity.Value
	return (to.Before == "" || to.Before == "to" || to.Before == "through" || to.Before == "and") && width > 0 && width <= maxBracket
}

// readAsOf reads the "as of" before the only date of a record as the day from which the percent applies: "As of June 24 the
// surcharge is 42.5%", "LTL fuel surcharge as of 5/27/2026: 50.5%". Beside a price it is the day of the price.
func (f *looseFields) readAsOf(v *meaning.Vocabulary) {
	at := slices.Index(f.kinds, dateField)
	if at < 0 || slices.Contains(f.kinds[at+1:], dateField) {
		return
	}
	if isLast := at+1 == len(f.kinds); isLast && (at == 0 || f.has(priceField)) || !isLast && f.kinds[at+1] == priceField {
		return
	}
	for i, label := range f.labels[at] {
		before, after, found := strings.Cut(" "+label+" ", " as of ")
		const another = meaning.Posted | meaning.Index | meaning.Price | meaning.End
		if found && !v.Of(before).Has(another) && !v.Of(after).Has(another) {
			f.labels[at][i] = strings.TrimSpace(before + " effective " + after)
		}
	}
}

// maxIndexLag is the most days from the day of a price to the day from which its percent applies.
const maxIndexLag = 9

// dropIndexDate leaves out the Monday of the price beside the day of the percent: "The average price on Monday, November 16, 2026 was
// $3.982. The surcharge effective November 18, 2026 is 31.45%."
func (f *looseFields) dropIndexDate(v *meaning.Vocabulary) {
	price := slices.Index(f.kinds, dateField)
	if price < 0 {
		return
	}
	week := price + 1 + slices.Index(f.kinds[price+1:], dateField)
	if week == price || slices.Contains(f.kinds[week+1:], dateField) {
		return
	}
	if !f.isBeside(price, priceField) {
		price, week = week, price
	}
	const ofWeek, ofOther = meaning.Effective | meaning.Begin, meaning.Posted | meaning.Index | meaning.End
	said := func(i int) meaning.Set { return v.Of(strings.Join(f.labels[i], " ")) }
	if f.isBeside(price, priceField) && f.isBeside(week, percentField, "LTL") && !said(price).Has(ofWeek) &&
		!said(week).Has(ofOther) && isIndexDay(f.values[price].Dates, f.values[week].Dates) {
		f.kinds[price] = otherFigure + "of the price"
	}
}

// isBeside tells whether the value right before or behind one is of one of the kinds.
func (f *looseFields) isBeside(at int, kinds ...string) bool {
	return at > 0 && slices.Contains(kinds, f.kinds[at-1]) || at+1 < len(f.kinds) && slices.Contains(kinds, f.kinds[at+1])
}

// isIndexDay tells whether a day is a Monday right before the first day of a week.
func isIndexDay(index, week cell.Range) bool {
	first := week.First(cell.MonthFirst, 0)
	if first == 0 {
		return false
	}
	monday := index.First(cell.MonthFirst, first.Date().Time().Year())
	return monday != 0 && monday.Weekday() == time.Monday && first-monday > 0 && first-monday <= maxIndexLag
}

func (f *looseFields) add(v *meaning.Vocabulary, value cell.Value, labels []string) {
	if value.Kind == cell.Dates && slices.ContainsFunc(labels, func(l string) bool { return strings.HasSuffix(l, " since") }) {
		labels = append(labels, "beginning") // "the surcharge that has applied since November 11"
	}
	kind := v.Of(strings.Join(labels, " "))
	var name string
	switch {
	case value.Kind == cell.Dates:
		name = dateField
		if isAsOf := slices.ContainsFunc(labels, func(l string) bool { return strings.HasSuffix(l, "as of") }); isAsOf && !f.has(priceField) && !f.has(dateField) {
			break
		}
		if kind.Has(meaning.End|meaning.Posted|meaning.Index) && !kind.Has(meaning.Effective|meaning.Begin) && len(f.kinds) > 0 {
			name = "another date"
		}
	case value.Quantity.Unit == cell.Percent && kind.Has(meaning.Truckload) && !kind.Has(meaning.LTL):
		name = "truckload"
	case value.Quantity.Unit == cell.Percent && kind.Has(meaning.LTL) && !kind.Has(meaning.Service|meaning.Region):
		name = "LTL"
	case value.Quantity.Unit == cell.Percent:
		name = percentField
	case value.Quantity.Unit == cell.Dollars && value.Quantity.Value <= mostPrice && !kind.Has(meaning.Other|meaning.Service|meaning.Region|meaning.Abroad) && !f.has(priceField) &&
		!tellsMovement(labels):
		name = priceField
	default:
		name = otherFigure + strings.Join(labels, " ")
	}
	f.kinds, f.values, f.labels = append(f.kinds, name), append(f.values, value), append(f.labels, labels)
}

// mostPrice is the highest price of a gallon, in dollars, that is believed. Other amounts are of something else.
const mostPrice = 15

// tellsMovement tells whether the words beside a price tell how it moved, and not what it is: "diesel rose 5 cents to $5.652".
func tellsMovement(labels []string) bool {
	for _, label := range labels {
		for word := range strings.FieldsSeq(label) {
			switch word {
			case "rose", "fell", "climbed", "dropped", "jumped", "slid", "up", "down", "highest", "lowest", "tops", "cents":
				return true
			}
		}
	}
	return false
}

// settle tells which percent is the one that is looked for: the only one, or the only one that is named LTL.
func (f *looseFields) settle() bool {
	named := 0
	for _, k := range f.kinds {
		if k == "LTL" {
			named++
		}
	}
	for i, k := range f.kinds {
		switch {
		case k == percentField && named > 0:
			f.kinds[i] = "another percent"
		case k == "LTL":
			f.kinds[i] = percentField
		}
	}
	seen := map[string]bool{}
	for _, k := range f.kinds {
		if seen[k] && (k == percentField || k == dateField) {
			return false
		}
		seen[k] = true
	}
	return true
}
