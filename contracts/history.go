package contracts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// MaxHistoryWeeks bounds the days of a [HistoryRequest] (contract §8).
const MaxHistoryWeeks = 160

// HistoryRequest asks an ltl-worker for the weeks of one carrier that touch the days From to To, both included. One
// day, such as From and To 2026-09-11, asks for the week in force that day.
type HistoryRequest struct {
	Carrier Carrier `json:"carrier"`
	From    Date    `json:"from"`
	To      Date    `json:"to"`
	// KnownAt asks for what would have been answered at that moment; nil is now. An answer for a moment that has passed
	// comes from the archive alone.
	KnownAt *time.Time `json:"known_at,omitempty"`
	// Announced asks for weeks to come too.
	Announced bool `json:"announced,omitempty"`
	// Fresh means what it means in [SurchargeRequest]. It has no effect unless the days include the current week.
	Fresh bool `json:"fresh,omitempty"`
}

// Validate returns NOT_FOUND for a carrier outside the set, and INVALID_REQUEST for days that are none, that are in the
// wrong order, or that are more than [MaxHistoryWeeks] weeks.
func (r HistoryRequest) Validate() error {
	if _, err := ParseCarrier(string(r.Carrier)); err != nil {
		return err
	}
	for _, d := range []struct {
		name string
		Date
	}{{"from", r.From}, {"to", r.To}} {
		if _, err := ParseDate(string(d.Date)); err != nil {
			return Invalid("query", d.name, "date_parsing", "this is not a date of the form YYYY-MM-DD")
		}
	}
	switch {
	case r.From > r.To:
		return Invalid("query", "from", "date_order", "from is later than to")
	case r.To.DaysSince(r.From) >= 7*MaxHistoryWeeks:
		return Invalid("query", "from", "less_than_equal", "from and to span more than %d weeks", MaxHistoryWeeks)
	}
	return nil
}

// HistoryAnswer is what an ltl-worker answers to a [HistoryRequest]: Weeks, newest first, each with its EndDate, are
// those that touch the days that were asked for. Days without a known week are missing from it; Complete is false then.
// A day without any week is no failure of the request: Weeks is empty.
type HistoryAnswer struct {
	SurchargeAnswer
	From Date `json:"from"`
	To   Date `json:"to"`
	// CurrentFrom and CurrentUntil are the first and the last day of the week that is due. Days from its first one on are
	// read at the source, whoever asks: what the archive says of them may have changed since.
	CurrentFrom  Date `json:"current_from"`
	CurrentUntil Date `json:"current_until"`
	// IncludesCurrent tells that the days reach the current week, so that the source was read as for a
	// [SurchargeRequest]: Due, DueClean and Unreadable hold. Otherwise the answer is the archive's alone.
	IncludesCurrent bool `json:"includes_current"`
	// Before is the first day of the nearest known week that ends before From; After is that of the nearest one that
	// begins after To. "" where there is none.
	Before Date `json:"before"`
	After  Date `json:"after"`
	// NotBegun is the first day of a week that touches the days and had not begun at the moment of KnownAt, which only a
	// request with Announced gets; "" for none.
	NotBegun Date `json:"not_begun,omitempty"`
}

// Body makes the HTTP body. Without a week it returns the error of [HistoryAnswer.Missing].
func (a HistoryAnswer) Body() (Surcharge, error) {
	if len(a.Weeks) == 0 {
		return Surcharge{}, a.Missing()
	}
	var body Surcharge
	if a.IncludesCurrent && a.To >= a.Due {
		body = a.body(a.Weeks, a.lowest(a.Weeks))
		if a.From <= a.CurrentUntil {
			a.addCurrent(&body.Verifiability)
		}
	} else {
		body = a.body(a.Weeks, tallyOfPast(a.Weeks))
	}
	a.noteGaps(&body.Verifiability.Verifiability, a.Weeks, a.From, a.To)
	return body, nil
}

// Alone makes the HTTP body with one of the answer's weeks alone. It names the week's document first, and no document
// of another week. ReadAt is that of the answer.
func (a HistoryAnswer) Alone(w ObservedWeek) Surcharge {
	isOther := func(e Evidence) bool {
		return slices.ContainsFunc(a.Weeks,
			func(o ObservedWeek) bool { return o.EvidenceSHA256 != nil && *o.EvidenceSHA256 == e.SHA256 })
	}
	var own, others []Evidence
	for _, e := range a.Evidence {
		switch {
		case w.EvidenceSHA256 != nil && *w.EvidenceSHA256 == e.SHA256:
			own = append(own, e)
		case a.IncludesCurrent && w.DieselUSD != nil && e.Role != RoleContext: // the price may stand there
			others = append(others, e)
		case !isOther(e):
			others = append(others, e)
		}
	}
	if a.Evidence = nil; own != nil {
		a.Evidence = slices.Concat(own, others)
	}
	return a.body([]ObservedWeek{w}, w.Tally)
}

// tallyOfPast is the lower one of the ratios of all weeks and of the newest by itself. That a week is due is no item of
// it.
func tallyOfPast(weeks []ObservedWeek) Tally {
	var whole Tally
	for _, w := range weeks {
		whole = whole.Add(w.Tally)
	}
	return whole.Lowest(weeks[0].Tally)
}

// noteGaps names the days from one to another that none of some weeks, newest first, holds.
func (a SurchargeAnswer) noteGaps(v *Verifiability, weeks []ObservedWeek, from, to Date) {
	var gaps []string
	next := from
	add := func(until Date) {
		if next <= until {
			gaps = append(gaps, fmt.Sprintf("%s to %s", next, until))
		}
	}
	for _, w := range slices.Backward(weeks) {
		add(w.EffectiveDate.AddDays(-1))
		next = max(next, cmp.Or(w.Until, w.EndDate, w.EffectiveDate).AddDays(1))
	}
	add(to)
	if len(gaps) == 0 {
		return
	}
	v.Complete = false
	v.note(NoteIncomplete,
		fmt.Sprintf("No week of %s is archived for these days: %s.", a.Carrier, strings.Join(gaps, ", ")))
}

// Missing is the error of an answer without any week: WEEK_NOT_ARCHIVED that names the nearest weeks, never their
// values.
func (a HistoryAnswer) Missing() *Error {
	days := fmt.Sprintf("the days from %s to %s", a.From, a.To)
	if a.From == a.To {
		days = string(a.From)
	}
	if a.NotBegun != "" {
		return Errorf(WeekNotArchived, "the week of %s that begins %s had not begun at known_at; with "+
			"announced=true it is answered", a.Carrier, a.NotBegun)
	}
	return Errorf(WeekNotArchived, "no week of %s is archived for %s; %s", a.Carrier, days, a.nearest())
}

func (a HistoryAnswer) nearest() string {
	switch {
	case a.Before == "" && a.After == "":
		return "no other week of it is known"
	case a.Before == "":
		return fmt.Sprintf("the nearest week begins %s", a.After)
	case a.After == "":
		return fmt.Sprintf("the nearest week begins %s", a.Before)
	}
	return fmt.Sprintf("the nearest weeks begin %s and %s", a.Before, a.After)
}
