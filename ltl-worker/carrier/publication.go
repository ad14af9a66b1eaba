package carrier

import (
	"time"
	_ "time/tzdata" // container images have no time zones

	"assay.dev/contracts"
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
func Today(t time.Time) contracts.Date { return contracts.DateOf(t.In(NewYork)) }

// Publication is when a carrier posts a week, and when that week begins.
type Publication struct {
	// Day and Hour are when the week is posted, at the latest, in New York.
	Day  time.Weekday
	Hour int
	// Effective is the weekday on which a posted week begins: the first such weekday on or after Day.
	Effective time.Weekday
}

// Last is the latest moment of publication at or before t.
func (p Publication) Last(t time.Time) time.Time {
	at := p.publicationIn(t.In(NewYork), 0)
	if at.After(t) {
		return p.publicationIn(t.In(NewYork), -7)
	}
	return at
}

// Next is the first moment of publication after t.
func (p Publication) Next(t time.Time) time.Time {
	return p.publicationIn(p.Last(t), 7)
}

// publicationIn is the moment of publication in the seven days that end with the day of t, moved by a number of days.
func (p Publication) publicationIn(t time.Time, days int) time.Time {
	back := (int(t.Weekday()) - int(p.Day) + 7) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-back+days, p.Hour, 0, 0, 0, NewYork)
}

// Due is the first day of the newest week that should be posted at t.
func (p Publication) Due(t time.Time) contracts.Date {
	ahead := (int(p.Effective) - int(p.Day) + 7) % 7
	return contracts.DateOf(p.Last(t)).AddDays(ahead)
}

// The bounds of the time after which a late week is looked for again. Between them it is half the time that the week
// is late by: a week that is four hours late is looked for after two hours.
const (
	soonestRetry = 15 * time.Minute
	latestRetry  = 6 * time.Hour
)

// Expires is the moment from which weeks that were read at a moment must no longer be served. It is the earliest of
// the carrier's next publication, the first day of a week that is posted ahead, and [contracts.SurchargeTTL] after
// the read. When the week that is due was not shown, it is earlier: the week may come at any time.
func (p Publication) Expires(read time.Time, weeks []contracts.ObservedWeek) time.Time {
	end := earliest(read.Add(contracts.SurchargeTTL), p.Next(read))
	newest := contracts.Date("")
	for _, w := range weeks {
		newest = max(newest, w.EffectiveDate)
		if begins := midnight(w.EffectiveDate); begins.After(read) {
			end = earliest(end, begins)
		}
	}
	if newest < p.Due(read) {
		late := read.Sub(p.Last(read))
		end = earliest(end, read.Add(min(max(late/2, soonestRetry), latestRetry)))
	}
	return end.UTC()
}

// midnight is the moment at which the date begins in New York.
func midnight(d contracts.Date) time.Time {
	t := d.Time()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, NewYork)
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
