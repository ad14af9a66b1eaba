package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"assay.dev/contracts"
)

// report is an answer as a person at a terminal reads it. What came from elsewhere is printed without control and
// invisible characters.
type report struct {
	out   io.Writer
	table *tabwriter.Writer
}

func newReport(out io.Writer) *report {
	return &report{out, tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
}

// row adds a row of cells to the table; nil is printed as -.
func (r *report) row(cells ...any) {
	texts := make([]string, len(cells))
	for i, cell := range cells {
		texts[i] = cellText(cell)
	}
	fmt.Fprintln(r.table, strings.Join(texts, "\t"))
}

// line ends the table and adds a line of text.
func (r *report) line(format string, args ...any) {
	_ = r.table.Flush()
	fmt.Fprintln(r.out, visible(fmt.Sprintf(format, args...)))
}

func (r *report) flush() error { return r.table.Flush() }

// claim says how sure something of the answer is, where it was read, and what it says about itself.
func (r *report) claim(what string, v contracts.Verifiability) {
	r.line("")
	r.line("%s: confidence %v, read %s by %s from %s", what, v.ExtractionConfidence,
		moment(v.SourceTimestamp),
		v.ExtractionMethod, v.RawDataEvidenceURL)
	if len(v.NotReported) > 0 {
		r.line("not reported, so empty means nothing: %s", strings.Join(v.NotReported, ", "))
	}
	if len(v.Inferred) > 0 {
		r.line("inferred, not printed by the source: %s", strings.Join(v.Inferred, ", "))
	}
	for _, n := range v.Notes {
		r.line("%s: %s", n.Code, n.Message)
	}
}

// moment is a time as a person at a terminal reads it.
func moment(t time.Time) string { return t.UTC().Format(time.DateTime + "Z") }

func cellText(cell any) string {
	text := ""
	switch v := cell.(type) {
	case nil:
	case *float64:
		if v != nil {
			text = fmt.Sprint(*v)
		}
	case *string:
		if v != nil {
			text = *v
		}
	default:
		text = fmt.Sprint(v)
	}
	return cmp.Or(visible(text), "-")
}

// visible is a text on one line, without what would do something to a terminal.
func visible(text string) string {
	return strings.NewReplacer("\t", "?", "\n", "?", "\r", "?").Replace(contracts.Visible(text))
}
