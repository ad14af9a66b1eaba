// Package diesel holds the weekly price of diesel, from which the carriers' surcharges follow. Until 2026-09-21 the
// prices are those that the EIA published. The later ones are invented.
package diesel

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the publication hour is Eastern, and an image need not hold time zones

	"assay.dev/contracts"
)

// Price is a price in thousandths of a dollar per gallon, such as 3750 for $3.75. It is exact, which a float is not.
type Price int

// ParsePrice reads dollars with up to three decimals.
func ParsePrice(s string) (Price, error) {
	dollars, err := strconv.ParseFloat(s, 64)
	if err != nil || dollars <= 0 || dollars > 100 {
		return 0, fmt.Errorf("price %q: want dollars per gallon", s)
	}
	return Price(dollars*1000 + 0.5), nil
}

// USD returns the price in dollars.
func (p Price) USD() float64 { return float64(p) / 1000 }

// String returns the price in dollars with three decimals, as the EIA prints it, such as "3.750".
func (p Price) String() string { return fmt.Sprintf("%d.%03d", p/1000, p%1000) }

// Week is the price of one Monday.
type Week struct {
	Monday contracts.Date
	Price  Price
}

// Series is the price of every Monday from 2022-01-03 on.
type Series struct {
	recorded []Week
	eastern  *time.Location
}

//go:embed eia.csv
var eia string

// Load reads the recorded weeks, which are compiled into the program. An error means that the program is wrong.
func Load() (*Series, error) {
	r := csv.NewReader(strings.NewReader(eia))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("recorded diesel prices: %w", err)
	}
	s := &Series{recorded: make([]Week, 0, len(rows))}
	for _, row := range rows[1:] {
		price, err := ParsePrice(row[1])
		if err != nil {
			return nil, fmt.Errorf("recorded diesel prices: %w", err)
		}
		s.recorded = append(s.recorded, Week{contracts.Date(row[0]), price})
	}
	s.eastern, err = time.LoadLocation("America/New_York")
	return s, err
}

// Price returns the price of a Monday, and false for a day before the series and for another day of the week. After the
// last recorded Monday the recorded prices follow in reverse order: n weeks after it costs what n weeks before it did.
// After their first one they follow in order again.
func (s *Series) Price(monday contracts.Date) (Price, bool) {
	days := monday.DaysSince(s.recorded[0].Monday)
	if days < 0 || days%7 != 0 {
		return 0, false
	}
	last := len(s.recorded) - 1
	n := days / 7 % (2 * last)
	if n > last {
		n = 2*last - n
	}
	return s.recorded[n].Price, true
}

// Published lists the weeks whose price is out at now, newest first, at most n of them; n < 0 means all.
func (s *Series) Published(now time.Time, n int) []Week {
	return s.Until(func(monday contracts.Date) bool { return !now.Before(s.At(monday, PublishedAfter)) }, now, n)
}

// PublishedAfter is the time from the beginning of a Monday to the publication of its price: Tuesday, 10:00 Eastern.
const PublishedAfter = 34 * time.Hour

// Until lists the weeks, newest first, for which out holds, from the Monday of now's week on.
func (s *Series) Until(out func(monday contracts.Date) bool, now time.Time, n int) []Week {
	var weeks []Week
	today := s.Today(now)
	monday := today.AddDays(-(int(today.Time().Weekday()) + 6) % 7)
	for n < 0 || len(weeks) < n {
		price, ok := s.Price(monday)
		if !ok {
			return weeks
		}
		if out(monday) {
			weeks = append(weeks, Week{monday, price})
		}
		monday = monday.AddDays(-7)
	}
	return weeks
}

// At returns the time at which the Eastern clock is that many hours after the beginning of the Monday.
func (s *Series) At(monday contracts.Date, after time.Duration) time.Time {
	t := monday.Time()
	return time.Date(t.Year(), t.Month(), t.Day(), int(after/time.Hour), 0, 0, 0, s.eastern)
}

// Today returns the date in Eastern time at now.
func (s *Series) Today(now time.Time) contracts.Date { return contracts.DateOf(now.In(s.eastern)) }
