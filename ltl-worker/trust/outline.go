package trust

import (
	"cmp"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/surcharge/calendar"
)

// Lines are the lines of a document from which these weeks were read, newest first. In JSON they are the names of the
// members of each record, and each further member that is no figure of a record, such as "status: draft".
//
// Near are the document's title, what has the role of an alert, a status or a dialog, the notes that the table refers
// to, and all in the smallest block that holds the weeks and a heading over them; and what stands between that and the
// page's main heading, or in a block with it that has nothing of the site, such as a footer. What belongs to the site
// is far. In JSON all is near.
func Lines(doc *document.Document, weeks []contracts.SurchargeWeek) []Line {
	o := &outline{
		weeks: weeks, newest: dayOf(weeks), days: make([]calendar.Day, len(weeks)),
		taken: make([]calendar.Day, 0, len(weeks)+8), leaves: make([]leaf, len(doc.Texts)),
	}
	for i := range weeks {
		o.days[i] = calendar.Of(weeks[i].EffectiveDate)
	}
	for i := range doc.Texts {
		o.leaves[i] = o.leaf(&doc.Texts[i])
	}
	return o.lines()
}

// maxLines bounds the lines of one document. One with more has a line that says so, which nobody can have accepted.
const maxLines = 4000

// outline is the texts of a document, and which of them are of the weeks.
type outline struct {
	leaves []leaf
	weeks  []contracts.SurchargeWeek // newest first
	newest calendar.Day
	days   []calendar.Day // the first ones of weeks
	taken  []calendar.Day // the dates of leaves that are first days of weeks
}

// indexOf is the index of the taken week that begins on a day.
func (o *outline) indexOf(d calendar.Day) (i int, ok bool) {
	return slices.BinarySearchFunc(o.days, d, func(a, b calendar.Day) int { return int(b - a) })
}

// leaf is a text of the document.
type leaf struct {
	*document.Text
	from, to int32        // its dates of weeks that were taken
	week     calendar.Day // in whose record it stands
}

// row is the row of plain cells that a leaf stands in, or nil.
func (l *leaf) row() *document.Block {
	if l.Row == nil || l.Row.HasBlocks || l.week != 0 {
		return nil
	}
	return l.Row
}

func (o *outline) leaf(text *document.Text) leaf {
	l := leaf{Text: text, from: int32(len(o.taken))}
	for i := range l.Marks {
		if m := &l.Marks[i]; m.IsDate {
			d, _ := dayIn(m, o.newest)
			if _, isTaken := o.indexOf(d); isTaken {
				o.taken = append(o.taken, d)
			}
		}
	}
	l.to = int32(len(o.taken))
	return l
}

func (o *outline) dates(l *leaf) []calendar.Day { return o.taken[l.from:l.to] }

// dateOf is the first day of a taken week; "" for 0.
func (o *outline) dateOf(d calendar.Day) contracts.Date {
	if d == 0 {
		return ""
	}
	i, _ := o.indexOf(d)
	return o.weeks[i].EffectiveDate
}

// lines are those of the document, once its leaves are complete.
func (o *outline) lines() []Line {
	isNear := o.near(o.findRecords())
	var all []formed
	for i := 0; i < len(o.leaves); i++ {
		l := &o.leaves[i]
		parts := o.leaves[i : i+1]
		line := Line{Near: l.week != 0 || isNear(i), Week: o.dateOf(l.week)}
		if row := l.row(); row != nil {
			parts = o.leaves[i:max(int(row.To), i+1)]
			if o.isNewest(parts) {
				line.Week = o.weeks[0].EffectiveDate
			}
		}
		i += len(parts) - 1
		if areFigures(parts, cmp.Or(l.week, o.newest)) {
			continue
		}
		for j := range parts {
			line.Text = strings.TrimPrefix(line.Text+" | "+parts[j].Text.Text, " | ")
		}
		if line.Near || !o.isMenu(i+1-len(parts), i+1) && tells(line.Text) {
			text, of := join(parts), reference(line.Week, o.weeks)
			all = append(all, formed{line, text.form(line.Week, of), text.shape(dayOf(of))})
		}
	}
	return distinct(all)
}

// join is the text of a row with its cells set apart.
func join(parts []leaf) scanned {
	all := told(parts[0].Text)
	for i := range parts[1:] {
		next := told(parts[i+1].Text)
		all.text += " | "
		marks := slices.Clone(next.marks)
		for j := range marks {
			marks[j].From += int32(len(all.text))
			marks[j].To += int32(len(all.text))
		}
		all.text, all.marks = all.text+next.text, slices.Concat(all.marks, marks)
	}
	return all
}

// formed is a line, how it is compared, and its shape.
type formed struct {
	Line
	form, shape string
}

// near tells of each leaf whether it is near, when the weeks stand from the leaf first to the leaf last.
func (o *outline) near(first, last int) func(int) bool {
	from, to := 0, len(o.leaves)
	if first >= 0 {
		from, to = o.container(first, last)
	}
	main := o.heading(min(first, from), from)
	return func(i int) bool {
		l := &o.leaves[i]
		return l.Always || !l.Aside && i >= main && i < to
	}
}

// heading is the last main heading before a leaf; otherwise where there is none.
func (o *outline) heading(before, otherwise int) int {
	for i := before - 1; i >= 0; i-- {
		if o.leaves[i].Heading == 1 {
			return i
		}
	}
	return otherwise
}

// container is the smallest block that holds those leaves and a heading over them, or one around it that holds the
// page's main heading as well, and nothing of the site. A heading in a row of a table marks nothing off: such a table
// may lay out the page.
func (o *outline) container(first, last int) (from, to int) {
	from, to = 0, len(o.leaves)
	main, isFound := o.heading(first, first), false
	isHeading := func(l leaf) bool { return l.Heading > 0 && l.Row == nil }
	isAside := func(l leaf) bool { return l.Aside }
	for b := o.leaves[first].In; b.Up != nil; b = b.Up {
		begin, end := int(b.From), int(b.To)
		switch {
		case begin > first || end <= last || !isFound && !slices.ContainsFunc(o.leaves[begin:first], isHeading):
			continue
		case isFound && slices.ContainsFunc(o.leaves[begin:end], isAside):
			return from, to
		case !isFound || begin <= main:
			from, to, isFound = begin, end, true
		}
		if begin <= main {
			return from, to
		}
	}
	return from, to
}

// isMenu tells whether leaves are links, and stand among links or in a part of the site.
func (o *outline) isMenu(from, to int) bool {
	l := &o.leaves[from]
	isBeside := func(i int) bool {
		return i >= 0 && i < len(o.leaves) && o.leaves[i].Links == 1 && !o.leaves[i].Aside && o.leaves[i].In.Up == l.In.Up
	}
	if slices.ContainsFunc(o.leaves[from:to], func(l leaf) bool { return l.Links == 0 }) {
		return false
	}
	return to-from > 1 || l.Links > 1 || l.Aside || isBeside(from-1) || isBeside(to)
}

// manyForms is how many lines that differ in their numbers alone are a column, whose figures are no words.
const manyForms = 3

// distinct is each line once, as it is compared. Lines that differ in their numbers alone, such as the cells "Volume:
// 45.61%" of each week, are one.
func distinct(all []formed) []Line {
	seen, forms := make(map[string]bool, len(all)), make(map[string]int, len(all)) // forms: by shape
	all = slices.DeleteFunc(all, func(l formed) bool {
		wasSeen := seen[l.form]
		if !wasSeen {
			seen[l.form] = true
			forms[l.shape]++
		}
		return wasSeen
	})
	const isTold = -1
	lines := make([]Line, 0, len(all))
	for _, l := range all {
		switch n := forms[l.shape]; {
		case n == isTold:
			continue
		case n >= manyForms:
			l.Text, l.Week, forms[l.shape] = l.shape, "", isTold
		}
		lines = append(lines, l.Line)
		if len(lines) == maxLines {
			return append(lines, Line{Text: "there are more lines", Near: true})
		}
	}
	return lines
}
