package sheet_test

import (
	"strings"
	"testing"

	"assay.dev/gateway/sheet"
)

func TestDatesAreReadByTheColumn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		column    string
		preferred sheet.DateForm
		want      string // the first date, or a part of the error
	}{
		"ISO":                      {"2026-09-11", "", "2026-09-11"},
		"month first":              {"9/11/2026 9/25/2026", "", "2026-09-11"},
		"day first":                {"9/11/2026 25/9/2026", "", "2026-11-09"},
		"neither":                  {"9/11/2026 10/12/2026", "", "date_form=mdy or dmy"},
		"neither, chosen":          {"9/11/2026 10/12/2026", sheet.DayFirst, "2026-11-09"},
		"the year may be first":    {"26-11-24 26-11-25", "", "first in 26-11-25; say date_form=mdy or dmy, or write years with four digits"},
		"the day is, chosen":       {"24/11/26", sheet.DayFirst, "2026-11-24"},
		"the year is no day":       {"25.12.98", "", "1998-12-25"},
		"one has its whole year":   {"24/11/26 1/12/2026", "", "2026-11-24"},
		"the year, no month":       {"26-11-24", sheet.MonthFirst, "not a date"},
		"short years, both":        {"9/25/26 25/9/26", "", "the month or the day is first in 9/25/26 and 25/9/26"},
		"the same either way":      {"9/9/2026", "", "2026-09-09"},
		"both":                     {"9/25/2026 25/9/2026", "", "the month or the day is first in 9/25/2026 and 25/9/2026"},
		"points beside slashes":    {"05.08.2026 9/25/2026 25.09.2026", "", "2026-08-05"},
		"slashes beside points":    {"9/11/2026 9/25/2026 25.09.2026", "", "2026-09-11"},
		"slashes say nothing":      {"05.08.2026 9/25/2026", "", "the month or the day is first in 05.08.2026; say"},
		"two say nothing":          {"05.08.2026 9/11/2026", "", "first in 05.08.2026 and 9/11/2026; say"},
		"points, chosen":           {"05.08.2026 9/25/2026", sheet.DayFirst, "2026-08-05"},
		"points know better":       {"05.08.2026 9/25/2026 25.09.2026", sheet.MonthFirst, "2026-08-05"},
		"both, chosen":             {"9/25/2026 25/9/2026", sheet.MonthFirst, "2026-09-25"},
		"UTC in the morning":       {"2026-09-09T08:30:00Z", "", "2026-09-09"},
		"UTC at night":             {"2026-09-09T00:30:00Z", "", "write the local day"},
		"UTC at seven":             {"2026-09-09T07:59Z", "", "write the local day"},
		"UTC of PostgreSQL":        {"2026-11-25_03:15:00+00", "", "write the local day"},
		"UTC of Go":                {"2026-11-25_03:15:00.25_+0000_UTC", "", "write the local day"},
		"UTC of twelve hours":      {"11/25/2026_3:15_AM_UTC", "", "write the local day"},
		"UTC after midnight":       {"11/25/2026_12:15_AM_UTC", "", "write the local day"},
		"UTC a second after":       {"2026-09-09T00:00:01Z", "", "write the local day"},
		"UTC of Java":              {"2026-11-25T03:15:00Z[UTC]", "", "write the local day"},
		"UTC of JavaScript":        {"Wed_Nov_25_2026_03:15:00_GMT+0000_(Coordinated_Universal_Time)", "", "write the local day"},
		"UTC by the zone's name":   {"2026-11-25_03:15:00,123_Etc/UTC", "", "write the local day"},
		"UTC with points":          {"11/25/2026_3:15_a.m._UTC", "", "write the local day"},
		"a night of New York":      {"Wed_Nov_25_2026_03:15:00_GMT-0500_(Eastern_Standard_Time)", "", "2026-11-25"},
		"a night without a zone":   {"11/25/2026_3:15_AM", "", "2026-11-25"},
		"a night of Chicago":       {"2026-11-25_03:15:00_CST", "", "2026-11-25"},
		"UTC in the afternoon":     {"11/25/2026_3:15_PM_UTC", "", "2026-11-25"},
		"UTC at noon":              {"11/25/2026_12:15_PM_UTC", "", "2026-11-25"},
		"a mere day of Go":         {"2026-11-25_00:00:00_+0000_UTC", "", "2026-11-25"},
		"a mere day of SQL":        {"2026-11-25_00:00:00+00", "", "2026-11-25"},
		"a mere day, twelve":       {"11/25/2026_12:00:00_AM_UTC", "", "2026-11-25"},
		"a mere day":               {"2026-09-09T00:00:00.000Z", "", "2026-09-09"},
		"a local night":            {"2026-09-09T00:30:00-07:00", "", "2026-09-09"},
		"the column knows better":  {"9/25/2026", sheet.DayFirst, "2026-09-25"},
		"short years":              {"09/25/26", "", "2026-09-25"},
		"points":                   {"25.09.2026", "", "2026-09-25"},
		"a name":                   {"11-Sep-26", "", "2026-09-11"},
		"a long name":              {"September_11,_2026", "", "2026-09-11"},
		"a day, a name":            {"11_Sept_2026", "", "2026-09-11"},
		"a year, a name":           {"2026-Sep-11", "", "2026-09-11"},
		"a weekday":                {"Fri_9/25/2026", "", "2026-09-25"},
		"a time":                   {"2026-09-11T08:30:00Z", "", "2026-09-11"},
		"a time of twelve hours":   {"9/25/2026_12:00_AM", "", "2026-09-25"},
		"slashes":                  {"2026/09/11", "", "2026-09-11"},
		"digits":                   {"20260911", "", "2026-09-11"},
		"counted":                  {"46276", "", "2026-09-11"},
		"counted, and a part":      {"46276.354", "", "2026-09-11"},
		"half of it changed":       {"25/09/2026 2026-11-09", "", "left others as they were, such as 25/09/2026; write"},
		"changed, the other way":   {"2026-11-09_00:00:00 9/25/2026 2026-12-09", "", "left others as they were, such as 9/25/2026; write"},
		"changed, but chosen":      {"2026-11-09_00:00:00 9/25/2026", sheet.MonthFirst, "2026-11-09"},
		"one typed":                {"2026-09-01 2026-09-07 08/31/2026", "", "2026-09-01"},
		"one typed, of one day":    {"2026-09-08 08/31/2026", "", "2026-09-08"},
		"one typed in the winter":  {"2027-01-12 12/31/2026", "", "2027-01-12"},
		"exports of two":           {"2026-09-03 9/25/2026", "", "2026-09-03"},
		"a swap that changes none": {"2026-09-09 9/25/2026", "", "2026-09-09"},
		"a real day above twelve":  {"25/09/2026 2026-11-09 2026-11-13", "", "2026-09-25"},
		"a text up to twelve":      {"25/09/2026 2026-11-09 11/09/2026", "", "2026-09-25"},
		"no day":                   {"2026-02-30", "", "not a date"},
		"no date":                  {"soon", "", "not a date"},
		"without a year":           {"9/25", "", "not a date"},
		"a year of three":          {"9/25/126", "", "not a date"},
		"an amount":                {"1,243.11", "", "not a date"},
		"an id":                    {"4627", "", "not a date"},
	} {
		t.Run(name, func(t *testing.T) {
			var texts []string
			for text := range strings.FieldsSeq(c.column) {
				texts = append(texts, strings.ReplaceAll(text, "_", " "))
			}
			dates, err := sheet.DatesOf("ship_date", texts, c.preferred)
			got := ""
			if err == nil {
				var date any
				date, err = dates.Parse(texts[0])
				got = strings.TrimSpace(strings.Trim(strings.ReplaceAll(sprint(date), "\"", ""), " "))
			}
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestNumbersAreReadByTheColumn(t *testing.T) {
	t.Parallel()
	for column, want := range map[string]string{
		"$1,243.11": "1243.11", "1243.11": "1243.11", "46.32%": "46.32 percent", "46.32_%": "46.32 percent", "USD_12": "12 amount",
		"(12.50)": "12.50 negative", "-12": "12 negative", "12-": "12 negative", "$-1,000": "1000 negative", "-$1.00": "1.00 negative",
		"$(36.80)": "36.80 negative", "(36.80)_USD": "36.80 negative", "36.80CR": "36.80 negative", "36.80_cr": "36.80 negative", "CR_$36.80": "36.80 negative",
		"<36.80>": "36.80 negative", "$<1,036.80>": "1036.80 negative", "$_-__": "0", "$-": "0", "-": "error", "CR": "error", "(36.80": "error", "12.50_DR": "error",
		"46,32": "46.32", "1.243,11": "1243.11", "1.243 46,32": "1243", "1,243": "1243", "1 243,11": "1", "1'243.50": "1243.50",
		"0,463": "0.463", ".5": "0.5", "+3": "3", "1,24": "1.24", "1,2,3": "error", "1.2.3": "error", "x": "error", "1e3": "error", "$": "error",
		"12 %5": "12", "1,,243": "error", "--1": "error", "٣": "error",
	} {
		t.Run(column, func(t *testing.T) {
			texts := strings.Fields(column)
			for i := range texts {
				texts[i] = strings.ReplaceAll(texts[i], "_", " ")
			}
			n, err := sheet.NumbersOf(texts, false).Parse(texts[0])
			got := n.Text
			for name, is := range map[string]bool{" negative": n.IsNegative, " percent": n.IsPercent} {
				if is {
					got += name
				}
			}
			if n.IsAmount && strings.HasSuffix(want, "amount") {
				got += " amount"
			}
			if err != nil {
				got = "error"
			}
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
