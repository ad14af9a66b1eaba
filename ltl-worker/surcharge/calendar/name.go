package calendar

import (
	"strings"
	"time"
)

var (
	months   = named(time.January, time.December, map[string]time.Month{"sept": time.September})
	weekdays = named(time.Sunday, time.Saturday, map[string]time.Weekday{
		"tues": time.Tuesday, "thur": time.Thursday, "thurs": time.Thursday,
	})
)

// named adds the English names, in small letters, and their first three letters to what else is written for them.
func named[T interface {
	~int
	String() string
}](first, last T, names map[string]T,
) map[string]T {
	for t := first; t <= last; t++ {
		name := strings.ToLower(t.String())
		names[name], names[name[:3]] = t, t
	}
	return names
}

// Month is the month that a word in lower case names, such as "september", "sep" or "sept". It is 0 for other words.
func Month(word string) time.Month { return months[word] }

// Weekday is the weekday that a word in lower case names, such as "wednesday" or "wed".
func Weekday(word string) (day time.Weekday, ok bool) {
	day, ok = weekdays[word]
	return day, ok
}
