package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
)

// auditMatch is which column of a file is read as what, with the first lines, and what a person may say otherwise.
type auditMatch struct {
	Members []memberColumn
	// Samples are the numbers of the lines that are shown.
	Samples []int
	Dates   []option
	Percent []option
	// Other are the columns that hold no member.
	Other []string
}

// memberColumn is a member of a line with the columns that may hold it.
type memberColumn struct {
	Name, Text string
	Required   bool
	Options    []option
	Samples    []string
}

// option is one of a list to choose from.
type option struct {
	Value, Text string
	Selected    bool
}

const (
	// sampleLines is how many lines of a file are shown before it is audited.
	sampleLines = 3
	// noColumn says that a member has no column, and columnField begins the names of the fields that say which column it has.
	noColumn    = "-"
	columnField = "column_"
)

// takeChoices takes what a person said about the columns and the values of the file.
func (f *auditForm) takeChoices(form url.Values) {
	f.DateForm, f.PercentForm, f.columns = form.Get("date_form"), form.Get("percent_form"), map[string]string{}
	for _, m := range audit.Schema.Members {
		if chosen := form.Get(columnField + m.Name); chosen != "" {
			f.columns[m.Name] = chosen
		}
	}
}

// query are the choices as parameters of the API.
func (f *auditForm) query() url.Values {
	query := url.Values{"columns": {sheet.Auto}}
	for _, m := range audit.Schema.Members {
		if chosen := f.columns[m.Name]; chosen != "" {
			query.Add("columns", m.Name+":"+strings.TrimPrefix(chosen, noColumn))
		}
	}
	for name, value := range map[string]string{"date_form": f.DateForm, "percent_form": f.PercentForm} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// Chosen are the choices as hidden fields.
func (f auditForm) Chosen() (all []field) {
	all = append(all, field{"date_form", f.DateForm}, field{"percent_form", f.PercentForm})
	for _, m := range audit.Schema.Members {
		if chosen := f.columns[m.Name]; chosen != "" {
			all = append(all, field{columnField + m.Name, chosen})
		}
	}
	return all
}

// format is that of the file, by its first bytes.
func (f *auditForm) format() lines.Format {
	if sheet.IsWorkbook(f.file) {
		return lines.Workbook
	}
	return lines.CSV
}

// match matches the columns of the file; nil for one that has none.
func (f *auditForm) match() *auditMatch {
	query := f.query()
	choice, err := audit.Schema.ParseColumns(query["columns"])
	if err != nil {
		return nil
	}
	m, err := audit.Schema.Preview(f.format(), f.file, choice)
	if err != nil || len(m.Headings) == 0 {
		return nil
	}
	samples := m.Rows[:min(len(m.Rows), sampleLines)]
	shown := &auditMatch{Dates: datesToChoose(f.DateForm), Percent: percentsToChoose(f.PercentForm)}
	for _, row := range samples {
		shown.Samples = append(shown.Samples, row.Line)
	}
	for _, member := range audit.Schema.Members {
		c := memberColumn{Name: member.Name, Text: member.Text, Required: member.Required && member.Name != "id", Options: columnsToChoose(m, member.Name)}
		at, isThere := m.Columns[member.Name]
		for _, row := range samples {
			if isThere {
				c.Samples = append(c.Samples, row.Cell(at))
			} else {
				c.Samples = append(c.Samples, "")
			}
		}
		shown.Members = append(shown.Members, c)
	}
	slices.SortStableFunc(shown.Members, func(a, b memberColumn) int { return cmp.Compare(rankIn(m, a), rankIn(m, b)) })
	for _, i := range m.Other() {
		shown.Other = append(shown.Other, headingAt(m, i))
	}
	return shown
}

// rankIn sorts required members first, then those that have a column, then the others.
func rankIn(m sheet.Matched, c memberColumn) int {
	_, isThere := m.Columns[c.Name]
	switch {
	case c.Required:
		return 0
	case isThere:
		return 1
	}
	return 2
}

func headingAt(m sheet.Matched, i int) string {
	return cmp.Or(m.Headings[i], fmt.Sprintf("column %d", i+1))
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
