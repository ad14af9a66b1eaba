package audit

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"assay.dev/contracts"
)

// Week is what a carrier published for a week.
type Week struct {
	// Start is the first day. End is the last day that the week holds; it is never empty.
	Start, End contracts.Date
	// IsOpen: no later week is known yet, so that the end may still change. It is not shown.
	IsOpen bool
	LTL    Points
	// Truckload is nil where the carrier's truckload percent is not known.
	Truckload *Points
	// Confidence is the extraction_confidence of the reading (contract §2.1).
	Confidence float64
	// Doubt is the note that says why the reading is in doubt; empty where it is not.
	Doubt contracts.NoteCode
	// EvidenceURL is empty for a week that was imported: Imported says from where.
	EvidenceURL, Imported string
	// Revised is when what stands was first seen, where the carrier had published another percent before; else empty.
	Revised contracts.Date
	// Read is the answer with this week alone; nil where it was not read from one.
	Read func() contracts.Surcharge
}

// why says that the confidence is too low, and what the reading said of it.
func (w Week) why() string {
	why := fmt.Sprintf("the week was read with a confidence of %.2f, below %.2f", w.Confidence, contracts.MinConfidence)
	if w.Doubt != "" {
		why += fmt.Sprintf(" (%s: %s)", w.Doubt, w.Doubt.Meaning())
	}
	return why
}

// percent is the week's percent for a service; ok is false where it is not known.
func (w Week) percent(s Service) (p Points, ok bool) {
	switch {
	case s == LTL:
		return w.LTL, true
	case w.Truckload == nil:
		return 0, false
	}
	return *w.Truckload, true
}

// Archive has the weeks of a carrier, or the reason why they cannot be read now.
type Archive struct {
	weeks []Week // ordered by their first days
	// Failure says why the weeks of the days from UnreadFrom on cannot be read; empty when they can. Without UnreadFrom it
	// is for all days.
	Failure    string
	UnreadFrom contracts.Date
}

// NewArchive makes an archive of weeks in any order.
func NewArchive(weeks []Week) Archive {
	weeks = slices.Clone(weeks)
	slices.SortFunc(weeks, func(a, b Week) int { return cmp.Compare(a.Start, b.Start) })
	return Archive{weeks: weeks}
}

// weekIndex is the place of the last week that does not begin after a day; -1 for none.
func (a Archive) weekIndex(day contracts.Date) int {
	return sort.Search(len(a.weeks), func(i int) bool { return a.weeks[i].Start > day }) - 1
}

// on is the place of the week in force on a day; ok is false where none is archived.
func (a Archive) on(day contracts.Date) (i int, ok bool) {
	i = a.weekIndex(day)
	return i, i >= 0 && day <= a.weeks[i].End
}

// neighbours are the weeks before and after the i-th, where they are archived and follow without a gap.
func (a Archive) neighbours(i int) (all []Week) {
	if i > 0 && follow(a.weeks[i-1], a.weeks[i]) {
		all = append(all, a.weeks[i-1])
	}
	if i+1 < len(a.weeks) && follow(a.weeks[i], a.weeks[i+1]) {
		all = append(all, a.weeks[i+1])
	}
	return all
}

func follow(earlier, later Week) bool { return earlier.End.AddDays(1) == later.Start }
