package packet

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	texttemplate "text/template"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

//go:embed letter.html
var letterText string

//go:embed verify.txt
var verifyText string

var letters = template.Must(template.New("letter").Funcs(template.FuncMap{
	"points": written[audit.Points], "cents": written[audit.Cents], "day": day, "text": text, "difference": difference, "moment": moment,
}).Parse(letterText))

var verifies = texttemplate.Must(texttemplate.New("verify").Parse(verifyText))

// letter is the page that prints. What would hide in its texts, such as U+202E, is shown as an escape.
func (p *Packet) letter() ([]byte, error) {
	var b bytes.Buffer
	err := letters.Execute(&b, p)
	return contracts.EscapeJSON(b.Bytes()), err
}

func (p *Packet) verify() ([]byte, error) {
	var b bytes.Buffer
	err := verifies.Execute(&b, p)
	return contracts.EscapeJSON(b.Bytes()), err
}

// Date is the day of the audit in New York.
func (p *Packet) Date() string { return day(contracts.Today(p.Audit.KeptAt)) }

// IsLimited tells whether the time for contesting is known of any line.
func (p *Packet) IsLimited() bool {
	return slices.ContainsFunc(p.Lines, func(r audit.Audited) bool { return r.ContestBy != "" })
}

// HasWeeks tells whether weeks are in the packet that a program can check.
func (p *Packet) HasWeeks() bool {
	return slices.ContainsFunc(p.Rates, func(r Rate) bool { return r.Week != nil && r.File != "" })
}

// HasDocuments tells whether any document is in the packet.
func (p *Packet) HasDocuments() bool {
	return slices.ContainsFunc(p.Documents, func(d Document) bool { return d.File != "" })
}

// IsWhole tells whether all documents are in the packet.
func (p *Packet) IsWhole() bool {
	return !slices.ContainsFunc(p.Documents, func(d Document) bool { return d.File == "" })
}

// day is such as September 9, 2026; empty for none.
func day(d contracts.Date) string {
	if d == "" {
		return ""
	}
	return d.Time().Format("January 2, 2006")
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// written is a number that may be unknown; empty for that.
func written[N audit.Points | audit.Cents](n *N) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// difference is by how much a line was billed too much, in USD or, where no amount is known, in points.
func difference(r audit.Audited) string {
	if r.RecoverableAmount != nil {
		return r.RecoverableAmount.String()
	}
	return r.VariancePoints.String() + " points"
}
