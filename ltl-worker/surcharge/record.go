package surcharge

import (
	"slices"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/column"
	"assay.dev/platform/scrape"
)

// datesOf are the effective dates of the rows; 0 for one after the last day, or one that is probably mistyped.
func datesOf(columns *column.Columns, last calendar.Day) []calendar.Day {
	dates := slices.Clone(columns.Effective)
	for i, d := range dates {
		if d > last {
			dates[i] = 0
		}
	}
	calendar.DropMistyped(dates)
	return dates
}

// weekOf is what a row says, with its first day and the last one that is printed; 0 where there is none. What it does
// not say plausibly is left empty.
func weekOf(columns *column.Columns, row document.Row, first, last calendar.Day) (w contracts.ObservedWeek) {
	w.Percent, w.DieselUSD = columns.PercentIn(row), columns.DieselIn(row)
	w.TruckloadPercent = columns.TruckloadIn(row, w.Percent)
	if first != 0 {
		w.EffectiveDate = first.Date()
	}
	if isEnd(first, last) {
		w.EndDate = last.Date()
	}
	w.Tally = contracts.TallyOf(first != 0, w.Percent > 0)
	return w
}

// appendSpots says where date and percent of a row that was read as a week stand, and the price where it is read.
func appendSpots(spots []scrape.Spot, columns *column.Columns, row document.Row,
	w contracts.ObservedWeek) []scrape.Spot {
	for _, i := range [...]int{columns.Date, columns.Percent, columns.Diesel} {
		if i != columns.Diesel || w.DieselUSD != nil {
			spots = append(spots, scrape.Spot{At: int(row.Cells[i].At), Text: row.Cells[i].Text})
		}
	}
	return spots
}

// maxWeekDays is the longest time for which a printed last day is believed: a percent may be kept for weeks when the
// index is late.
const maxWeekDays = 35

// isEnd tells whether a printed day can be the last one of the week that begins on first. Whole weeks after it, the day
// may be the first one of the next week: "9/2/2026 - 9/9/2026". That is not plain.
func isEnd(first, last calendar.Day) bool {
	days := last - first
	return days > 0 && days < maxWeekDays && days%7 != 0
}

// olderNeighbour is the older of the nearest dates above and below row i; 0 when there is none.
func olderNeighbour(dates []calendar.Day, i int) calendar.Day {
	var above, below calendar.Day
	for j := i - 1; j >= 0 && above == 0; j-- {
		above = dates[j]
	}
	for j := i + 1; j < len(dates) && below == 0; j++ {
		below = dates[j]
	}
	if above == 0 || below != 0 && below < above {
		return below
	}
	return above
}
