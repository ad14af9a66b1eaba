package lines

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

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
	// AsIs reads a file as it was exported: Choice says what holds what, and the headings tell the rest. Else the members
	// are called by their names, and their values are written as the API writes them.
	AsIs   bool
	Choice sheet.Choice
	// DateForm is taken where a column of a file as it is does not tell its form itself.
	DateForm sheet.DateForm
	// Percents is the form of billed_pct; empty for what it looks like.
	Percents PercentForm
}

// Found is what was found in a file as it was exported.
type Found struct {
	// Columns has the heading of the column that holds each member, and the sheet of a workbook that has several. Other
	// are the headings of the columns that hold none.
	Columns map[string]string
	Other   []string
	// Sheet is the place of the sheet in a workbook that has several, from 1 on; 0 in others.
	Sheet int `json:",omitempty"`
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
func (s *Schema[L, P]) ParseColumns(texts []string) (sheet.Choice, error) {
	return sheet.ParseChoice(texts, s.fields)
}

// Preview matches the columns of a file as it is, without reading the values. Its error is for a file that has no rows
// at all.
func (s *Schema[L, P]) Preview(ctx context.Context, format Format, body []byte, choice sheet.Choice) (
	sheet.Matched, error) {
	if format == Workbook {
		return sheet.MatchWorkbook(ctx, body, s.fields, choice)
	}
	rows, err := rowsOf(format, body, s.fields)
	if err != nil {
		return sheet.Matched{}, err
	}
	return sheet.Match(rows, s.fields, choice), nil
}

// readAsIs reads a file as it was exported.
func (s *Schema[L, P]) readAsIs(ctx context.Context, file *File[L], format Format, body []byte, how Reading) error {
	m, err := s.Preview(ctx, format, body, how.Choice)
	if err == nil {
		err = m.Problem
	}
	if err != nil {
		return err
	}
	r := asIs{Matched: m, other: m.Other(), found: &Found{Columns: map[string]string{}, Percents: how.Percents}}
	if len(m.Sheets) > 1 {
		r.found.Columns[sheet.OfSheet], r.found.Sheet = m.Sheets[m.Sheet], m.Sheet+1
	}
	for _, at := range r.other {
		r.found.Other = append(r.found.Other, r.Heading(at))
	}
	var columns []valueColumn[L]
	for i := range s.Members {
		at, isThere := m.Columns[s.names[i]]
		if !isThere {
			continue
		}
		r.found.Columns[s.names[i]] = r.Heading(at)
		c := valueColumn[L]{Member: &s.Members[i], member: i, at: at}
		if err := c.findForm(&r, how); err != nil {
			return err
		}
		columns = append(columns, c)
	}
	file.Found = r.found
	for _, row := range m.Rows {
		if err := file.addLine(s.line(&r, columns, row)); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf are the rows of a file in any format but a workbook's.
func rowsOf(format Format, body []byte, fields sheet.Fields) ([]sheet.Row, error) {
	switch format {
	case CSV:
		return sheet.ReadText(body, fields.Score)
	case JSON:
		body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte(csvrow.ByteOrderMark)))
		if !bytes.HasPrefix(body, []byte("[")) {
			body = slices.Concat([]byte("["), body, []byte("]"))
		}
		var objects []json.RawMessage
		if err := json.Unmarshal(body, &objects); err != nil {
			return nil, sheet.Unreadable("the body is not JSON")
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

// asIs is a table whose columns are known.
type asIs struct {
	sheet.Matched
	other []int
	found *Found
}

// valueColumn is a column of a member, with the form of its values.
type valueColumn[L any] struct {
	*Member[L]
	member, at int
	dates      sheet.Dates
	numbers    sheet.Numbers
	isFraction bool
}

// findForm finds the form of a column's values.
func (c *valueColumn[L]) findForm(r *asIs, how Reading) (err error) {
	var texts []string
	for _, row := range r.Rows {
		if text := row.Cell(c.at); text != "" {
			texts = append(texts, text)
		}
	}
	switch {
	case c.Kind == Day, c.Kind == Moment:
		c.dates, err = sheet.DatesOf(r.Heading(c.at), texts, how.DateForm)
		r.found.DateForm = cmp.Or(c.dates.Form(), r.found.DateForm)
		c.dates.Is1904 = r.Is1904
	case c.Kind.IsNumber():
		c.numbers = sheet.NumbersOf(texts, c.Kind != Decimal)
	}
	if c.Kind == Rate && err == nil {
		c.isFraction, err = c.areFractions(texts, how.Percents)
	}
	return err
}

// LooksLikeFraction tells of a percent of a fuel surcharge that it is below 1.5, as fractions such as 0.4632 are. One
// alone proves nothing: where others of the same column or term are above, it is a low percent.
func LooksLikeFraction(percent float64) bool { return percent < 1.5 }

// areFractions tells whether percents are written as fractions, such as 0.4632. Where they only look so, the error
// asks.
func (c *valueColumn[L]) areFractions(texts []string, form PercentForm) (bool, error) {
	if form != "" {
		return form == AsFraction, nil
	}
	const enough = 3
	small := 0
	for _, text := range texts {
		n, err := c.numbers.Parse(text)
		if err != nil || strings.Trim(n.Text, "0.") == "" {
			continue
		}
		if value, err := strconv.ParseFloat(n.Text, 64); n.IsPercent || err != nil || !LooksLikeFraction(value) {
			return false, nil
		}
		small++
	}
	if small < enough {
		return false, nil
	}
	return false, contracts.Invalid("query", "percent_form", "undecided",
		"all of %s is below 1.5, which looks like fractions; say percent_form=fraction or percent", c.Name)
}

// line reads a row.
func (s *Schema[L, P]) line(r *asIs, columns []valueColumn[L], row sheet.Row) *L {
	var l P = new(L)
	h := l.head()
	h.Number = row.Line
	told := map[int]bool{} // a cell that two members have is told of once
	for _, c := range columns {
		if told[c.at] {
			continue
		}
		known := len(h.Errors)
		if text, problem := c.value(row.Cell(c.at)); problem != "" {
			h.Fail(c.Name, "%s", problem)
		} else {
			s.set(l, c.member, text)
		}
		told[c.at] = len(h.Errors) > known
	}
	if row.Problem != "" {
		h.Errors = nil
		h.Fail("", "%s", row.Problem)
	}
	for _, at := range r.other {
		h.Other = append(h.Other, row.Cell(at))
	}
	if i := s.memberIndex(id); i >= 0 && h.given&(1<<i) == 0 && len(h.Errors) == 0 {
		h.IsUnnamed = true
		s.set(l, i, strconv.Itoa(h.Number))
	}
	return l
}

// value writes a cell as the API would have it. problem says why it cannot.
func (c *valueColumn[L]) value(cell string) (text, problem string) {
	switch {
	case cell == "":
		return "", ""
	case c.Value != nil:
		return c.Value(cell), ""
	case c.Kind == Moment && isMoment(cell):
	case c.Kind == Day, c.Kind == Moment:
		date, err := c.dates.Parse(cell)
		if err != nil {
			return "", err.Error()
		}
		return string(date), ""
	case c.Kind.IsNumber():
		return c.decimal(cell)
	}
	return lineBreaks.Replace(cell), ""
}

var lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

func isMoment(cell string) bool {
	_, err := time.Parse(time.RFC3339, cell)
	return err == nil
}

func (c *valueColumn[L]) decimal(cell string) (text, problem string) {
	n, err := c.numbers.Parse(cell)
	switch {
	case err != nil:
		return "", err.Error()
	case n.IsNegative && strings.Trim(n.Text, "0.") != "":
		return "-" + n.Text, ""
	case n.IsPercent && c.Kind == Decimal:
		return "", "this is a percent, and an amount is wanted"
	case n.IsAmount && c.Kind != Decimal:
		return "", "this is an amount, and a percent is wanted"
	case c.isFraction && !n.IsPercent:
		return n.Text + "e2", ""
	}
	return n.Text, ""
}
