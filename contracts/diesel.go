package contracts

import (
	"fmt"
	"slices"
	"time"
)

// DieselWeek is the national price of diesel of one week, as its publisher has it.
type DieselWeek struct {
	// Date is the Monday that the price is of. The price is published on the day after.
	Date Date `json:"date" jsonschema:"The Monday that the price is of."`
	// USD is the price in US dollars a gallon.
	USD float64 `json:"usd_per_gallon" jsonschema:"The national price in USD a gallon."`
	// FirstSeen is when this price was first seen, UTC to the second; nil where that is not known.
	FirstSeen *time.Time `json:"first_seen" jsonschema:"When this price was first seen here, UTC; null where that is not known."`
}

// DieselRequest asks an ltl-worker for the prices of the weeks whose Mondays are From to To, both included.
type DieselRequest struct {
	From Date `json:"from"`
	To   Date `json:"to"`
	// Fresh asks for a new reading of the source although a stored answer may be servable.
	Fresh bool `json:"fresh,omitempty"`
}

// Validate refuses the same days as [HistoryRequest.Validate], with INVALID_REQUEST.
func (r DieselRequest) Validate() error {
	return HistoryRequest{Carrier: Carriers[0], From: r.From, To: r.To}.Validate()
}

// DieselAnswer is what an ltl-worker answers to a [DieselRequest]. Its tally counts the weeks of the reading.
type DieselAnswer struct {
	Provenance
	Tally
	// Weeks are newest first.
	Weeks []DieselWeek `json:"weeks"`
	// Due is the Monday of the newest week that should be published by now.
	Due Date `json:"due"`
}

// Between is the answer with the weeks of the request alone. It says which of them are missing.
func (a DieselAnswer) Between(r DieselRequest) DieselAnswer {
	weeks := make([]DieselWeek, 0, len(a.Weeks))
	for _, w := range a.Weeks {
		if r.From <= w.Date && w.Date <= r.To {
			weeks = append(weeks, w)
		}
	}
	a.Weeks, a.Notes = weeks, slices.Clone(a.Notes)
	if missing := a.missing(r); missing > 0 {
		a.Complete = false
		a.Notes = append(a.Notes, Note{Code: NoteIncomplete, Message: fmt.Sprintf(
			"%d of the weeks from %s to %s are not known; no price stands in their place.", missing, r.From, r.To)})
	}
	if newest := a.Due; r.From <= newest && newest <= r.To && (len(weeks) == 0 || weeks[0].Date < newest) {
		a.Notes = append(a.Notes, Note{Code: NoteWeekOverdue, Message: fmt.Sprintf(
			"The price of %s is due, and it is not shown yet.", newest)})
	}
	return a
}

// missing counts the Mondays of the request, up to the newest that is due, that have no week.
func (a DieselAnswer) missing(r DieselRequest) int {
	monday := r.From.AddDays((8 - int(r.From.Time().Weekday())) % 7)
	count := 0
	for ; monday <= min(r.To, a.Due); monday = monday.AddDays(7) {
		if !slices.ContainsFunc(a.Weeks, func(w DieselWeek) bool { return w.Date == monday }) {
			count++
		}
	}
	return count
}

// Diesel is the HTTP body of the diesel prices (contract §4.10).
type Diesel struct {
	Weeks         []DieselWeek  `json:"weeks" jsonschema:"Newest first. A week that is not known is missing, and complete is false."`
	Verifiability Verifiability `json:"_verifiability"`
}

// Body is the HTTP body.
func (a DieselAnswer) Body() Diesel {
	return Diesel{Weeks: append([]DieselWeek{}, a.Weeks...), Verifiability: a.Verifiability(a.Tally, SurchargeTTL)}
}
