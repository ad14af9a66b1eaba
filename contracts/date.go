package contracts

import (
	"encoding/json"
	"fmt"
	"time"
	_ "time/tzdata" // container images have no time zones
)

// NewYork is the time zone in which the carriers' days begin. Every carrier dates its weeks in the United States, and
// follows the national diesel price, which is published on Eastern time.
var NewYork = mustLoadZone("America/New_York")

func mustLoadZone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // cannot happen: the zones are part of the binary
	}
	return zone
}

// Today is the date in New York at t.
func Today(t time.Time) Date { return DateOf(t.In(NewYork)) }

// Date is a civil date in the form YYYY-MM-DD. Dates of that form compare with <. The empty Date means unknown and is
// null in JSON.
type Date string

// DateOf is the civil date of t in t's own location.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return Date(t.Format(time.DateOnly))
	}
	digit := func(n int) byte { return '0' + byte(n%10) }
	return Date([]byte{ // as [time.Time.Format], in a fraction of the time
		digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), '-', digit(int(month) / 10),
		digit(int(month)), '-',
		digit(day / 10), digit(day),
	})
}

// ParseDate accepts YYYY-MM-DD only.
func ParseDate(s string) (Date, error) {
	if _, ok := midnightOf(s); !ok {
		return "", fmt.Errorf("date %q: want YYYY-MM-DD", s)
	}
	return Date(s), nil
}

// Time is midnight UTC of d; the zero time for the empty Date.
func (d Date) Time() time.Time {
	t, _ := midnightOf(string(d))
	return t
}

// Format is the date in a layout of package time; empty for the empty Date.
func (d Date) Format(layout string) string {
	if d == "" {
		return ""
	}
	return d.Time().Format(layout)
}

// midnightOf reads a date as [time.Parse] does, in a fraction of the time: the reading of a page handles thousands of
// dates. ok is false for what is no day of the calendar, such as 2026-02-30.
func midnightOf(s string) (t time.Time, ok bool) {
	if !isDateForm(s) {
		return t, false
	}
	number := func(digits string) (n int) {
		for i := range len(digits) {
			n = 10*n + int(digits[i]-'0')
		}
		return n
	}
	month, day := time.Month(number(s[5:7])), number(s[8:])
	at := time.Date(number(s[:4]), month, day, 0, 0, 0, 0, time.UTC)
	if at.Month() != month || at.Day() != day {
		return t, false
	}
	return at, true
}

// End is the last second of d in New York.
func (d Date) End() time.Time {
	t := d.Time()
	return time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, NewYork).Add(-time.Second)
}

// AddDays is the date n days after d; n may be negative.
func (d Date) AddDays(n int) Date { return DateOf(d.Time().AddDate(0, 0, n)) }

// DaysSince counts the days from earlier to d.
func (d Date) DaysSince(earlier Date) int { return int(d.Time().Sub(earlier.Time()).Hours() / 24) }

// MarshalJSON writes the empty Date as null.
func (d Date) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	if !isDateForm(string(d)) {
		return json.Marshal(string(d)) // escaped, whatever it is
	}
	return []byte(`"` + string(d) + `"`), nil
}

// UnmarshalJSON accepts null and YYYY-MM-DD. Answers hold hundreds of dates: the usual form is read without
// encoding/json.
func (d *Date) UnmarshalJSON(data []byte) error {
	if string(data) == "null" || string(data) == `""` {
		*d = ""
		return nil
	}
	var s string
	if n := len(data) - 1; n == len(time.DateOnly)+1 && data[0] == '"' && data[n] == '"' && isDateForm(string(data[1:n])) {
		s = string(data[1:n])
	} else if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	parsed, err := ParseDate(s)
	*d = parsed
	return err
}

// isDateForm tells whether s has the form of a date; it may name no day of the calendar.
func isDateForm(s string) bool {
	if len(s) != len(time.DateOnly) {
		return false
	}
	for i := range len(s) {
		if isDash := i == 4 || i == 7; isDash != (s[i] == '-') || !isDash && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}
