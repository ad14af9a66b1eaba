package api

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
)

// HeaderColumns is the header of an audit's reply that says, as a query string, which column was taken for what.
const HeaderColumns = "Assay-Columns"

// The parameters that say how a file of lines is read, and how its answer is written.
var (
	auditColumns = textsParam(Parameter{
		Name: "columns", Argument: Argument{Omitted: true},
		Description: "Reads the file as it was exported, CSV of any kind (§4.11.1). auto finds columns by their headings; " +
			"ship_date:Ship Dt,carrier:#3 says of some the heading or the place, min_amount: that there is none, sheet:May the " +
			"sheet. Without it an unknown column is refused.",
	})
	dateForm = choiceParam(Parameter{
		Name: "date_form", Argument: Argument{Omitted: true},
		Description: "Whether 9/11/2026 has the month or the day first, where the column does not tell. With columns only.",
	}, []sheet.DateForm{sheet.MonthFirst, sheet.DayFirst})
	percentForm = choiceParam(Parameter{
		Name: "percent_form", Argument: Argument{Omitted: true},
		Description: "Whether billed_pct is 46.32 (percent, the default) or 0.4632 (fraction) for the same. With columns, " +
			"values that look like fractions are refused without it.",
	}, lines.PercentForms)
	withTotals = booleanParam(Parameter{
		Name: "totals", Description: "false leaves the row TOTAL of a CSV out.", Argument: Argument{Omitted: true},
	}, true)
)

// columns is how the parameter columns says that the file is to be read.
func (r *Request) columns(parse func([]string) (sheet.Choice, error)) (how lines.Reading) {
	texts := auditColumns.of(r)
	if r.knows(dateForm.Name) {
		how.DateForm = dateForm.of(r)
	}
	if how.AsIs = len(texts) > 0; !how.AsIs {
		if how.DateForm != "" {
			r.violate(inQuery, dateForm.Name, "missing_params", "say columns=auto too: without it dates "+
				"are of the form YYYY-MM-DD")
		}
		return how
	}
	choice, err := parse(texts)
	if err != nil {
		r.violate(inQuery, auditColumns.Name, "value_error", err.Error())
	}
	how.Choice = choice
	return how
}

// reading is how the parameters of an audit say that the file is to be read.
func (r *Request) reading() (lines.Reading, error) {
	how := r.columns(audit.Schema.ParseColumns)
	how.Percents = percentForm.of(r)
	return how, r.err()
}

// columnsHeader says how the columns of a file that was read as it is were taken.
func columnsHeader(found *lines.Found) []Header {
	if found == nil {
		return nil
	}
	return []Header{{HeaderColumns, found.Text()}}
}

// sheetOf is the place of the sheet that was read of a workbook that has several, and 0 for others.
func sheetOf(found *lines.Found) int {
	if found == nil {
		return 0
	}
	return found.Sheet
}

// textsParam makes a parameter of free texts that may be repeated.
func textsParam(p Parameter) Param[[]string] {
	p.Schema = &jsonschema.Schema{Type: "array",
		Items: &jsonschema.Schema{Type: "string", MaxLength: jsonschema.Ptr(maxValue)}}
	p.read = func(r *Request, p *Parameter) (any, error) {
		var all []string
		for _, g := range r.given {
			if g.name == p.Name && g.value != "" {
				all = append(all, g.value)
			}
		}
		return all, nil
	}
	return Param[[]string]{&p}
}

// choiceParam makes a parameter that is one of some words; empty where it is not given.
func choiceParam[C ~string](p Parameter, all []C) Param[C] {
	p.Schema = enumSchema(all)
	return singleParam(p, "", func(p *Parameter, text string) (C, error) {
		for _, c := range all {
			if text == string(c) {
				return c, nil
			}
		}
		return "", p.invalid("enum", fmt.Sprintf("want one of %v", all))
	})
}
