// Package lines reads files of lines that people upload, such as invoices and customers, as JSON, NDJSON, CSV and
// workbooks, and writes a result for each line in the form of the file. What a line holds is a [Schema]; what a result
// is, is a [Results].
package lines

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
)

// Head is what every line has, whatever it is of. A line's type embeds it.
type Head struct {
	// Number is the line of the text, or the place in a JSON list, counted from 1.
	Number int
	// Other are the cells of the columns that hold no member, in a file that was read as it is.
	Other []string
	// Errors say what is wrong with the line; none for a line that can be read. Each begins with the line's number.
	Errors []string
	// IsUnnamed: the file says no id of the line, which is called by its number.
	IsUnnamed bool
	// IsCredit: [Member.Set] said [ErrCredit].
	IsCredit bool
	// given has a bit for each member that was given.
	given uint64
}

// ErrCredit is for an amount of a bill that is below zero.
var ErrCredit = errors.New("CREDIT: a negative amount is a credit, which is not audited")

func (h *Head) head() *Head { return h }

// Fail notes what is wrong with a member of the line, or with the whole line when the name is empty.
func (h *Head) Fail(name, format string, args ...any) {
	where := fmt.Sprintf("line %d: ", h.Number)
	if name != "" {
		where += name + ": "
	}
	h.Errors = append(h.Errors, where+fmt.Sprintf(format, args...))
}

// Line is a pointer to a line, whose type embeds [Head].
type Line[L any] interface {
	*L
	head() *Head
}

// Member is a member of a line: of a JSON object, or a column of a CSV.
type Member[L any] struct {
	Name string
	// Required members must be given.
	Required bool
	// Text says what it is.
	Text string
	Kind Kind
	Set  func(l *L, text string) error
	// Value is a cell of a file that was read as it is, as the API writes it; nil where that is the same.
	Value func(cell string) string
}

// Kind is what a member's text holds.
type Kind string

// The kinds. A number may stand for a decimal or a percent in JSON. A Rate is a percent that files also write as a
// fraction. A Moment is a day, or a time as RFC 3339 has it.
const (
	Text    Kind = "text"
	Day     Kind = "day"
	Moment  Kind = "moment"
	Decimal Kind = "decimal"
	Percent Kind = "percent"
	Rate    Kind = "rate"
)

// IsNumber tells whether the member is one.
func (k Kind) IsNumber() bool { return k == Decimal || k == Percent || k == Rate }

// id is the member by which a line is called. In a file that was read as it is, lines without one are called by their
// numbers.
const id = "id"

// Schema is what the lines of a file are. Make one with [New].
type Schema[L any, P Line[L]] struct {
	// Members are all members of a line, at most 64.
	Members []Member[L]
	// Options are the query parameters that a JSON object may also have as members.
	Options []string
	// Finish is told of a line for which all that was given is set, before it is seen that what is required was.
	Finish func(l P, how Reading)
	// MayBeEmpty takes a file that has headings and no lines.
	MayBeEmpty bool

	names, required []string
	fields          sheet.Fields
}

// New makes a schema ready. Headings are what the columns of the members are called in files of people.
func New[L any, P Line[L]](s Schema[L, P], headings map[string]sheet.Field) *Schema[L, P] {
	var fields []sheet.Field
	for _, m := range s.Members {
		s.names = append(s.names, m.Name)
		if m.Required {
			s.required = append(s.required, m.Name)
		}
		f := headings[m.Name]
		f.Name, f.Required = m.Name, m.Required && m.Name != id
		switch {
		case m.Kind.IsNumber():
			f.Same = sheet.SameNumber
		case m.Kind == Day, m.Kind == Moment:
			f.IsDay, f.Looks = true, sheet.LooksLikeDay
		}
		fields = append(fields, f)
	}
	s.fields = sheet.NewFields(fields...)
	return &s
}

// set gives a member of the line its text. Texts that are empty or blank are not given.
func (s *Schema[L, P]) set(l P, i int, text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	m, h := &s.Members[i], l.head()
	err := checkText(text)
	if err == nil {
		err = m.Set(l, text)
	}
	if err != nil {
		h.Fail(m.Name, "%v", err)
		h.IsCredit = h.IsCredit || errors.Is(err, ErrCredit)
	}
	h.given |= 1 << i
}

// finish checks what every line needs, once all that was given is set.
func (s *Schema[L, P]) finish(l P, how Reading) {
	if s.Finish != nil {
		s.Finish(l, how)
	}
	h := l.head()
	if len(h.Errors) > 0 {
		return
	}
	for i, m := range s.Members {
		if m.Required && h.given&(1<<i) == 0 {
			h.Fail(m.Name, "this is required")
		}
	}
}

func (s *Schema[L, P]) memberIndex(name string) int { return slices.Index(s.names, name) }

func (s *Schema[L, P]) known() string { return strings.Join(s.names, ", ") }

// maxText bounds a member's text, in characters, as it bounds a parameter's.
const maxText = 200

// checkText refuses what no name, number or date has in it.
func checkText(text string) error {
	isControl := func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }
	switch {
	case !utf8.ValidString(text):
		return errors.New("this is not valid UTF-8")
	case len(text) > maxText && utf8.RuneCountInString(text) > maxText:
		return fmt.Errorf("at most %d characters are allowed", maxText)
	case strings.ContainsFunc(text, isControl):
		return errors.New("control characters are not allowed")
	case strings.ContainsFunc(text, contracts.Invisible):
		return errors.New("invisible characters are not allowed")
	}
	return nil
}
