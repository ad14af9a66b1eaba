package surcharge

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/platform/scrape"
)

// union is the histories of a document that are read together.
type union struct {
	histories []history
	weeks     []contracts.ObservedWeek // newest first
	notes     []string
}

// unite joins the histories of a document. Those that are headed LTL come first, and shown ones before hidden ones. A
// lesser one is only added when it says the same about a week, or continues a better one under the same headings.
func unite(found []history) (union, *refusal.Refusal) {
	var u union
	slices.SortStableFunc(found, func(a, b history) int { return b.rank() - a.rank() })
	for _, h := range found {
		if refused := u.addHistory(h); refused != nil {
			return u, refused
		}
	}
	u.doubtNewest()
	return u, nil
}

// addHistory joins one more history, leaves it out, or refuses the document.
func (u *union) addHistory(h history) *refusal.Refusal {
	if len(u.histories) == 0 {
		u.weeks, u.histories = h.weeks, []history{h}
		return nil
	}
	best := u.histories[0]
	equal := h.rank() == best.rank()
	weeks, agree := mergeWeeks(slices.Concat(u.weeks, h.weeks))
	agree = agree && calendar.Weekly(daysOf(weeks))
	sharesWeek := len(weeks) < len(u.weeks)+len(h.weeks)
	switch {
	case agree && (equal || sharesWeek || u.continues(h)):
		u.weeks, u.histories = weeks, append(u.histories, h)
	case equal:
		return conflict("%s and %s cannot both be right", best, h)
	case calendar.Of(h.weeks[0].EffectiveDate) > calendar.Of(u.weeks[0].EffectiveDate)+7:
		return conflict("%[2]s is newer than %[1]s, and may be something else", best, h)
	default:
		u.notes = append(u.notes, h.columns.Sheet.Name+": left out, a better one is there")
	}
	return nil
}

// doubtNewest makes the newest week unclean where one list alone shows it, however often, and another one that may be of
// another service agreed until the week before: the new percent may be that of either. A list that lags further is an
// archive.
func (u *union) doubtNewest() {
	lacksNewest := func(h history) bool { return h.weeks[0].EffectiveDate != u.weeks[0].EffectiveDate }
	newer := slices.DeleteFunc(slices.Clone(u.histories), lacksNewest)
	if slices.ContainsFunc(newer, func(h history) bool { return h.columns.IsBeside(newer[0].columns) }) {
		return
	}
	isShared := func(w contracts.ObservedWeek) bool { return newer[0].rows[w.EffectiveDate] != nil }
	for _, h := range u.histories {
		lags := len(u.weeks) > 1 && h.weeks[0].EffectiveDate == u.weeks[1].EffectiveDate && isShared(h.weeks[0])
		if lags && slices.ContainsFunc(h.weeks[1:], isShared) && newer[0].columns.MayBeOther(h.columns) {
			u.weeks[0].Clean = min(u.weeks[0].Clean, u.weeks[0].Required-1)
			u.notes = append(u.notes, fmt.Sprintf("%s: alone shows the newest week, and %s may be of another service",
				newer[0].columns.Sheet.Name, h.columns.Sheet.Name))
		}
	}
}

func conflict(format string, best, other history) *refusal.Refusal {
	detail := fmt.Sprintf(format, best.columns.Sheet.Name, other.columns.Sheet.Name)
	return &refusal.Refusal{Reason: refusal.Ambiguous, Detail: detail}
}

// rank ranks histories by how surely they are meant.
func (h history) rank() int {
	n := 0
	if h.columns.HeadedLTL {
		n += 2
	}
	if !h.columns.Sheet.Hidden {
		n++
	}
	return n
}

// continues tells whether a history goes on where the weeks end, or states the week after the newest one, as a box
// above a table of past weeks does.
func (u *union) continues(h history) bool {
	newest, oldest := u.weeks[0], u.weeks[len(u.weeks)-1]
	first, last := h.weeks[0], h.weeks[len(h.weeks)-1]
	return !h.columns.Sheet.Hidden && (follows(last, newest) || follows(oldest, first))
}

// follows tells whether a week can be the one after another. A holiday may have moved the start of either by a day.
func follows(next, w contracts.ObservedWeek) bool {
	days := next.EffectiveDate.DaysSince(w.EffectiveDate)
	return 6 <= days && days <= 8 && math.Abs(next.Percent-w.Percent) <= maxStep
}

// maxStep is the most points by which a percent is believed to differ from that of the week before.
const maxStep = 3

// rows say where the weeks stood, in the history that is best.
func (u *union) rows() map[contracts.Date][]scrape.Spot {
	best := u.histories[0].rows
	for _, h := range u.histories[1:] {
		for date, spots := range h.rows {
			if _, ok := best[date]; !ok {
				best[date] = spots
			}
		}
	}
	return best
}

func daysOf(weeks []contracts.ObservedWeek) []calendar.Day {
	days := make([]calendar.Day, len(weeks))
	for i, w := range weeks {
		days[i] = calendar.Of(w.EffectiveDate)
	}
	return days
}

// mergeWeeks sorts weeks, newest first, each date once. It fails where they differ in a percent. A diesel price and a
// truckload's percent on which they differ are left out.
func mergeWeeks(all []contracts.ObservedWeek) (merged []contracts.ObservedWeek, ok bool) {
	slices.SortStableFunc(all, func(a, b contracts.ObservedWeek) int {
		return strings.Compare(string(b.EffectiveDate), string(a.EffectiveDate))
	})
	merged = all[:0]
	for _, w := range all {
		last := len(merged) - 1
		if last < 0 || merged[last].EffectiveDate != w.EffectiveDate {
			merged = append(merged, w)
			continue
		}
		if merged[last].Percent != w.Percent {
			return nil, false
		}
		merged[last] = mergeWeek(merged[last], w)
	}
	return merged, true
}

// mergeWeek makes one week of two with the same date and percent.
func mergeWeek(a, b contracts.ObservedWeek) contracts.ObservedWeek {
	a.DieselUSD = mergeFigure(a.DieselUSD, b.DieselUSD)
	a.TruckloadPercent = mergeFigure(a.TruckloadPercent, b.TruckloadPercent)
	return a
}

// mergeFigure is the figure that one of two places or both say; nil where they differ.
func mergeFigure(a, b *float64) *float64 {
	switch {
	case a == nil:
		return b
	case b != nil && *a != *b:
		return nil
	}
	return a
}

// chargeFailures counts each failed record against the week in force or past that stands in its place: the next older
// one that was read, else the oldest. A date counts once. A record that is newer than all weeks is not counted but named,
// and of one that lies ahead it is only said that the reading is not whole.
func (u *union) chargeFailures(r *Reading, today calendar.Day) {
	days := daysOf(r.Weeks)
	done := map[calendar.Day]bool{}
	for _, d := range daysOf(u.weeks) {
		done[d] = true
	}
	for _, h := range u.histories {
		for _, f := range h.failed {
			switch {
			case f.date != 0 && done[f.date]:
				continue
			case f.date > today, len(days) == 0:
			case f.date > days[0]:
				r.Unreadable = max(r.Unreadable, f.date.Date())
			default:
				at := f.chargedTo(days)
				r.Weeks[at].Tally = r.Weeks[at].Add(f.tally)
			}
			done[f.date], r.Partial = true, true
		}
	}
}

// chargedTo is the index of the day, newest first, against which the failure counts.
func (f failure) chargedTo(days []calendar.Day) int {
	i := slices.IndexFunc(days, func(d calendar.Day) bool {
		return d < f.date || f.date == 0 && d <= f.near
	})
	if i < 0 {
		return len(days) - 1
	}
	return i
}
