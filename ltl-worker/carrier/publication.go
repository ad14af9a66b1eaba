package carrier

import (
	"time"
	_ "time/tzdata" // images without time zones

	"assay.dev/contracts"
)

// NewYork is where the carriers' days begin: every carrier dates its weeks in the United States, and the national diesel
// price they follow is published on Eastern time.
var NewYork = mustLoad("America/New_York")

func mustLoad(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // the zones are part of the binary
	}
	return zone
}

// Today is the carriers' civil date at t.
func Today(t time.Time) contracts.Date { return contracts.DateOf(t.In(NewYork)) }

// Publication is when a carrier posts a week, and when that week begins.
type Publication struct {
	// Day and Hour, in New York, by which the week is posted.
	Day  time.Weekday
	Hour int
	// Effective is the weekday on which a posted week begins: the first one that is not before Day.
	Effective time.Weekday
}

// Last is the newest moment of publication at or before t.
func (p Publication) Last(t time.Time) time.Time {
	at := p.on(t.In(NewYork), 0)
	if at.After(t) {
		return p.on(t.In(NewYork), -7)
	}
	return at
}

// Next is the first moment of publication after t.
func (p Publication) Next(t time.Time) time.Time {
	return p.on(p.Last(t), 7)
}

// on is the moment of publication in the seven days that end with t's day, moved by some days.
func (p Publication) on(t time.Time, days int) time.Time {
	back := (int(t.Weekday()) - int(p.Day) + 7) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-back+days, p.Hour, 0, 0, 0, NewYork)
}

// Due is the first day of the newest week that should be posted at t.
func (p Publication) Due(t time.Time) contracts.Date {
	ahead := (int(p.Effective) - int(p.Day) + 7) % 7
	return contracts.DateOf(p.Last(t)).AddDays(ahead)
}

// How often a week that is late is looked for: after half the time that it is late by, within these bounds.
const (
	soonestRetry = 15 * time.Minute
	latestRetry  = 6 * time.Hour
)

// Expires is when weeks that were read at a moment must no longer be served: at the carrier's next publication, at the
// beginning of a week that is posted ahead, or after [contracts.SurchargeTTL], whichever comes first. When the week that
// is due was not there yet, it is sooner.
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
