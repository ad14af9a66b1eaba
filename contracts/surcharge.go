package contracts

import (
	"fmt"
	"slices"
	"time"
)

// The bounds of the weeks parameter (contract §8) and its default.
const (
	MinWeeks     = 1
	MaxWeeks     = 26
	DefaultWeeks = 4
)

// SurchargeRequest asks an ltl-worker for all weeks it can prove of one carrier.
type SurchargeRequest struct {
	Carrier Carrier `json:"carrier"`
	// Fresh asks for a new reading of the source although a stored answer may be servable.
	Fresh bool `json:"fresh,omitempty"`
}

// Validate returns NOT_FOUND for a carrier outside the set.
func (r SurchargeRequest) Validate() error {
	_, err := ParseCarrier(string(r.Carrier))
	return err
}

// SurchargeWeek is one week entry of the contract, §2.2.
type SurchargeWeek struct {
	// EffectiveDate is the first day the rate applies, EndDate the last one; EndDate is "" only while no later week is
	// known.
	EffectiveDate Date `json:"effective_date" jsonschema:"The first day the rate applies."`
	EndDate       Date `json:"end_date" jsonschema:"The last day the rate applies; null only while no later week is known."`
	// Percent is the LTL fuel surcharge; 46.32 means 46.32 %.
	Percent float64 `json:"fuel_surcharge_pct" jsonschema:"LTL fuel surcharge in percent: 46.32 is 46.32 %."`
	// DieselUSD is the price per gallon that the carrier prints beside the rate; nil where it prints none.
	DieselUSD *float64 `json:"doe_diesel_price_usd" jsonschema:"National diesel price in USD a gallon that the carrier prints beside the rate; null where it prints none."`
	// TruckloadPercent is the percent for truckloads that the carrier prints beside the rate; nil where it is not
	// plain.
	TruckloadPercent *float64 `json:"truckload_pct" jsonschema:"The carrier's percent for truckloads of the same week; null where it is not plain."`
	// FirstSeen is when the week was first seen, whatever its value; Revised is when the percent that stands here
	// was first seen, nil when it never changed. Both are UTC, to the second, and nil where that is not known.
	FirstSeen *time.Time `json:"first_seen" jsonschema:"When we first saw the week, UTC; null where that is not known."`
	Revised   *time.Time `json:"revised" jsonschema:"When we first saw the percent that stands here, UTC, if the carrier had another one; else null."`
	// Announced tells that the week had not begun when the answer was made.
	Announced bool `json:"announced" jsonschema:"Whether the week had not begun yet."`
	// EvidenceSHA256 is the hash, in lower-case hex, of the document in which the value was seen; nil where it is not
	// kept.
	EvidenceSHA256 *string `json:"evidence_sha256" jsonschema:"The SHA-256, in lower-case hex, of the document in which the value was seen; null where it is not kept."`
}

// ObservedWeek is a week as a worker read it. Its tally has two items: the date and the percent.
type ObservedWeek struct {
	SurchargeWeek
	Tally
	// Until is the last day for which the week can be taken: EndDate, or without one the last day that it can have by
	// the carrier's calendar. It is set in a [HistoryAnswer] only.
	Until Date `json:"until,omitempty"`
	// LastSeenURL is where the value was last seen; empty where that is the answer's own evidence. It is set in a
	// [HistoryAnswer] only.
	LastSeenURL string `json:"last_seen_url,omitempty"`
	// Archived is set for a week that the carrier no longer shows: it comes from our archive.
	Archived *Sighting `json:"archived,omitempty"`
}

// Sighting is a reading of a source in which a value was seen.
type Sighting struct {
	At          time.Time `json:"at"`
	EvidenceURL string    `json:"evidence_url"`
	// Imported is what an operator said of where the value is from, for a value that was not seen but imported.
	Imported string `json:"imported,omitempty"`
}

// SurchargeAnswer is what an ltl-worker answers and what the cache holds: every week in force or past that is known of
// one carrier, newest first, at most [MaxWeeks].
type SurchargeAnswer struct {
	Provenance
	Carrier Carrier        `json:"carrier"`
	Weeks   []ObservedWeek `json:"weeks"`
	// Due is the first day of the week that the carrier should show by now, by its own calendar.
	Due Date `json:"due"`
	// DueClean is false once that week is missing for longer than a day.
	DueClean bool `json:"due_clean"`
	// Unreadable is the first day of a week in force that is newer than Weeks[0] and whose percent cannot be read;
	// empty when there is none. It is not listed in Weeks.
	Unreadable Date `json:"unreadable"`
	// ShownFrom is the first day of the oldest week that the source showed.
	ShownFrom Date `json:"shown_from"`
	// PrintsDiesel tells whether the carrier prints a diesel price by any of its paths.
	PrintsDiesel bool `json:"prints_diesel"`
}

// SurchargeRevision reports that a carrier shows another value for a week that is already known, or withdrew it. It is
// the body of [EventRevision].
type SurchargeRevision struct {
	Environment Environment   `json:"environment"`
	Carrier     Carrier       `json:"carrier"`
	Was         SurchargeWeek `json:"was"`
	Is          SurchargeWeek `json:"is"`
	// Withdrawn tells that the carrier no longer shows the week; Is is Was then.
	Withdrawn bool      `json:"withdrawn,omitempty"`
	SeenAt    time.Time `json:"seen_at"`
	// Path is the path of the source that showed it.
	Path        string `json:"path"`
	EvidenceURL string `json:"evidence_url"`
}

// SurchargeVerifiability is the _verifiability block of a fuel surcharge answer.
type SurchargeVerifiability struct {
	Verifiability
	// Current tells whether the newest week is the one that is due; nil where the current week was not asked for, or is
	// shown and weeks to come stand before it.
	Current *bool `json:"current" jsonschema:"Whether the newest week is the one that is due: only then is it the current rate; null where that one was not asked for, or is shown below weeks to come."`
}

// Surcharge is the HTTP body for one carrier (contract §4.2).
type Surcharge struct {
	Carrier       Carrier                `json:"carrier"`
	Weeks         []SurchargeWeek        `json:"weeks" jsonschema:"Newest first; only weeks in force or past, and with 'announced' those to come. Fewer than asked for when fewer are known."`
	Verifiability SurchargeVerifiability `json:"_verifiability"`
}

// Body is the HTTP body with the newest weeks, at most n of them. Its confidence counts just those. It names the days
// between them that none of them holds.
func (a SurchargeAnswer) Body(n int) Surcharge {
	shown := a.Weeks[:min(n, len(a.Weeks))]
	body := a.body(shown, a.lowest(shown))
	a.addCurrent(&body.Verifiability)
	v := &body.Verifiability.Verifiability
	if len(shown) > 0 {
		a.noteGaps(v, shown, shown[len(shown)-1].EffectiveDate, shown[0].EffectiveDate)
	}
	if len(shown) < n {
		v.Complete = false
		v.note(NoteIncomplete, fmt.Sprintf("%d weeks were asked for and %d are known of %s.", n, len(shown), a.Carrier))
	}
	return body
}

// body makes the HTTP body of some of the weeks. lowest is the lowest tally of these weeks. The body does not say
// whether a week is current.
func (a SurchargeAnswer) body(shown []ObservedWeek, lowest Tally) Surcharge {
	weeks := make([]SurchargeWeek, 0, len(shown))
	for _, w := range shown {
		weeks = append(weeks, w.SurchargeWeek)
	}
	v := SurchargeVerifiability{Verifiability: a.Verifiability(lowest, SurchargeTTL)}
	a.noteDiesel(&v.Verifiability, weeks)
	a.noteUnclean(&v.Verifiability, shown)
	a.noteArchived(&v.Verifiability, shown)
	if !slices.ContainsFunc(shown, func(w ObservedWeek) bool { return w.Clean < w.Required }) { // it is of another week
		v.Notes = slices.DeleteFunc(v.Notes, func(n Note) bool { return n.Code == NoteBracketDiffers })
	}
	return Surcharge{Carrier: a.Carrier, Weeks: weeks, Verifiability: v}
}

// addCurrent says whether the newest week is the one that is due. Where that one has not begun, true would call it the
// current rate.
func (a SurchargeAnswer) addCurrent(v *SurchargeVerifiability) {
	current := a.current()
	if a.OfThisVersion() && !(current && a.Weeks[0].Announced) { // another version does not tell which week is due
		v.Current = &current
	}
	a.noteNewest(&v.Verifiability)
}

// newest is the first day of the newest week that has begun; "" when there is none.
func (a SurchargeAnswer) newest() Date {
	for _, w := range a.Weeks {
		if !w.Announced {
			return w.EffectiveDate
		}
	}
	return ""
}

// current tells whether the newest week that the carrier shows can be read and is the one that is due.
func (a SurchargeAnswer) current() bool {
	return a.Unreadable == "" && a.newest() != "" && a.newest() >= a.Due
}

// lowest is the lower one of two ratios: that of all observed weeks, and that of the newest week that has begun by
// itself. It has three items: its date, its percent, and that it is the week that is due.
func (a SurchargeAnswer) lowest(observed []ObservedWeek) Tally {
	whole, newest := Tally{}, Tally{}
	if a.Unreadable != "" {
		newest = TallyOf(true, false, a.Unreadable >= a.Due || a.DueClean)
		whole = newest
	}
	for _, w := range observed {
		t := w.Tally
		if newest.Required == 0 && !w.Announced {
			t = t.Add(TallyOf(a.current() || a.DueClean))
			newest = t
		}
		whole = whole.Add(t)
	}
	if len(observed) == 0 {
		return Tally{}
	}
	return whole.Lowest(newest)
}

// CarrierFailure is one carrier's failure inside an answer for several.
type CarrierFailure struct {
	Carrier Carrier `json:"carrier"`
	Error   Code    `json:"error"`
	Message string  `json:"message"`
}

// Surcharges is the HTTP body for several carriers: what could be read and what could not.
type Surcharges struct {
	Results []Surcharge      `json:"results" jsonschema:"One answer for each carrier that could be read."`
	Errors  []CarrierFailure `json:"errors" jsonschema:"One entry for each carrier that could not be read."`
}
