package contracts

import (
	"fmt"
	"strings"
	"time"
)

func (a SurchargeAnswer) noteNewest(v *Verifiability) {
	newest := a.newest()
	if newest == "" {
		return
	}
	if a.Unreadable != "" {
		v.note(NoteWeekUnreadable, fmt.Sprintf(
			"%s shows a week that begins %s, but its percent cannot be read. The newest readable week begins %s: do not "+
				"take it for the current rate.",
			a.Carrier, a.Unreadable, newest))
	}
	if max(newest, a.Unreadable) < a.Due {
		v.note(NoteWeekOverdue, fmt.Sprintf(
			"The week that begins %s is due, and %s does not show it yet. The newest week begins %s: do not "+
				"take it for the current rate.",
			a.Due, a.Carrier, max(newest, a.Unreadable)))
	}
}

// noteUnclean says which weeks were not read without doubt, where no other note says why.
func (a SurchargeAnswer) noteUnclean(v *Verifiability, shown []ObservedWeek) {
	var days []string
	for _, w := range shown {
		if w.Clean < w.Required {
			days = append(days, string(w.EffectiveDate))
		}
	}
	if len(days) == 0 || a.InDoubt() || a.Noted(NoteBracketDiffers) {
		return
	}
	listed := strings.Join(days[:min(len(days), maxListedDays)], ", ")
	if more := len(days) - maxListedDays; more > 0 {
		listed += fmt.Sprintf(" and %d more", more)
	}
	v.note(NoteFieldUnreadable, fmt.Sprintf(
		"%s shows a date or a percent in a way that is not understood, of these weeks or of rows beside them: %s.",
		a.Carrier, listed))
}

// maxListedDays bounds the days that a note lists.
const maxListedDays = 4

// noteDiesel names the diesel price as not reported when it is missing from any of the weeks. A carrier that never
// prints one needs no note.
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
			"%d of %d weeks have no diesel price: %s prints one, the page that was read does not show it.", without,
			len(weeks), a.Carrier))
	}
}

func (a SurchargeAnswer) noteArchived(v *Verifiability, shown []ObservedWeek) {
	noteImported(v, shown)
	var archived []ObservedWeek
	for _, w := range shown {
		if w.Archived != nil && w.Archived.Imported == "" {
			archived = append(archived, w)
		}
	}
	if len(archived) == 0 {
		return
	}
	newest := archived[0]
	v.note(NoteFromArchive, fmt.Sprintf(
		"%s no longer shows the weeks from %s to %s. They come from our archive; the newest of them "+
			"was last seen on %s at %s.",
		a.Carrier, archived[len(archived)-1].EffectiveDate, newest.EffectiveDate,
		Today(newest.Archived.At), newest.Archived.EvidenceURL))
}

// noteImported names the weeks that an operator imported, once for each import.
func noteImported(v *Verifiability, shown []ObservedWeek) {
	type imported struct {
		at   time.Time
		text string
	}
	weeks := map[imported][]string{}
	var order []imported
	for _, w := range shown {
		if w.Archived == nil || w.Archived.Imported == "" {
			continue
		}
		by := imported{w.Archived.At, w.Archived.Imported}
		if weeks[by] == nil {
			order = append(order, by)
		}
		weeks[by] = append(weeks[by], string(w.EffectiveDate))
	}
	for _, by := range order {
		v.note(NoteFromArchive, fmt.Sprintf("The weeks that begin %s were not seen by us: they were "+
			"imported on %s. Their source: %s",
			strings.Join(weeks[by], ", "), Today(by.at), by.text))
	}
}
