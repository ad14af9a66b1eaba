package site

import (
	"strconv"

	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
)

// option is one of a list to choose from.
type option struct {
	Value, Text string
	Selected    bool
}

// columnsToChoose are all columns, by their places, and none.
func columnsToChoose(m sheet.Matched, member string) []option {
	at, isThere := m.Columns[member]
	all := []option{{noColumn, "not in this file", !isThere}}
	for i := range m.Headings {
		all = append(all, option{"#" + strconv.Itoa(i+1), headingAt(m, i), isThere && at == i})
	}
	return all
}

// sheetsToChoose are the sheets of a workbook by their places; none where it has one.
func sheetsToChoose(names []string, chosen string) (all []option) {
	if len(names) < 2 {
		return nil
	}
	all = append(all, option{"", "the first, where no other has lines", chosen == ""})
	for i, name := range names {
		place := "#" + strconv.Itoa(i+1)
		all = append(all, option{place, name, chosen == place})
	}
	return all
}

func datesToChoose(chosen string) []option {
	return []option{
		{"", "as the column tells", chosen == ""},
		{string(sheet.MonthFirst), "month first: 9/11 is September 11", chosen == string(sheet.MonthFirst)},
		{string(sheet.DayFirst), "day first: 9/11 is November 9", chosen == string(sheet.DayFirst)},
	}
}

func percentsToChoose(chosen string) []option {
	return []option{
		{"", "as the column tells", chosen == ""},
		{string(lines.InPercent), "percent: 46.32", chosen == string(lines.InPercent)},
		{string(lines.AsFraction), "fractions: 0.4632", chosen == string(lines.AsFraction)},
	}
}
