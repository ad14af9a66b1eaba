package surcharge

import (
	"slices"
	"strconv"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/column"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/platform/scrape"
)

// history is what one sheet says.
type history struct {
	columns *column.Columns
	weeks   []contracts.ObservedWeek // newest first
	failed  []failure
	rows    map[contracts.Date][]scrape.Spot
}

// failure is a record without a readable date or percent. It counts against the week that stands in its place.
type failure struct {
	date  calendar.Day // its own; 0 when it cannot be read
	near  calendar.Day // for a record without a date: the older of the dates right above and below it
	tally contracts.Tally
}

// newHistory reads the rows of a sheet whose columns are known.
func newHistory(columns *column.Columns, carrier calendar.Carrier) (history, *refusal.Refusal) {
	h := history{columns: columns, rows: make(map[contracts.Date][]scrape.Spot, len(columns.Sheet.Rows))}
	h.weeks = make([]contracts.ObservedWeek, 0, len(columns.Sheet.Rows))
	all, lasts := datesOf(columns, carrier.Today+calendar.MaxDaysAhead), columns.LastDays()
	dates := make([]calendar.Day, 0, len(all))
	spots := make([]scrape.Spot, 0, 3*len(all)) // of all rows
	for i, row := range columns.Sheet.Rows {
		if !columns.IsRecord(row) {
			continue // a remark
		}
		switch w := weekOf(columns, row, all[i], lasts[i]); {
		case all[i] != 0 && w.Percent > 0:
			dates = append(dates, all[i])
			h.weeks = append(h.weeks, w)
			begin := len(spots)
			spots = appendSpots(spots, columns, row, w)
			h.rows[w.EffectiveDate] = slices.Clip(spots[begin:])
		default:
			f := failure{all[i], olderNeighbour(all, i), w.Tally}
			if f.near == slices.Max(all) && carrier.IsFarAhead(columns.Effective[i]) {
				f.date = columns.Effective[i]
			}
			h.failed = append(h.failed, f)
		}
	}
	return h, h.settle(dates)
}

// settle sorts the weeks, newest first, each once, and checks them as a whole. dates are those of the weeks in the
// order of the document.
func (h *history) settle(dates []calendar.Day) *refusal.Refusal {
	newestFirst := func(a, b calendar.Day) int { return int(b - a) }
	newestOnTop := len(dates) > 1 && slices.IsSortedFunc(dates, newestFirst)
	weeks, ok := mergeWeeks(h.weeks)
	h.weeks = weeks
	switch {
	case !ok:
		return &refusal.Refusal{Reason: refusal.Ambiguous, Detail: "the same week has different percents"}
	case len(h.weeks) == 0:
		return &refusal.Refusal{Reason: refusal.NoRows, Detail: "no row has a date and a percent"}
	case !calendar.Weekly(dates):
		return &refusal.Refusal{Reason: refusal.Implausible, Detail: "the dates do not follow one another in weeks"}
	case h.columns.Sheet.Cut && !newestOnTop:
		return &refusal.Refusal{
			Reason: refusal.Malformed, Detail: "the document breaks off where its newest rows could be",
		}
	}
	return nil
}

// String says for notes which columns were taken: `4 weeks, date in column 1 "Effective", percent in column 2 "LTL"`.
func (h history) String() string {
	text := strconv.Itoa(len(h.weeks)) + " weeks"
	for _, c := range []struct {
		name  string
		index int
	}{{"date", h.columns.Date}, {"percent", h.columns.Percent}, {"diesel", h.columns.Diesel}} {
		if c.index != column.None {
			text += ", " + c.name + " in column " + strconv.Itoa(c.index+1) + " " +
				strconv.Quote(h.columns.Heading(c.index).String())
		}
	}
	if len(h.failed) > 0 {
		text += ", " + strconv.Itoa(len(h.failed)) + " failed rows"
	}
	return text
}
