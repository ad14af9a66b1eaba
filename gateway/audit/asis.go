package audit

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
	"assay.dev/platform/csvrow"
)

// PercentForm is how a file writes percents.
type PercentForm string

// The forms: 46.32, and 0.4632 for the same.
const (
	InPercent  PercentForm = "percent"
	AsFraction PercentForm = "fraction"
)

// PercentForms lists both.
var PercentForms = []PercentForm{InPercent, AsFraction}

// Reading is how the lines of a file are to be read.
type Reading struct {
	// AsIs reads a file as it was exported: Choice says what holds what, and the headings tell the rest. Else the members are called by
	// their names, and their values are written as the API writes them.
	AsIs   bool
	Choice sheet.Choice
	// DateForm is taken where a column of a file as it is does not tell its form itself.
	DateForm sheet.DateForm
	// Percents is the form of billed_pct; empty for what it looks like.
	Percents PercentForm
}

// Found is what was found in a file as it was exported.
type Found struct {
	// Columns has the heading of the column that holds each member, and Other the headings of those that hold none.
	Columns map[string]string
	Other   []string
	// DateForm and Percents are those that were read by; empty where no value needed one.
	DateForm sheet.DateForm
	Percents PercentForm
}

// Text is what was found as a query string, for a header: each member with its heading, and the forms.
func (f *Found) Text() string {
	values := url.Values{}
	for name, heading := range f.Columns {
		values.Set(name, heading)
	}
	if f.DateForm != "" {
		values.Set("date_form", string(f.DateForm))
	}
	if f.Percents != "" {
		values.Set("percent_form", string(f.Percents))
	}
	return values.Encode()
}

// ParseColumns reads what a person said about the columns.
func ParseColumns(texts []string) (sheet.Choice, error) { return sheet.ParseChoice(texts, fields) }

// Preview matches the columns of a file as it is, without reading the values. Its error is for a file that has no rows at all.
func Preview(format Format, body []byte, choice sheet.Choice) (sheet.Matched, error) {
	rows, err := rowsOf(format, body)
	if err != nil {
		return sheet.Matched{}, err
	}
	return sheet.Match(rows, fields, choice), nil
}

// readAsIs reads a file as it was exported.
func readAsIs(format Format, body []byte, how Reading) (File, error) {
	m, err := Preview(format, body, how.Choice)
	if err == nil {
		err = m.Problem
	}
	if err != nil {
		return File{}, err
	}
	r := asIs{Matched: m, other: m.Other(), found: &Found{Columns: map[string]string{}, Percents: how.Percents}}
	for _, at := range r.other {
		r.found.Other = append(r.found.Other, r.headingOf(at))
	}
	for _, member := range Members {
		at, isThere := m.Columns[member.Name]
		if !isThere {
			continue
		}
		r.found.Columns[member.Name] = r.headingOf(at)
		if err := r.addColumn(member, at, how); err != nil {
			return File{}, err
		}
	}
	file := File{Found: r.found}
	for _, row := range m.Rows {
		if err := file.add(r.line(row)); err != nil {
			return File{}, err
		}
	}
	return file, nil
}

// rowsOf are the rows of a file in any format.
func rowsOf(format Format, body []byte) ([]sheet.Row, error) {
	switch format {
	case Workbook:
		return sheet.ReadWorkbook(body)
	case CSV:
		return sheet.ReadText(body, fields.Score)
	case JSON:
		body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte(csvrow.ByteOrderMark)))
		if !bytes.HasPrefix(body, []byte("[")) {
			body = slices.Concat([]byte("["), body, []byte("]"))
		}
		var objects []json.RawMessage
		if err := json.Unmarshal(body, &objects); err != nil {
			return nil, unreadable("the body is not JSON")
		}
		return sheet.ReadObjects(objects, func(i int) int { return i + 1 })
	}
	var objects []json.RawMessage
	var numbers []int
	number := 0
	for text := range bytes.Lines(bytes.TrimPrefix(body, []byte(csvrow.ByteOrderMark))) {
		number++
		if text = bytes.TrimSpace(text); len(text) > 0 {
			objects, numbers = append(objects, text), append(numbers, number)
		}
	}
	return sheet.ReadObjects(objects, func(i int) int { return numbers[i] })
}

// asIs reads the lines of a table whose columns are known.
type asIs struct {
	sheet.Matched
	columns []valueColumn
	other   []int
	found   *Found
}

// valueColumn is a column of a member, with the form of its values.
type valueColumn struct {
	Member
	at         int
	dates      sheet.Dates
	numbers    sheet.Numbers
	isFraction bool
}

func (r *asIs) headingOf(at int) string {
	if r.Headings[at] == "" {
		return "#" + strconv.Itoa(at+1)
	}
	return r.Headings[at]
}

// addColumn finds the form of a column's values.
func (r *asIs) addColumn(m Member, at int, how Reading) (err error) {
	c := valueColumn{Member: m, at: at}
	var texts []string
	for _, row := range r.Rows {
		if text := row.Cell(at); text != "" {
			texts = append(texts, text)
		}
	}
	switch m.Kind {
	case Day:
		if c.dates, err = sheet.DatesOf(m.Name, texts, how.DateForm); c.dates.Form != "" {
			r.found.DateForm = c.dates.Form
		}
	case Decimal:
		c.numbers = sheet.NumbersOf(texts)
	}
	if m.Name == "billed_pct" && err == nil {
		c.isFraction, err = c.areFractions(texts, how.Percents)
	}
	r.columns = append(r.columns, c)
	return err
}

// areFractions tells whether percents are written as fractions, such as 0.4632. Where they only look so, the error asks.
func (c *valueColumn) areFractions(texts []string, form PercentForm) (bool, error) {
	if form != "" {
		return form == AsFraction, nil
	}
	const enough, most = 3, "1.5"
	small := 0
	for _, text := range texts {
		n, err := c.numbers.Parse(text)
		switch {
		case err != nil || strings.Trim(n.Text, "0.") == "":
		case n.IsPercent || !isBelow(n.Text, most):
			return false, nil
		default:
			small++
		}
	}
	if small < enough {
		return false, nil
	}
	return false, contracts.Invalid("query", "percent_form", "undecided",
		"all of billed_pct is below 1.5, which looks like fractions; say percent_form=fraction or percent")
}

func isBelow(text, bound string) bool {
	n, err1 := ParsePoints(text)
	most, err2 := ParsePoints(bound)
	return err2 == nil && (err1 == nil && n < most || err1 != nil && strings.HasPrefix(text, "0."))
}

// line reads a row.
func (r *asIs) line(row sheet.Row) Line {
	l := Line{Number: row.Line}
	for _, c := range r.columns {
		text, problem := c.value(row.Cell(c.at))
		if problem != "" {
			l.fail(c.Name, "%s", problem)
			continue
		}
		l.set(c.Member, text)
	}
	for _, at := range r.other {
		l.Other = append(l.Other, row.Cell(at))
	}
	if l.ID == "" && len(l.Errors) == 0 {
		l.ID = strconv.Itoa(l.Number)
	}
	return l
}

// value writes a cell as the API would have it. problem says why it cannot.
func (c *valueColumn) value(cell string) (text, problem string) {
	switch {
	case cell == "":
		return "", ""
	case c.Name == "carrier":
		if carrier, ok := contracts.CarrierNamed(cell); ok {
			return string(carrier), ""
		}
	case c.Name == "service":
		if s, ok := services[strings.ToLower(cell)]; ok {
			return string(s), ""
		}
	case c.Kind == Day:
		date, err := c.dates.Parse(cell)
		if err != nil {
			return "", "this is not a date that is understood, such as 2026-09-11, 9/11/2026 or 11-Sep-26"
		}
		return string(date), ""
	case c.Kind == Decimal:
		return c.decimal(cell)
	}
	return cell, ""
}

func (c *valueColumn) decimal(cell string) (text, problem string) {
	n, err := c.numbers.Parse(cell)
	isPercent := strings.HasSuffix(c.Name, "_pct") || c.Name == "discount_points"
	switch {
	case err != nil:
		return "", "this is not a number that is understood, such as $1,243.11"
	case n.IsNegative && strings.Trim(n.Text, "0.") != "":
		return "", "CREDIT: a negative amount is a credit, which is not audited"
	case n.IsPercent && !isPercent:
		return "", "this is a percent, and an amount is wanted"
	case n.IsAmount && isPercent:
		return "", "this is an amount, and a percent is wanted"
	case c.isFraction && !n.IsPercent:
		return n.Text + "e2", ""
	}
	return n.Text, ""
}
