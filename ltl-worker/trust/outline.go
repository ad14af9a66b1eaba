package trust

import (
	"slices"

	"assay.dev/contracts"
)

// maxLines bounds the lines of one document. One with more has a line that says so, which nobody can have accepted.
const maxLines = 4000

// outline is a document cut into leaves, whether it is HTML or JSON. Each element holds a run of them.
type outline struct {
	leaves []leaf
	weeks  []contracts.SurchargeWeek // newest first
	first  map[contracts.Date]int    // index into weeks
}

// element is a part of the document with the leaves from from to before to.
type element struct {
	up       *element
	from, to int
	isRow    bool // of a table, and its cells hold plain text
}

// leaf is a text of the document that stands in one line.
type leaf struct {
	text string
	in   *element
	row  *element // that it is a cell of
	// always is set for what counts wherever it stands, such as the document's title, aside for what belongs to the site and not to the
	// content, such as its footer, and isLink for a text of nothing but links.
	always, aside, isLink bool
	heading               int // 1 to 6

	dates   []contracts.Date // of weeks that were taken
	numbers []float64
	week    contracts.Date // in whose record it stands
}

func newOutline(weeks []contracts.SurchargeWeek) *outline {
	o := &outline{weeks: weeks, first: map[contracts.Date]int{}}
	for i := range weeks {
		o.first[weeks[i].EffectiveDate] = i
	}
	return o
}

// add adds a leaf.
func (o *outline) add(l leaf) {
	ref := contracts.Date("2000-01-01")
	if len(o.weeks) > 0 {
		ref = o.weeks[0].EffectiveDate
	}
	for _, t := range scan(l.text, ref) {
		if t.date == "" {
			l.numbers = append(l.numbers, t.value)
		} else if _, ok := o.first[t.date]; ok {
			l.dates = append(l.dates, t.date)
		}
	}
	o.leaves = append(o.leaves, l)
}

// lines are those of the document, once its leaves are complete. isNear tells which elements' leaves belong to the table.
func (o *outline) lines(near func(first, last int) func(i int) bool) []Line {
	first, last := o.findRecords()
	isNear := near(first, last)
	var all []Line
	for i := 0; i < len(o.leaves); i++ {
		l := &o.leaves[i]
		end, text := i+1, l.text
		if l.row != nil && l.week == "" {
			for end < l.row.to {
				text += " | " + o.leaves[end].text
				end++
			}
		}
		line := Line{Text: text, Near: l.week != "" || isNear(i), Week: l.week}
		if l.row != nil && l.week == "" && o.isNewer(text) {
			line.Week = o.weeks[0].EffectiveDate
		}
		if !isFigure(text) && (line.Near || !l.isLink && tells(text)) {
			all = append(all, line)
		}
		i = end - 1
	}
	return o.distinct(all)
}

// isNewer tells whether a text has a date after the newest week: in a row, it may be that of a week that could not be read.
func (o *outline) isNewer(text string) bool {
	return len(o.weeks) > 0 && slices.ContainsFunc(scan(text, o.weeks[0].EffectiveDate), func(t token) bool {
		return t.date > o.weeks[0].EffectiveDate
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
			for e := o.leaves[i].in; e != nil && !ok; e = e.up {
				from, to = e.from, e.to
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
func (o *outline) distinct(all []Line) []Line {
	forms := map[string]map[string]bool{} // by shape
	for _, l := range all {
		s := shape(l.Text)
		if forms[s] == nil {
			forms[s] = map[string]bool{}
		}
		form, _ := Comparable(l, o.weeks)
		forms[s][form] = true
	}
	var kept []Line
	seen := map[string]bool{}
	for _, l := range all {
		if s := shape(l.Text); len(forms[s]) >= manyForms {
			l.Text, l.Week = s, ""
		}
		form, _ := Comparable(l, o.weeks)
		if seen[form] {
			continue
		}
		seen[form] = true
		kept = append(kept, l)
		if len(kept) == maxLines {
			return append(kept, Line{Text: "there are more lines", Near: true})
		}
	}
	return kept
}
