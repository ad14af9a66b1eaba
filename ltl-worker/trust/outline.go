package trust

import (
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
)

// Lines are the lines of a document from which these weeks were read, newest first. In JSON they are the names of the members of each
// record, and each further member that is no figure of a record, such as "status: draft".
//
// Near are the document's title, what has the role of an alert, a status or a dialog, the notes that the table refers to, and all in
// the smallest block that holds the weeks and a heading over them; and what stands between that and the page's main heading. What
// belongs to the site, such as its footer, is far. In JSON all is near.
func Lines(root *document.Node, weeks []contracts.SurchargeWeek) []Line {
	o := &outline{weeks: weeks, first: map[contracts.Date]int{}, leaves: make([]leaf, 0, len(root.Texts))}
	for i := range weeks {
		o.first[weeks[i].EffectiveDate] = i
	}
	for i := range root.Texts {
		o.add(&root.Texts[i])
	}
	return o.lines()
}

// maxLines bounds the lines of one document. One with more has a line that says so, which nobody can have accepted.
const maxLines = 4000

// outline is the texts of a document, and which of them are of the weeks.
type outline struct {
	leaves []leaf
	weeks  []contracts.SurchargeWeek // newest first
	first  map[contracts.Date]int    // index into weeks
}

// leaf is a text of the document.
type leaf struct {
	*document.Text
	dates   []contracts.Date // of weeks that were taken
	numbers []float64
	week    contracts.Date // in whose record it stands
}

// row is the row of plain cells that a leaf stands in, or nil.
func (l *leaf) row() *document.Block {
	if l.Row == nil || l.Row.HasBlocks || l.week != "" {
		return nil
	}
	return l.Row
}

func (o *outline) add(text *document.Text) {
	l := leaf{Text: text}
	ref := contracts.Date("2000-01-01")
	if len(o.weeks) > 0 {
		ref = o.weeks[0].EffectiveDate
	}
	for _, t := range scan(strings.ToLower(text.Text), ref) {
		if t.date == "" {
			l.numbers = append(l.numbers, t.value)
		} else if _, ok := o.first[t.date]; ok {
			l.dates = append(l.dates, t.date)
		}
	}
	o.leaves = append(o.leaves, l)
}

// lines are those of the document, once its leaves are complete.
func (o *outline) lines() []Line {
	isNear := o.near(o.findRecords())
	var all []formed
	for i := 0; i < len(o.leaves); i++ {
		l := &o.leaves[i]
		end, text, row := i+1, l.Text.Text, l.row()
		if row != nil {
			for end < row.To {
				text += " | " + o.leaves[end].Text.Text
				end++
			}
		}
		line := Line{Text: text, Near: l.week != "" || isNear(i), Week: l.week}
		if row != nil && o.isNewest(text) {
			line.Week = o.weeks[0].EffectiveDate
		}
		if line.Near || !l.IsLink && tells(text) {
			if c := compare(line, o.weeks); !isFigure(text, c.shape) {
				all = append(all, formed{line, c})
			}
		}
		i = end - 1
	}
	return o.distinct(all)
}

// formed is a line and how it is compared.
type formed struct {
	Line
	comparable
}

// near tells of each leaf whether it is near, when the weeks stand from the leaf first to the leaf last.
func (o *outline) near(first, last int) func(int) bool {
	from, to := 0, len(o.leaves)
	if first >= 0 {
		from, to = o.container(first, last)
	}
	main := from
	for i := range min(first, from) {
		if o.leaves[i].Heading == 1 {
			main = i
		}
	}
	return func(i int) bool {
		l := &o.leaves[i]
		return l.Always || !l.Aside && i >= main && i < to
	}
}

// container is the smallest block that holds those leaves and a heading over them.
func (o *outline) container(first, last int) (from, to int) {
	for b := o.leaves[first].In; b.Up != nil; b = b.Up {
		if b.From > first || b.To <= last {
			continue
		}
		for i := b.From; i < first; i++ {
			if o.leaves[i].Heading > 0 {
				return b.From, b.To
			}
		}
	}
	return 0, len(o.leaves)
}

// isNewest tells whether a text has the date of the newest week or a later one: in a row that is no record, it may be that of a week that
// could not be read.
func (o *outline) isNewest(text string) bool {
	return len(o.weeks) > 0 && slices.ContainsFunc(scan(strings.ToLower(text), o.weeks[0].EffectiveDate), func(t mark) bool {
		return t.date >= o.weeks[0].EffectiveDate
	})
}

// findRecords finds the record of each taken week: the smallest part of the document that shows its date and its percent, and not the dates
// of many. It gives the first and the last leaf of them; without any record, of the dates.
func (o *outline) findRecords() (first, last int) {
	first, last = -1, -1
	take := func(from, to int) {
		if first < 0 || from < first {
			first = from
		}
		last = max(last, to-1)
	}
	for i := range o.leaves {
		for _, d := range o.leaves[i].dates {
			from, to := i, i+1
			ok := o.shows(from, to, d)
			for e := o.leaves[i].In; e != nil && !ok; e = e.Up {
				from, to = e.From, e.To
				if ok = o.shows(from, to, d); !ok && o.countDates(from, to) > 2 {
					break
				}
			}
			if ok && o.countDates(from, to) <= 2 {
				take(from, to)
				for j := from; j < to; j++ {
					o.leaves[j].week = max(o.leaves[j].week, d)
				}
			}
		}
	}
	if first >= 0 {
		return first, last
	}
	for i := range o.leaves {
		if len(o.leaves[i].dates) > 0 {
			take(i, i+1)
		}
	}
	return first, last
}

// shows tells whether the percent of the week that begins on d stands in some leaves.
func (o *outline) shows(from, to int, d contracts.Date) bool {
	percent := o.weeks[o.first[d]].Percent
	for i := from; i < to; i++ {
		for _, n := range o.leaves[i].numbers {
			if near(n, percent) || near(100*n, percent) {
				return true
			}
		}
	}
	return false
}

func (o *outline) countDates(from, to int) int {
	var seen []contracts.Date
	for i := from; i < to && len(seen) <= 2; i++ {
		for _, d := range o.leaves[i].dates {
			if !slices.Contains(seen, d) {
				seen = append(seen, d)
			}
		}
	}
	return len(seen)
}

// manyForms is how many lines that differ in their numbers alone are a column, whose figures are no words.
const manyForms = 3

// distinct is each line once, as it is compared. Lines that differ in their numbers alone, such as the cells "Volume: 45.61%" of each
// week, are one.
func (o *outline) distinct(all []formed) []Line {
	forms := map[string]map[string]bool{} // by shape
	for _, l := range all {
		if forms[l.shape] == nil {
			forms[l.shape] = map[string]bool{}
		}
		forms[l.shape][l.form] = true
	}
	var kept []Line
	seen := map[string]bool{}
	for _, l := range all {
		if len(forms[l.shape]) >= manyForms {
			l.Text, l.Week, l.form = l.shape, "", l.shape
		}
		if seen[l.form] {
			continue
		}
		seen[l.form] = true
		kept = append(kept, l.Line)
		if len(kept) == maxLines {
			return append(kept, Line{Text: "there are more lines", Near: true})
		}
	}
	return kept
}
