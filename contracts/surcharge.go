package contracts

import (
	"fmt"
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
	// EffectiveDate is the first day the rate applies, EndDate the last one; EndDate is "" only while no later week is known.
	EffectiveDate Date `json:"effective_date"`
	EndDate       Date `json:"end_date"`
	// Percent is the LTL fuel surcharge; 46.32 means 46.32 %.
	Percent float64 `json:"fuel_surcharge_pct"`
	// DieselUSD is the price per gallon that the carrier prints beside the rate; nil where it prints none.
	DieselUSD *float64 `json:"doe_diesel_price_usd"`
	// TruckloadPercent is the percent for truckloads that the carrier prints beside the rate; nil where it is not plain.
	TruckloadPercent *float64 `json:"truckload_pct"`
	// FirstSeen is when the week was first seen, whatever its value; Revised is when the value that stands here was first
	// seen, nil when it never changed. Both are UTC, to the second, and nil where that is not known.
	FirstSeen *time.Time `json:"first_seen"`
	Revised   *time.Time `json:"revised"`
	// Announced tells that the week had not begun when the answer was made.
	Announced bool `json:"announced"`
	// EvidenceSHA256 is the hash, in lower-case hex, of the document in which the value was seen; nil where it is not kept.
	EvidenceSHA256 *string `json:"evidence_sha256"`
}

// ObservedWeek is a week as a worker read it. Its tally has two items: the date and the percent.
type ObservedWeek struct {
	SurchargeWeek
	Tally
	// Until is the last day for which the week can be taken: EndDate, or without one the last day that it can have by the
	// carrier's calendar. It is set in a [HistoryAnswer] only.
	Until Date `json:"until,omitempty"`
	// Archived is set for a week that the carrier no longer shows: it comes from our archive.
	Archived *Sighting `json:"archived,omitempty"`
}

// Sighting is a reading of a source in which a value was seen.
type Sighting struct {
	At          time.Time `json:"at"`
	EvidenceURL string    `json:"evidence_url"`
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
	// Unreadable is the first day of a week in force that is newer than Weeks[0] and whose percent cannot be read; empty
	// when there is none. It is not listed in Weeks.
	Unreadable Date `json:"unreadable"`
	// PrintsDiesel tells whether the carrier prints a diesel price by any of its paths.
	PrintsDiesel bool `json:"prints_diesel"`
}

// SurchargeRevision reports that a carrier shows another value for a week that is already known. It is the body of
// [EventRevision].
type SurchargeRevision struct {
	Environment Environment   `json:"environment"`
	Carrier     Carrier       `json:"carrier"`
	Was         SurchargeWeek `json:"was"`
	Is          SurchargeWeek `json:"is"`
	SeenAt      time.Time     `json:"seen_at"`
	// Path is the path of the source that showed it.
	Path        string `json:"path"`
	EvidenceURL string `json:"evidence_url"`
}

// SurchargeVerifiability is the _verifiability block of a fuel surcharge answer.
type SurchargeVerifiability struct {
	Verifiability
	// Current tells whether the newest week is the one that is due; nil where the current week was not asked for.
	Current *bool `json:"current"`
}

// Surcharge is the HTTP body for one carrier (contract §4.2).
type Surcharge struct {
	Carrier       Carrier                `json:"carrier"`
	Weeks         []SurchargeWeek        `json:"weeks"`
	Verifiability SurchargeVerifiability `json:"_verifiability"`
}

// Body is the HTTP body with the newest weeks, at most n of them. Its confidence counts just those.
func (a SurchargeAnswer) Body(n int) Surcharge {
	observed := a.Weeks[:min(n, len(a.Weeks))]
	weeks := make([]SurchargeWeek, 0, len(observed))
	for _, w := range observed {
		weeks = append(weeks, w.SurchargeWeek)
	}
	v := SurchargeVerifiability{Verifiability: a.Verifiability(a.lowest(observed), SurchargeTTL)}
	if a.OfThisVersion() { // another version does not tell which week is due
		current := a.current()
		v.Current = &current
	}
	a.noteNewest(&v.Verifiability)
	a.noteDiesel(&v.Verifiability, weeks)
	a.noteArchived(&v.Verifiability, observed)
	if len(observed) < n {
		v.Complete = false
		v.note(NoteIncomplete, fmt.Sprintf("%d weeks were asked for and %d are known of %s.", n, len(observed), a.Carrier))
	}
	return Surcharge{Carrier: a.Carrier, Weeks: weeks, Verifiability: v}
}

// current tells whether the newest week that the carrier shows can be read and is the one that is due.
func (a SurchargeAnswer) current() bool {
	return a.Unreadable == "" && len(a.Weeks) > 0 && a.Weeks[0].EffectiveDate >= a.Due
}

// lowest is the lower one of two ratios: that of all observed weeks, and that of the newest week by itself. The newest
// week has three items: its date, its percent, and that it is the week that is due.
func (a SurchargeAnswer) lowest(observed []ObservedWeek) Tally {
	if len(observed) == 0 {
		return Tally{}
	}
	newest := observed[0].Tally.Add(TallyOf(a.current() || a.DueClean))
	rest := observed[1:]
	if a.Unreadable != "" {
		newest, rest = TallyOf(true, false, a.Unreadable >= a.Due || a.DueClean), observed
	}
	whole := newest
	for _, w := range rest {
		whole = whole.Add(w.Tally)
	}
	return whole.Lowest(newest)
}

func (a SurchargeAnswer) noteNewest(v *Verifiability) {
	if len(a.Weeks) == 0 {
		return
	}
	newest := a.Weeks[0].EffectiveDate
	if a.Unreadable != "" {
		v.note(NoteWeekUnreadable, fmt.Sprintf(
			"%s shows a week that begins %s, but its percent cannot be read. The newest readable week begins %s: do not take it for the current rate.",
			a.Carrier, a.Unreadable, newest))
	}
	if max(newest, a.Unreadable) < a.Due {
		v.note(NoteWeekOverdue, fmt.Sprintf(
			"The week that begins %s is due, and %s does not show it yet. The newest week begins %s: do not take it for the current rate.",
			a.Due, a.Carrier, max(newest, a.Unreadable)))
	}
}

// noteDiesel names the diesel price as not reported when it is missing from any of the weeks. A carrier that never prints
// one needs no note.
func (a SurchargeAnswer) noteDiesel(v *Verifiability, weeks []SurchargeWeek) {
	without := 0
	for _, w := range weeks {
		if w.DieselUSD == nil {
			without++
		}
	}
	if without == 0 {
		return
	}
	v.NotReported = v.NotReported.With("doe_diesel_price_usd")
	if a.PrintsDiesel {
		v.note(NoteDieselNotReported, fmt.Sprintf(
			"%d of %d weeks have no diesel price: %s prints one, the page that was read does not show it.", without, len(weeks), a.Carrier))
	}
}

func (a SurchargeAnswer) noteArchived(v *Verifiability, observed []ObservedWeek) {
	for i, w := range observed {
		if w.Archived != nil {
			v.note(NoteFromArchive, fmt.Sprintf(
				"%s no longer shows the weeks from %s to %s. They come from our archive; the newest of them was last seen on %s at %s.",
				a.Carrier, observed[len(observed)-1].EffectiveDate, observed[i].EffectiveDate, w.Archived.At.UTC().Format(time.DateOnly), w.Archived.EvidenceURL))
			return
		}
	}
}

// CarrierFailure is one carrier's failure inside an answer for several.
type CarrierFailure struct {
	Carrier Carrier `json:"carrier"`
	Error   Code    `json:"error"`
	Message string  `json:"message"`
}

// Surcharges is the HTTP body for several carriers: what could be read and what could not.
type Surcharges struct {
	Results []Surcharge      `json:"results"`
	Errors  []CarrierFailure `json:"errors"`
}
