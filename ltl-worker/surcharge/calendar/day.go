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
	date := time.Date(year, time.Month(month), mday, 0, 0, 0, 0, time.UTC)
	if !PlausibleYear(year) || date.Day() != mday || date.Month() != time.Month(month) {
		return 0
	}
	return Day(date.Unix() / secondsPerDay)
}

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
