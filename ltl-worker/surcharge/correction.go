package surcharge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// aboutFigures finds what a correction must speak of to be one of surcharges.
var aboutFigures = regexp.MustCompile(`(?i)surcharge|\bfsc\b|\bfuel\b|\btable\b|\bpercent|\blisted\b|\bshown\b|\bposted\b|\bpublished\b|\bweeks?\b|\bread\b`)

// replacing finds words of notices that say what is in force now. They may name the percent that it replaced too.
var replacing = regexp.MustCompile(`(?i)\b(?:replac|supersed|adjusted|rather than|instead)`)

// refuseCorrected refuses weeks that a notice on the same page corrects: "Our table listed 50.25% for the week of September 7.
// The correct surcharge for that week is 49.75%."
func refuseCorrected(notices []string, weeks []contracts.ObservedWeek, v *meaning.Vocabulary) *refusal.Refusal {
	for _, notice := range notices {
		if aboutFigures.MatchString(notice) && (sheet.IsCorrection(notice) || !isOfOthers(notice, v)) && corrects(notice, weeks) {
			return &refusal.Refusal{Reason: refusal.Ambiguous, Detail: fmt.Sprintf("a notice corrects a percent: %q", notice)}
		}
	}
	return nil
}

// isOfOthers tells whether a notice names other figures than ours: "The truckload surcharge is 96.24%".
func isOfOthers(notice string, v *meaning.Vocabulary) bool {
	return v.Of(notice).Has(meaning.Others)
}

// tellsMovement tells whether the words before a percent say that it is a change: "rose by 0.5%", "a rate increase of 5.9%".
func tellsMovement(before string) bool {
	return slices.ContainsFunc(strings.Fields(before), func(w string) bool {
		return w == "by" || w == "increase" || w == "decrease" || w == "change" || w == "discount"
	})
}

// tellsFormer tells whether the words before a percent say that it was replaced: "corrected from 53.62%", "instead of 53.62%".
func tellsFormer(before string) bool {
	return slices.ContainsFunc([]string{" from", " instead of", " rather than", " not", " than", " takes the place of the"}, func(end string) bool {
		return strings.HasSuffix(" "+before, end)
	})
}

// endsBefore tells whether the words before a date make it the end of another week: "until", "before".
func endsBefore(before string) bool {
	words := strings.Fields(before)
	return len(words) > 0 && slices.Contains([]string{"until", "till", "before", "through", "thru", "ending"}, words[len(words)-1])
}

// corrects tells whether a notice may say something else than the weeks. It does not where it names one percent, and that is
// what the week has.
func corrects(notice string, weeks []contracts.ObservedWeek) bool {
	parts, _ := cell.Scan(notice)
	var percents []float64
	var named []contracts.ObservedWeek
	dates := 0
	for i := range parts {
		switch p := &parts[i]; {
		case p.Kind == cell.Dates:
			if dates++; !endsBefore(p.Before) {
				named = append(named, weeksOf(p.Dates, weeks)...)
			}
		case p.Quantity.Unit == cell.Percent && !tellsMovement(p.Before) && !tellsFormer(p.Before):
			percents = append(percents, p.Quantity.Value)
		}
	}
	isSaid := func(w contracts.ObservedWeek) bool { return slices.Contains(percents, w.Percent) }
	switch {
	case !sheet.IsCorrection(notice):
		return len(percents) > 0 && len(named) > 0 && !slices.ContainsFunc(named, isSaid)
	case len(percents) == 0:
		return namesFirstDay(parts, named) && !replacing.MatchString(notice)
	case dates > 0 && len(named) == 0:
		return false // it is about weeks that are not shown
	case len(named) == 0:
		return true
	}
	return !slices.ContainsFunc(named, isSaid) || len(percents) > 1 && !replacing.MatchString(notice)
}

// weeksOf are the weeks in which the first day of a date lies. A date without a year is of the year of the week.
func weeksOf(written cell.Range, weeks []contracts.ObservedWeek) []contracts.ObservedWeek {
	var all []contracts.ObservedWeek
	for _, w := range weeks {
		first := calendar.Of(w.EffectiveDate)
		for year := w.EffectiveDate.Time().Year(); year <= (first + 6).Date().Time().Year(); year++ {
			if day := written.First(cell.MonthFirst, year); day >= first && day < first+7 {
				all = append(all, w)
				break
			}
		}
	}
	return all
}

// namesFirstDay tells whether one of the dates is the first day of a week, and not only the day of the notice.
func namesFirstDay(parts []cell.Part, weeks []contracts.ObservedWeek) bool {
	return slices.ContainsFunc(weeks, func(w contracts.ObservedWeek) bool {
		return slices.ContainsFunc(parts, func(p cell.Part) bool {
			return p.Kind == cell.Dates && p.Dates.First(cell.MonthFirst, w.EffectiveDate.Time().Year()) == calendar.Of(w.EffectiveDate)
		})
	})
}
