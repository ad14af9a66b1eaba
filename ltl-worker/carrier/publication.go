package carrier

import (
	"time"

	"assay.dev/contracts"
)

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
	at := p.publicationIn(t.In(contracts.NewYork), 0)
	if at.After(t) {
		return p.publicationIn(t.In(contracts.NewYork), -7)
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
	return time.Date(t.Year(), t.Month(), t.Day()-back+days, p.Hour, 0, 0, 0, contracts.NewYork)
}

// Posted is the first day of the newest week that should be posted at t. It may lie ahead.
func (p Publication) Posted(t time.Time) contracts.Date {
	ahead := (int(p.Effective) - int(p.Day) + 7) % 7
	return contracts.DateOf(p.Last(t)).AddDays(ahead)
}

// Due is the first day of the newest week of the carrier's calendar that has begun at t.
func (p Publication) Due(t time.Time) contracts.Date {
	today := contracts.Today(t)
	return today.AddDays(-((int(today.Time().Weekday()) - int(p.Effective) + 7) % 7))
}

// The limits of the time for which the week that is due may be missing (truth of contract §4.2).
const (
	cleanFor = 24 * time.Hour
	// failsAfterDays is after how many days the page counts as one that is no longer kept.
	failsAfterDays = 14
)

// Missing is the first day of the oldest week that is missing when the newest week that is shown begins on newest. A
// holiday may have moved that by a day.
func (p Publication) Missing(newest contracts.Date) contracts.Date {
	next := newest.AddDays(4)
	return next.AddDays((int(p.Effective) - int(next.Time().Weekday()) + 7) % 7)
}

// MaxWeekDays are those of the longest week. Two starts that are 8 days apart are not on the same weekday: one was moved.
const MaxWeekDays = 8

// LastDay is that of a week that begins on first, when the next known week begins on next: the day before it. A week
// has at most 7 days, and 8 where a holiday moved one of both starts. Where next is later, or "", the week ends before
// the carrier's calendar has the next one.
func (p Publication) LastDay(first, next contracts.Date) contracts.Date {
	if next != "" && next.DaysSince(first) <= MaxWeekDays {
		return next.AddDays(-1)
	}
	return p.Missing(first).AddDays(-1)
}

// CleanUntil is the moment from which it counts that no week newer than newest is shown: 24 hours after the later of
// the missing week's first day and its posting hour.
func (p Publication) CleanUntil(newest contracts.Date) time.Time {
	first := p.Missing(newest)
	begins := midnight(first)
	ahead := (int(p.Effective) - int(p.Day) + 7) % 7
	posted := midnight(first.AddDays(-ahead)).Add(time.Duration(p.Hour) * time.Hour)
	if posted.After(begins) {
		begins = posted
	}
	return begins.Add(cleanFor)
}

// Abandoned tells whether a page whose newest week begins on newest has not been kept for so long that it counts as
// another page.
func (p Publication) Abandoned(newest, today contracts.Date) bool {
	return today.DaysSince(p.Missing(newest)) >= failsAfterDays
}

// Retry is after how long a week that is late at t is looked for again: half the time that it is late by, within
// bounds. A week that is four hours late is looked for after two hours.
func (p Publication) Retry(t time.Time) time.Duration {
	const soonest, latest = 15 * time.Minute, 6 * time.Hour
	return min(max(t.Sub(p.Last(t))/2, soonest), latest)
}

// Expires is the moment from which weeks that were read at a moment must no longer be served. It is the earliest of the
// carrier's next publication, the first day of a week that is posted ahead, and [contracts.SurchargeTTL] after the
// read. When the week that is due was not shown, it is earlier: the week may come at any time. It is never later than
// the moment at which another week is due, or from which it counts that the due one is missing.
func (p Publication) Expires(read time.Time, weeks []contracts.ObservedWeek) time.Time {
	end := earliest(read.Add(contracts.SurchargeTTL), p.Next(read))
	newest, today := contracts.Date(""), contracts.Today(read)
	for _, w := range weeks {
		newest = max(newest, w.EffectiveDate)
		if w.EffectiveDate > today {
			end = earliest(end, midnight(w.EffectiveDate))
		}
	}
	if newest != "" {
		for _, change := range []time.Time{midnight(p.Missing(inForce(weeks, read))), p.CleanUntil(inForce(weeks, read))} {
			if change.After(read) {
				end = earliest(end, change)
			}
		}
	}
	if newest == "" || p.Missing(newest) <= p.Posted(read) {
		end = earliest(end, read.Add(p.Retry(read)))
	}
	return end.UTC()
}

// inForce is the first day of the newest week that has begun; without one, of the oldest that is to come.
func inForce(weeks []contracts.ObservedWeek, at time.Time) contracts.Date {
	today := contracts.Today(at)
	var begun, coming contracts.Date
	for _, w := range weeks {
		switch d := w.EffectiveDate; {
		case d <= today:
			begun = max(begun, d)
		case coming == "" || d < coming:
			coming = d
		}
	}
	if begun == "" {
		return coming
	}
	return begun
}

// midnight is the moment at which the date begins in New York.
func midnight(d contracts.Date) time.Time {
	t := d.Time()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, contracts.NewYork)
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
