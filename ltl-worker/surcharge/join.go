package surcharge

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// join merges two lists of weeks into one, newest first, each date once. It fails where they differ in a percent. A
// diesel price that they do not agree on is left out.
func join(a, b []contracts.ObservedWeek) ([]contracts.ObservedWeek, bool) {
	if len(a) == 0 && distinct(b) {
		return b, true
	}
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, newestFirst)
	out := all[:0]
	for _, w := range all {
		last := len(out) - 1
		if last < 0 || out[last].EffectiveDate != w.EffectiveDate {
			out = append(out, w)
			continue
		}
		if out[last].Percent != w.Percent {
			return nil, false
		}
		out[last] = same(out[last], w)
	}
	return out, true
}

// distinct tells whether the weeks are in order already, each date once.
func distinct(weeks []contracts.ObservedWeek) bool {
	for i := 1; i < len(weeks); i++ {
		if weeks[i-1].EffectiveDate <= weeks[i].EffectiveDate {
			return false
		}
	}
	return true
}

func newestFirst(a, b contracts.ObservedWeek) int {
	return strings.Compare(string(b.EffectiveDate), string(a.EffectiveDate))
}

// same makes one week of two that agree.
func same(a, b contracts.ObservedWeek) contracts.ObservedWeek {
	switch {
	case a.DieselUSD == nil:
		return b
	case b.DieselUSD != nil && *a.DieselUSD != *b.DieselUSD:
		a.DieselUSD = nil
		a.Clean = min(a.Clean, 2)
	}
	return a
}

// union is the histories of a document that may be read together.
type union struct {
	histories []history
	weeks     []contracts.ObservedWeek
	notes     []string
}

// combine joins what the sheets of a document say. Those that are headed LTL come first, and shown ones before hidden
// ones; a lesser one is only added when it says the same about a week, or continues a better one under the same headings.
func combine(found []history) (union, *Refusal) {
	var u union
	slices.SortStableFunc(found, func(a, b history) int { return b.standing() - a.standing() })
	for _, h := range found {
		equal := len(u.histories) == 0 || h.standing() == u.histories[0].standing()
		weeks, agree := join(u.weeks, h.weeks)
		agree = agree && (len(u.weeks) == 0 || weekly(ordinals(weeks)))
		proved := equal || len(weeks) < len(u.weeks)+len(h.weeks) || u.headedLike(h)
		switch {
		case agree && proved:
			u.weeks = weeks
			u.histories = append(u.histories, h)
		case equal:
			return u, &Refusal{Ambiguous, fmt.Sprintf("%s and %s cannot both be right", u.histories[0].sheet.name, h.sheet.name)}
		case ordinalOf(h.weeks[0].EffectiveDate) > ordinalOf(u.weeks[0].EffectiveDate)+7:
			return u, &Refusal{Ambiguous, fmt.Sprintf("%s is newer than %s, and may be something else", h.sheet.name, u.histories[0].sheet.name)}
		default:
			u.notes = append(u.notes, h.sheet.name+": left out, a better one is there")
		}
	}
	return u, nil
}

func ordinals(weeks []contracts.ObservedWeek) []ordinal {
	dates := make([]ordinal, len(weeks))
	for i, w := range weeks {
		dates[i] = ordinalOf(w.EffectiveDate)
	}
	return dates
}

// standing ranks histories by how surely they are meant.
func (h history) standing() int {
	n := 0
	if h.roles.explicit {
		n += 2
	}
	if !h.sheet.hidden {
		n++
	}
	return n
}

func (u union) headedLike(h history) bool {
	return slices.ContainsFunc(u.histories, func(o history) bool {
		return slices.EqualFunc(o.sheet.columns, h.sheet.columns, func(a, b heading) bool { return a.String() == b.String() })
	})
}

// charge counts each failed row against the week that stands in its place: the next older one that was read, else the
// oldest.
func (u *union) charge() {
	if !slices.ContainsFunc(u.histories, func(h history) bool { return len(h.failed) > 0 }) {
		return
	}
	done := map[ordinal]bool{}
	for _, w := range u.weeks {
		done[ordinalOf(w.EffectiveDate)] = true
	}
	for _, h := range u.histories {
		for _, f := range h.failed {
			if f.date != 0 && done[f.date] {
				continue
			}
			done[f.date] = true
			at := slices.IndexFunc(u.weeks, func(w contracts.ObservedWeek) bool {
				d := ordinalOf(w.EffectiveDate)
				return f.date != 0 && d < f.date || f.date == 0 && d <= f.near
			})
			if at < 0 {
				at = len(u.weeks) - 1
			}
			u.weeks[at].Tally = u.weeks[at].Add(f.tally)
		}
	}
}
