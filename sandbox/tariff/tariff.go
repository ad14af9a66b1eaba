// Package tariff is what each carrier charges for each week: its bands of diesel prices, when a rate takes effect, when
// the carrier's site shows it, and how many weeks it shows.
package tariff

import (
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/diesel"
)

// Percent is in hundredths of a percent: 4632 is 46.32 %.
type Percent int

// Float is the percent as a number: 46.32.
func (p Percent) Float() float64 { return float64(p) / 100 }

// String has two decimals and no sign: "46.32".
func (p Percent) String() string { return fmt.Sprintf("%d.%02d", p/100, p%100) }

// Short drops zeros at the end: "50" for 50.00, "46.3" for 46.30.
func (p Percent) Short() string { return fmt.Sprint(p.Float()) }

// Week is a row of a carrier's history.
type Week struct {
	Effective contracts.Date
	Diesel    diesel.Week
	LTL       Percent
	Truckload Percent
	Band      Band
}

// Band is a row of a carrier's table of prices: at least From, less than To.
type Band struct {
	From, To  diesel.Price
	LTL       Percent
	Truckload Percent
}

// Tariff is one carrier's rule.
type Tariff struct {
	// Lag counts the days from the EIA's Monday to the first day of the rate.
	Lag int
	// Posted is when the site shows the rate, by the Eastern clock, after that Monday began.
	Posted time.Duration
	// Shown is how many weeks in force or past the site shows; 0 means all since 2022.
	Shown int
	// PrintsDiesel tells whether the price stands beside the rate.
	PrintsDiesel bool
	// PrintsTruckload tells whether the percent for truckloads stands beside the rate.
	PrintsTruckload bool

	band func(diesel.Price) Band
}

const day = 24 * time.Hour

// All is the literal table. Percentages at 5.599 are those of 2026-09-08; bands of all but ODFL are invented.
func All() (map[contracts.Carrier]Tariff, error) {
	odfl, err := oldDominion()
	if err != nil {
		return nil, err
	}
	tuesday, wednesday := diesel.PublishedAfter, 2*day
	all := map[contracts.Carrier]Tariff{
		contracts.ODFL:    {9, 7*day + 10*time.Hour, 60, true, true, odfl},
		contracts.SAIA:    {2, tuesday, 0, true, true, linear{from: 5550, width: 50, ltl: 5012, step: 50}.band},
		contracts.ESTES:   {2, tuesday, 52, true, true, linear{from: 5575, width: 25, ltl: 5000, step: 25}.band},
		contracts.ABF:     {2, tuesday, 30, false, true, linear{from: 5560, width: 40, ltl: 5000, step: 40}.band},
		contracts.RLC:     {2, tuesday, 40, true, true, linear{from: 5590, width: 30, ltl: 4730, step: 30}.band},
		contracts.TFORCE:  {2, wednesday, 1, false, false, linear{from: 5500, width: 100, ltl: 5110, step: 100}.band},
		contracts.XPO:     {7, tuesday, 52, true, true, linear{from: 5580, width: 20, ltl: 4975, step: 20}.band},
		contracts.SEFL:    {2, tuesday, 30, true, true, linear{from: 5570, width: 30, ltl: 4463, step: 27}.band},
		contracts.AVERITT: {2, tuesday, 26, true, false, linear{from: 5550, width: 50, ltl: 4800, step: 40}.band},
		contracts.FEDEX:   {2, tuesday, 53, true, true, linear{from: 5580, width: 40, ltl: 4890, step: 35}.band},
	}
	for _, c := range contracts.Carriers {
		if _, ok := all[c]; !ok {
			return nil, fmt.Errorf("tariff: All has no line for %s", c)
		}
	}
	return all, nil
}

// linear has bands of equal width; ltl applies to the band that begins at from, each band up adds step.
type linear struct {
	from, width diesel.Price
	ltl, step   Percent
}

func (l linear) band(p diesel.Price) Band {
	n := floorDiv(int(p-l.from), int(l.width))
	ltl := l.ltl + Percent(n)*l.step
	from := l.from + diesel.Price(n)*l.width
	return Band{from, from + l.width, ltl, 2 * ltl}
}

func floorDiv(a, b int) int {
	if a < 0 {
		a -= b - 1
	}
	return a / b
}

// Band is the band that p falls in.
func (t Tariff) Band(p diesel.Price) Band { return t.band(p) }

// Bands lists the bands from one price to another, as a site prints them beside its history.
func (t Tariff) Bands(from, to diesel.Price) []Band {
	var bands []Band
	for p := from; p < to; p = bands[len(bands)-1].To {
		bands = append(bands, t.band(p))
	}
	return bands
}

// Weeks lists what the site shows at now, newest first: the weeks to come that are posted already, then those in force
// or past. With early it shows the week of that Monday's price before its time.
func (t Tariff) Weeks(prices *diesel.Series, now time.Time, early contracts.Date) []Week {
	posted := prices.Until(func(monday contracts.Date) bool { return !now.Before(prices.At(monday, t.Posted)) }, now,
		-1)
	if price, ok := prices.Price(early); ok && (len(posted) == 0 || early > posted[0].Monday) {
		posted = slices.Insert(posted, 0, diesel.Week{Monday: early, Price: price})
	}
	today := prices.Today(now)
	var weeks []Week
	started := 0
	for _, d := range posted {
		w := t.week(d)
		if w.Effective <= today {
			started++
		}
		if t.Shown > 0 && started > t.Shown {
			break
		}
		weeks = append(weeks, w)
	}
	return weeks
}

// Posted is a week with when the site first showed it.
type Posted struct {
	Week
	At time.Time
}

// PostedWeeks lists the newest n weeks that had been posted at now, newest first, whether the site still shows them or
// not.
func (t Tariff) PostedWeeks(prices *diesel.Series, now time.Time, n int) []Posted {
	at := func(monday contracts.Date) time.Time { return prices.At(monday, t.Posted) }
	var weeks []Posted
	for _, d := range prices.Until(func(monday contracts.Date) bool { return !now.Before(at(monday)) }, now, n) {
		weeks = append(weeks, Posted{t.week(d), at(d.Monday)})
	}
	return weeks
}

func (t Tariff) week(d diesel.Week) Week {
	band := t.band(d.Price)
	return Week{Effective: d.Monday.AddDays(t.Lag), Diesel: d, LTL: band.LTL, Truckload: band.Truckload, Band: band}
}
