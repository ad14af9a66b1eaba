package trust

import (
	"slices"

	"assay.dev/ltl-worker/surcharge/calendar"
)

// isNewest tells whether a row that is no record may be that of the newest week or a later one, which could not be
// read: it has such a date, or the newest percent and not that of the week before.
func (o *outline) isNewest(row []leaf) bool {
	isNewest, percents := false, [2]bool{}
	for i := range row {
		for _, m := range row[i].Marks {
			d, ok := dayIn(&m, o.newest)
			isNewest = isNewest || m.IsDate && ok && d >= o.newest
			for n, w := range o.weeks[:min(len(o.weeks), 2)] {
				percents[n] = percents[n] || !m.IsDate && near(m.Value, w.Percent)
			}
		}
	}
	return len(o.weeks) > 0 && (isNewest || percents[0] && !percents[1])
}

// findRecords finds the record of each taken week: the smallest part of the document that shows its date and its
// percent, and not the dates of many. It gives the first and the last leaf of them; without any record, of the dates.
func (o *outline) findRecords() (first, last int) {
	first, last = -1, -1
	take := func(from, to int) {
		if first < 0 || from < first {
			first = from
		}
		last = max(last, to-1)
	}
	for i := range o.leaves {
		for _, d := range o.dates(&o.leaves[i]) {
			from, to := i, i+1
			ok := o.shows(from, to, d)
			for e := o.leaves[i].In; e != nil && !ok; e = e.Up {
				from, to = int(e.From), int(e.To)
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
		if len(o.dates(&o.leaves[i])) > 0 {
			take(i, i+1)
		}
	}
	return first, last
}

// shows tells whether the percent of the week that begins on d stands in some leaves.
func (o *outline) shows(from, to int, d calendar.Day) bool {
	at, _ := o.indexOf(d)
	percent := o.weeks[at].Percent
	for i := from; i < to; i++ {
		for _, m := range o.leaves[i].Marks {
			if !m.IsDate && (near(m.Value, percent) || near(100*m.Value, percent)) {
				return true
			}
		}
	}
	return false
}

// countDates counts the taken weeks whose dates stand in some leaves, up to three.
func (o *outline) countDates(from, to int) int {
	var seen [3]calendar.Day
	n := 0
	for i := from; i < to; i++ {
		for _, d := range o.dates(&o.leaves[i]) {
			if n < len(seen) && !slices.Contains(seen[:n], d) {
				seen[n] = d
				n++
			}
		}
	}
	return n
}
