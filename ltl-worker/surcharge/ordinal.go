package surcharge

import (
	"time"

	"assay.dev/contracts"
)

// ordinal counts the days from 1970 to a date. Its zero value is no date: there were no such surcharges then.
type ordinal int

func ordinalOf(d contracts.Date) ordinal { return ordinal(d.Time().Unix() / 86400) }

func (o ordinal) date() contracts.Date {
	return contracts.DateOf(time.Unix(int64(o)*86400, 0).UTC())
}

func (o ordinal) weekday() int { return (int(o) + 4) % 7 }

// ordinal is the date of d when the column's order of month and day is known; 0 for what is no day of the calendar and
// for a weekday that does not belong to it.
func (d day) ordinal(dayFirst bool) ordinal {
	month, mday := d.month, d.mday
	if d.open && dayFirst {
		month, mday = mday, month
	}
	date := time.Date(int(d.year), time.Month(month), int(mday), 0, 0, 0, 0, time.UTC)
	if !plausibleYear(d.year) || date.Day() != int(mday) || date.Month() != time.Month(month) {
		return 0
	}
	o := ordinal(date.Unix() / 86400)
	if d.weekday > 0 && o.weekday()+1 != int(d.weekday) {
		return 0
	}
	return o
}

// start is the first day of r, its missing year taken from the range's end or from year, when that is not 0.
func (r dates) start(dayFirst bool, year int16) ordinal {
	from, to := r.from, r.to
	if !r.ranged {
		if from.year == 0 {
			from.year = year
		}
		return from.ordinal(dayFirst)
	}
	if to.month == 0 {
		to.month = from.month
	}
	switch {
	case from.year == 0 && to.year == 0:
		from.year, to.year = year, year
	case from.year == 0:
		from.year = to.year
		if from.ordinal(dayFirst) > to.ordinal(dayFirst) {
			from.year-- // Dec 30 - Jan 5, 2027
		}
	case to.year == 0:
		to.year = from.year
		if from.ordinal(dayFirst) > to.ordinal(dayFirst) {
			to.year++
		}
	}
	first, last := from.ordinal(dayFirst), to.ordinal(dayFirst)
	if first == 0 || last < first || last-first > maxRangeDays {
		return 0
	}
	return first
}

// maxRangeDays is the longest time for which one row's rate may stand: a late index keeps a rate for weeks.
const maxRangeDays = 35
