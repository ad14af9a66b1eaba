package surcharge

import (
	"slices"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/column"
	"assay.dev/platform/scrape"
)

// record is what one row says. What it does not say plausibly is left empty.
type record struct {
	isRecord bool // the row is no remark
	date     calendar.Day
	last     calendar.Day // the week's last day as it is printed; 0 where it is not
	percent  float64
	diesel   *float64
	// truckload is the percent for truckloads beside the percent; nil where it is not plain.
	truckload *float64
	spots     []scrape.Spot
}

// readRecords reads the rows. A date after the last day, or one that is probably mistyped, is left empty, and so are
// percents of a date that occurs with several.
func readRecords(columns *column.Columns, last calendar.Day) []record {
	dates := slices.Clone(columns.Effective)
	for i, d := range dates {
		if d > last {
			dates[i] = 0
		}
	}
	calendar.DropMistyped(dates)
	records := make([]record, len(columns.Sheet.Rows))
	lasts := columns.LastDays()
	for i, row := range columns.Sheet.Rows {
		records[i] = record{isRecord: columns.IsRecord(row), date: dates[i]}
		if isEnd(dates[i], lasts[i]) {
			records[i].last = lasts[i]
		}
		if records[i].isRecord {
			records[i].percent, records[i].diesel = columns.PercentIn(row), columns.DieselIn(row)
			records[i].truckload, records[i].spots = columns.TruckloadIn(row), spotsOf(columns, row)
		}
	}
	return records
}

// spotsOf say where date and percent of a row stand, and the price where it is read.
func spotsOf(columns *column.Columns, row document.Row) (spots []scrape.Spot) {
	if row.Broken {
		return nil
	}
	taken := [...]int{columns.Date, columns.Percent, columns.Diesel}
	spots = make([]scrape.Spot, 0, len(taken))
	for _, i := range taken {
		if i != columns.Diesel || columns.DieselIn(row) != nil {
			spots = append(spots, scrape.Spot{At: int(row.Cells[i].At), Text: row.Cells[i].Text})
		}
	}
	return spots
}

// tally counts the date and the percent.
func (r record) tally() contracts.Tally { return contracts.TallyOf(r.date != 0, r.percent > 0) }

func (r record) week() contracts.ObservedWeek {
	return contracts.ObservedWeek{
		SurchargeWeek: contracts.SurchargeWeek{
			EffectiveDate: r.date.Date(), EndDate: r.endDate(), Percent: r.percent, DieselUSD: r.diesel, TruckloadPercent: r.truckload,
		},
		Tally: r.tally(),
	}
}

// maxWeekDays is the longest time for which a printed last day is believed: a percent may be kept for weeks when the index is
// late.
const maxWeekDays = 35

// isEnd tells whether a printed day can be the last one of the week that begins on first. Whole weeks after it, the day may be
// the first one of the next week: "9/2/2026 - 9/9/2026". That is not plain.
func isEnd(first, last calendar.Day) bool {
	days := last - first
	return days > 0 && days < maxWeekDays && days%7 != 0
}

// endDate is "" where no last day is printed.
func (r record) endDate() contracts.Date {
	if r.last == 0 {
		return ""
	}
	return r.last.Date()
}

// olderNeighbour is the older of the nearest dates above and below record i; 0 when there is none.
func olderNeighbour(records []record, i int) calendar.Day {
	var above, below calendar.Day
	for j := i - 1; j >= 0 && above == 0; j-- {
		above = records[j].date
	}
	for j := i + 1; j < len(records) && below == 0; j++ {
		below = records[j].date
	}
	if above == 0 || below != 0 && below < above {
		return below
	}
	return above
}
