package calendar

import (
	"slices"
	"time"
)

// Carrier is what is known of a carrier's weeks.
type Carrier struct {
	Today Day
	// Weekday is the day on which its weeks begin; nil when it is not known.
	Weekday *time.Weekday
}

// MaxDaysAhead is how many days before its first day a percent may be published.
const MaxDaysAhead = 14

// maxYearsBack is how far back a date without a year may lie.
const maxYearsBack = 4

// Nearest is the day in the year that is said over it. Rows that run over New Year under one year do not all lie in it,
// and some have no year at all: then it is the newest day before MaxDaysAhead that falls on the carrier's weekday. It
// is 0 where neither is known.
func (c Carrier) Nearest(said int, in func(year int) Day) Day {
	if c.Weekday == nil {
		if said == 0 {
			return 0
		}
		return in(said)
	}
	if said > 0 {
		if d := in(said); c.mayBegin(d) {
			return d
		}
		if d := in(said - 1); c.mayBegin(d) {
			return d
		}
		return in(said)
	}
	this := c.Today.Year()
	for year := this + 1; year >= this-maxYearsBack; year-- {
		if d := in(year); c.mayBegin(d) {
			return d
		}
	}
	return 0
}

// Moved is a day without a year, the i-th of those of a list, as a holiday moved it: then the same day of another year may
// fall on the carrier's weekday. The days beside it tell.
func (c Carrier) Moved(days []Day, i int, in func(year int) Day) Day {
	beside := slices.Concat(days[max(i-1, 0):i], days[i+1:min(i+2, len(days))])
	for year := c.Today.Year() + 1; year >= c.Today.Year()-maxYearsBack && !aWeekFromNeighbours(days[i], beside); year-- {
		if d := in(year); d != 0 && d <= c.Today+MaxDaysAhead && c.MayBegin(d) && aWeekFromNeighbours(d, beside) {
			return d
		}
	}
	return days[i]
}

// mayBegin tells whether a week that is published by now may begin on the day.
func (c Carrier) mayBegin(d Day) bool {
	return d != 0 && d <= c.Today+MaxDaysAhead && d.Weekday() == *c.Weekday
}

// IsFarAhead tells whether a day is the first one of a week that is announced long before. A year that is mistyped falls
// on another weekday.
func (c Carrier) IsFarAhead(d Day) bool {
	return d > c.Today+MaxDaysAhead && c.Weekday != nil && d.Weekday() == *c.Weekday
}

// Fits tells whether a week may begin on most of the days.
func (c Carrier) Fits(days []Day) bool {
	fit, all := 0, 0
	for _, d := range days {
		if d == 0 {
			continue
		}
		all++
		if c.MayBegin(d) {
			fit++
		}
	}
	return 2*fit > all || all == 0
}
