// Package calendar counts days, and tells whether a list of days looks like the weeks of a carrier.
package calendar

import (
	"time"

	"assay.dev/contracts"
)

// Day is the number of days from 1970-01-01 to a date. The zero value means that there is no date: no carrier
// published a surcharge in 1970.
type Day int

const secondsPerDay = 24 * 60 * 60

// Of is the day of a date.
func Of(d contracts.Date) Day { return Day(d.Time().Unix() / secondsPerDay) }

// On is the day with this year, month and day of the month. It is 0 when the calendar has no such day, such as
// February 30, or when the year is not plausible.
func On(year, month, mday int) Day {
	if !PlausibleYear(year) || month < 1 || month > 12 || mday < 1 {
		return 0
	}
	day, next := daysBefore[month-1], daysBefore[month]
	if year%4 == 0 { // as are all leap years that are plausible, and no others
		if month > 2 {
			day++
		}
		if month >= 2 {
			next++
		}
	}
	if day+mday > next {
		return 0
	}
	return Day(365*(year-1970) + (year-1969)/4 + day + mday - 1)
}

// daysBefore are the days of a year before each month.
var daysBefore = [...]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// PlausibleYear tells whether a number of four digits can be the year of a surcharge.
func PlausibleYear(year int) bool { return year >= 1990 && year <= 2099 }

// Date is the day as the contract writes it.
func (d Day) Date() contracts.Date {
	return contracts.DateOf(time.Unix(int64(d)*secondsPerDay, 0).UTC())
}

// Year is the year of the day.
func (d Day) Year() int { return time.Unix(int64(d)*secondsPerDay, 0).UTC().Year() }

// Weekday is the weekday of the day.
func (d Day) Weekday() time.Weekday { return time.Weekday((int(d) + 4) % 7) } // 1970-01-01 was a Thursday
