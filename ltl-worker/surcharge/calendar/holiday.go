package calendar

import "time"

// IsHoliday tells whether a day is a federal holiday, or the day on which one is observed that falls on a weekend (5
// U.S.C. 6103; https://www.opm.gov/policy-data-oversight/pay-leave/federal-holidays/).
func IsHoliday(d Day) bool {
	if isHoliday(d) {
		return true
	}
	return d.Weekday() == time.Friday && isHoliday(d+1) || d.Weekday() == time.Monday && isHoliday(d-1)
}

func isHoliday(d Day) bool {
	at := d.Date().Time()
	day, weekday := at.Day(), at.Weekday()
	nth := (day-1)/7 + 1 // of its weekday in the month
	switch at.Month() {
	case time.January:
		return day == 1 || weekday == time.Monday && nth == 3
	case time.February:
		return weekday == time.Monday && nth == 3
	case time.May:
		return weekday == time.Monday && day > 24
	case time.June:
		return day == 19
	case time.July:
		return day == 4
	case time.September:
		return weekday == time.Monday && nth == 1
	case time.October:
		return weekday == time.Monday && nth == 2
	case time.November:
		return day == 11 || weekday == time.Thursday && nth == 4
	case time.December:
		return day == 25
	default:
		return false
	}
}

// maxMove is how many days before the first day of a week a holiday can move it: the price of a Monday comes a day
// late.
const maxMove = 4

// MayBegin tells whether a week may begin on a day: on the carrier's weekday, or a day beside it because of a holiday.
func (c Carrier) MayBegin(d Day) bool {
	if c.Weekday == nil || d.Weekday() == *c.Weekday {
		return true
	}
	if (d-1).Weekday() != *c.Weekday && (d+1).Weekday() != *c.Weekday {
		return false
	}
	for h := d - maxMove; h <= d+1; h++ {
		if IsHoliday(h) {
			return true
		}
	}
	return false
}
