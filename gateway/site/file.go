package site

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/sheet"
)

// fileKind is what the lines of an uploaded file are, and what reads its columns.
type fileKind struct {
	members []fileMember
	// asks are the forms of values that a person may say, by the names of the API's parameters.
	asksDates, asksPercents bool

	parse   func([]string) (sheet.Choice, error)
	preview func(context.Context, lines.Format, []byte, sheet.Choice) (sheet.Matched, error)
}

// fileMember is a member of a line.
type fileMember struct {
	Name, Text string
	Required   bool
}

func kindOf[L any, P lines.Line[L]](s *lines.Schema[L, P]) *fileKind {
	k := &fileKind{parse: s.ParseColumns, preview: s.Preview}
	for _, m := range s.Members {
		k.members = append(k.members, fileMember{m.Name, m.Text, m.Required})
		k.asksDates = k.asksDates || m.Kind == lines.Day
		k.asksPercents = k.asksPercents || m.Kind == lines.Rate
	}
	return k
}

// optional are the members that a line may lack.
func (k *fileKind) optional() (names []string) {
	for _, m := range k.members {
		if !m.Required {
			names = append(names, m.Name)
		}
	}
	return names
}

// fileForm is a file of lines, with how a person wants it read.
type fileForm struct {
	kind *fileKind
	// Name is the file's. File is its content, of which Content is the base64.
	Name    string
	file    []byte
	Content string
	// DateForm, PercentForm, Sheet and columns are what a person said about the file.
	DateForm, PercentForm, Sheet string
	columns                      map[string]string
}

// readRequest takes the file that was chosen or pasted, or that the page before sent on.
func (f *fileForm) readRequest(r *Request) (err error) {
	f.Name, f.Content = r.PostForm.Get("name"), r.PostForm.Get("content")
	f.takeChoices(r.PostForm)
	if f.Content != "" {
		if f.file, err = base64.StdEncoding.DecodeString(f.Content); err != nil {
			return contracts.Invalid("body", "content", "base64", "this is not the content of a file")
		}
		return nil
	}
	if f.file, f.Name, err = sentFile(r); err != nil && strings.TrimSpace(r.PostForm.Get("pasted")) != "" {
		f.file, f.Name, err = []byte(r.PostForm.Get("pasted")), "", nil
	}
	f.Content = base64.StdEncoding.EncodeToString(f.file)
	return err
}

// fileFields are the file as hidden fields, which the page after sends on.
func (f *fileForm) fileFields() []field { return []field{{"name", f.Name}, {"content", f.Content}} }

// sentFile is the file of a form, which must have one.
func sentFile(r *Request) (content []byte, name string, err error) {
	file, header, err := r.FormFile("file")
	if err != nil {
		return nil, "", contracts.Invalid("body", "file", "missing", "choose a file")
	}
	defer file.Close()
	content, err = io.ReadAll(file)
	return content, header.Filename, err
}

// filePage is what a page has that takes a file of lines: the form, what is read as what and the price once a file was
// chosen.
type filePage struct {
	// Path is the page's own, Token is for its forms.
	Path, Token     string
	Allowed, IsLive bool
	LinePrice       contracts.Price
	// Optional are the columns that a file may have beside those that it must have.
	Optional               []string
	MaxLines, MaxMegabytes int
	LimitState             ratelimit.Decision
	// Problem is why there is no price and no result, in the API's words; empty for none.
	Problem string
	// Match is how the file's columns are read; nil before a file was chosen.
	Match *fileMatch
	Quote *fileQuote
}

func (s *Site) newFilePage(r *Request, path string, p contracts.Product, price contracts.Price,
	kind *fileKind) filePage {
	return filePage{
		Path: path, Token: s.token(r), Allowed: r.Caller.Allows(p), IsLive: r.Caller.Environment == contracts.Live,
		LinePrice: price,
		Optional:  kind.optional(), MaxLines: lines.MaxLines, MaxMegabytes: lines.MaxBytes >> 20,
	}
}

// fileQuote is what a file would cost, in a sentence. The button Button sends the file to be answered: its step is
// Step.
type fileQuote struct {
	Text, Step, Button string
	// Causes are why lines will not be answered, or not well.
	Causes []string
}

// fileMatch is which column of a file is read as what, with the first lines, and what a person may say otherwise.
type fileMatch struct {
	Members []memberColumn
	// Sheets are those of a workbook that has several.
	Sheets []option
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

const (
	// sampleLines is how many lines of a file are shown before it is audited.
	sampleLines = 3
	// noColumn says that a member has no column, and columnField begins the names of the fields that say which column it
	// has.
	noColumn    = "-"
	columnField = "column_"
	// sheetWas is the field with the sheet whose columns were shown.
	sheetWas = "sheet_was"
)

// takeChoices takes what a person said about the columns and the values of the file.
func (f *fileForm) takeChoices(form url.Values) {
	f.DateForm, f.PercentForm, f.columns = form.Get("date_form"), form.Get("percent_form"), map[string]string{}
	f.Sheet = form.Get(columnField + sheet.OfSheet)
	for _, m := range f.kind.members {
		// else they are those of another sheet
		if chosen := form.Get(columnField + m.Name); chosen != "" && f.Sheet == form.Get(sheetWas) {
			f.columns[m.Name] = chosen
		}
	}
}

// query are the choices as parameters of the API.
func (f *fileForm) query() url.Values {
	query := url.Values{"columns": {sheet.Auto}}
	if f.Sheet != "" {
		query.Add("columns", sheet.OfSheet+":"+f.Sheet)
	}
	for _, m := range f.kind.members {
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
func (f fileForm) Chosen() (all []field) {
	all = append(all, field{"date_form", f.DateForm}, field{"percent_form", f.PercentForm},
		field{columnField + sheet.OfSheet, f.Sheet}, field{sheetWas, f.Sheet})
	for _, m := range f.kind.members {
		if chosen := f.columns[m.Name]; chosen != "" {
			all = append(all, field{columnField + m.Name, chosen})
		}
	}
	return all
}

// format is that of the file, by its first bytes.
func (f *fileForm) format() lines.Format {
	if sheet.IsWorkbook(f.file) {
		return lines.Workbook
	}
	return lines.CSV
}

// match matches the columns of the file; nil for one that has none.
func (f *fileForm) match(ctx context.Context) *fileMatch {
	query := f.query()
	choice, err := f.kind.parse(query["columns"])
	if err != nil {
		return nil
	}
	m, err := f.kind.preview(ctx, f.format(), f.file, choice)
	if err != nil || len(m.Headings) == 0 && len(m.Sheets) < 2 {
		return nil
	}
	shown := &fileMatch{Sheets: sheetsToChoose(m.Sheets, f.Sheet)}
	if len(m.Headings) == 0 {
		return shown
	}
	samples := m.Rows[:min(len(m.Rows), sampleLines)]
	if f.kind.asksDates {
		shown.Dates = datesToChoose(f.DateForm)
	}
	if f.kind.asksPercents {
		shown.Percent = percentsToChoose(f.PercentForm)
	}
	for _, row := range samples {
		shown.Samples = append(shown.Samples, row.Line)
	}
	for _, member := range f.kind.members {
		c := memberColumn{Name: member.Name, Text: member.Text, Required: member.Required && member.Name != "id",
			Options: columnsToChoose(m, member.Name)}
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
