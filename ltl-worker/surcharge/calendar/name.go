package calendar

import "time"

var months = [...]string{
	"january", "february", "march", "april", "may", "june",
	"july", "august", "september", "october", "november", "december",
}

// Month is the month that a word in lower case names, such as "september", "sep" or "sept". It is 0 for other words.
func Month(word string) time.Month {
	if len(word) < 3 {
		return 0
	}
	for m := time.January; m <= time.December; m++ {
		name := months[m-1]
		if word == name || word == name[:3] || (word == "sept" && m == time.September) {
			return m
		}
	}
	return 0
}

var weekdays = map[string]time.Weekday{
	"sunday": time.Sunday, "sun": time.Sunday,
	"monday": time.Monday, "mon": time.Monday,
	"tuesday": time.Tuesday, "tue": time.Tuesday, "tues": time.Tuesday,
	"wednesday": time.Wednesday, "wed": time.Wednesday,
	"thursday": time.Thursday, "thu": time.Thursday, "thur": time.Thursday, "thurs": time.Thursday,
	"friday": time.Friday, "fri": time.Friday,
	"saturday": time.Saturday, "sat": time.Saturday,
}

// Weekday is the weekday that a word in lower case names, such as "wednesday" or "wed".
func Weekday(word string) (day time.Weekday, ok bool) {
	day, ok = weekdays[word]
	return day, ok
}
