package archive

import (
	"math"
	"slices"
	"time"

	"assay.dev/contracts"
)

// Source is where a value was seen.
type Source struct {
	Path        string           `json:"path"`
	Method      contracts.Method `json:"method"`
	EvidenceURL string           `json:"evidence_url"`
	// EvidenceSHA256 is the hash of the document, in lower-case hex; nil where it was not kept.
	EvidenceSHA256 *string `json:"evidence_sha256,omitempty"`
	// EvidenceAt is where that document is kept, DocumentURL where it was read. Both are empty in entries of versions that
	// did not note them.
	EvidenceAt  contracts.Place `json:"evidence_at,omitempty"`
	DocumentURL string          `json:"document_url,omitempty"`
}

// Document names the document in which the value was seen, if it is known where it is kept.
func (s Source) Document() (e contracts.Evidence, isKept bool) {
	if s.EvidenceSHA256 == nil || s.EvidenceAt == "" {
		return e, false
	}
	return contracts.Evidence{SHA256: *s.EvidenceSHA256, URL: s.DocumentURL, Role: contracts.RoleValues,
		At: s.EvidenceAt}, true
}

// Sighting is a reading in which a value was seen. At is UTC, to the second.
type Sighting struct {
	At time.Time `json:"at"`
	Source
}

// Value is what a carrier showed for a week. Its EndDate is the one that the source prints, if any.
type Value struct {
	contracts.ObservedWeek
	// Withdrawn is set for the value "no longer shown": the other members are those of the value before.
	Withdrawn bool `json:"withdrawn,omitempty"`
	// First is the first sighting, Last the newest.
	First Sighting `json:"first"`
	Last  Sighting `json:"last"`
	// DieselSeen is the newest sighting that printed the price of diesel or the truckload percent, where Last did not; else
	// nil.
	DieselSeen *Sighting `json:"diesel_seen,omitempty"`
	// CleanFrom is when the value was first seen cleanly, where it had been seen in doubt before; else nil. TallyBefore is
	// how clean it was until then.
	CleanFrom   *time.Time       `json:"clean_from,omitempty"`
	TallyBefore *contracts.Tally `json:"tally_before,omitempty"`
	// LearnedAt is when a member was first seen that no reading had shown before, such as the price of diesel; else nil.
	// Before is the week without what was learned.
	LearnedAt *time.Time               `json:"learned_at,omitempty"`
	Before    *contracts.SurchargeWeek `json:"before,omitempty"`
	// DoubtedAt is when it was taken back that the value is clean: only what was judged later clears it.
	DoubtedAt *time.Time `json:"doubted_at,omitempty"`
	// Imported is what an operator said of where the value is from; "" for a value that was seen.
	Imported string `json:"imported,omitempty"`
	// Untold is a change that the value makes and that is to be told; nil once it is. Told numbers the changes of a week
	// that were told: the number of the last one that this value made, or 0.
	Untold *contracts.Change `json:"untold,omitempty"`
	Told   int               `json:"told,omitempty"`

	number int       // of the entry within its week
	judged time.Time // when it was decided how clean a value is that is placed now
}

// DieselSighting is the newest sighting that is known to have printed the price of diesel and the truckload percent. It
// means nothing for a value without them.
func (v Value) DieselSighting() Sighting {
	if v.DieselSeen != nil {
		return *v.DieselSeen
	}
	return v.Last
}

// newestSighting is the newest sighting of the value at or before a moment.
func (v Value) newestSighting(at time.Time) (Sighting, bool) {
	switch {
	case !v.Last.At.After(at):
		return v.Last, true
	case !v.First.At.After(at):
		return v.First, true
	}
	return Sighting{}, false
}

// tallyAt is how clean the value was known to be at a moment.
func (v Value) tallyAt(moment time.Time) contracts.Tally {
	if v.CleanFrom != nil && v.TallyBefore != nil && moment.Before(*v.CleanFrom) {
		return *v.TallyBefore
	}
	return v.Tally
}

// IsClean tells whether a carrier showed the value, and a reading that was not in doubt read it. Only such values vouch
// for others.
func (v Value) IsClean() bool {
	return v.Imported == "" && !v.Withdrawn && v.Required > 0 && v.Clean == v.Required
}

// Week is a week with all its values, in the order in which they are known to have been seen first.
type Week struct {
	Date   contracts.Date
	Values []Value
}

// Known is what was known of a week at a moment.
type Known struct {
	Value
	// Sighting is the newest one before the moment that is kept: the value's last or first one.
	Sighting Sighting
}

// At is what was known of the week at a moment; false when it had not been seen. A value that was seen beats one that
// was imported.
func (w Week) At(moment time.Time) (Known, bool) {
	for _, imported := range []bool{false, true} {
		if known, ok := w.knownAt(moment, imported); ok {
			return known, true
		}
	}
	return Known{}, false
}

func (w Week) knownAt(moment time.Time, imported bool) (known Known, ok bool) {
	for _, v := range w.Values {
		if (v.Imported != "") != imported {
			continue
		}
		if s, seen := v.newestSighting(moment); seen && (!ok || !s.At.Before(known.Sighting.At)) {
			known, ok = Known{Value: v, Sighting: s}, true
			known.Tally = v.tallyAt(moment)
			if v.Before != nil && v.LearnedAt != nil && moment.Before(*v.LearnedAt) {
				known.SurchargeWeek = *v.Before
			}
		}
	}
	return known, ok
}

// Clean is the value of the week that clean readings saw last, if any: doubtful ones vouch for nothing. A week that was
// withdrawn has none.
func (w Week) Clean() (clean Value, ok bool) {
	var last time.Time
	for _, v := range w.Values {
		if (v.IsClean() || v.Withdrawn) && !v.Last.At.Before(last) {
			clean, ok, last = v, !v.Withdrawn, v.Last.At
		}
	}
	return clean, ok
}

// Newest is what is known of the week now.
func (w Week) Newest() Known {
	known, _ := w.At(time.Unix(1<<40, 0))
	return known
}

// FirstSeen is when the week was first seen, whatever its value; nil where it never was.
func (w Week) FirstSeen() *time.Time {
	if i := slices.IndexFunc(w.Values, func(v Value) bool { return v.Imported == "" }); i >= 0 {
		return &w.Values[i].First.At
	}
	return nil
}

// RevisedAt is when the percent of the known value was first seen, where the week had another clean one before; else
// nil. What nobody believed, the carrier may never have shown.
func (w Week) RevisedAt(known Known) (at *time.Time) {
	hadOther := false
	for i := range w.Values {
		v := &w.Values[i]
		isSame := isNear(v.Percent, known.Percent)
		switch {
		case v.Imported != "" || v.First.At.After(known.First.At):
		case !isSame && v.IsClean():
			hadOther, at = true, nil
		case isSame && hadOther && at == nil:
			at = &v.First.At
		}
	}
	return at
}

// Same tells whether a week was seen with the value that is known. A member that only one of them has, such as a diesel
// price, does not contradict the other: some paths show less.
func Same(known, seen contracts.SurchargeWeek) bool {
	return isNear(known.Percent, seen.Percent) && agree(known.DieselUSD, seen.DieselUSD) &&
		agree(known.TruckloadPercent, seen.TruckloadPercent) &&
		(known.EndDate == "" || seen.EndDate == "" || known.EndDate == seen.EndDate)
}

func agree(a, b *float64) bool { return a == nil || b == nil || isNear(*a, *b) }

func isNear(a, b float64) bool { return math.Abs(a-b) < 0.0005 }
