package packet

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
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
	"points": written[audit.Points], "cents": written[audit.Cents], "day": day, "text": text, "difference": difference,
	"moment": moment,
	"sum":    sum, "refund": refund,
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

// Percents are those of a week that lines of the packet rest on, such as "46.32, and 92.64 for truckloads".
func (p *Packet) Percents(w contracts.SurchargeWeek) string {
	var texts []string
	isOf := func(isTruckload bool) func(audit.Audited) bool {
		return func(r audit.Audited) bool {
			return r.EffectiveDate == w.EffectiveDate && r.IsTruckload(w) == isTruckload
		}
	}
	if slices.ContainsFunc(p.lines(), isOf(false)) {
		texts = append(texts, fmt.Sprint(w.Percent))
	}
	if slices.ContainsFunc(p.lines(), isOf(true)) {
		texts = append(texts, fmt.Sprintf("%v for truckloads", *w.TruckloadPercent))
	}
	return strings.Join(texts, ", and ")
}

// day is such as September 9, 2026; empty for none.
func day(d contracts.Date) string { return d.Format("January 2, 2006") }

// sum is by how much lines were billed too much: in USD, and in points where no amounts are known, such as
// "USD 30.00, and 1 of them by 47.38 percentage points".
func sum(lines []audit.Audited) string {
	amount, points := apart(lines)
	if len(points) == 0 {
		return "USD " + amount.String()
	}
	by := slices.Min(points).String()
	if most := slices.Max(points).String(); most != by {
		by += " to " + most
	}
	if by += " percentage points"; len(points) == len(lines) {
		return by
	}
	return fmt.Sprintf("USD %s, and %d of them by %s", amount, len(points), by)
}

// refund is what is asked for.
func refund(lines []audit.Audited) string {
	const above = "what you charged above the right percent"
	switch amount, points := apart(lines); {
	case len(points) == 0:
		return "USD " + amount.String()
	case len(points) == len(lines):
		return above
	default:
		return fmt.Sprintf("USD %s and, where no amount is shown, %s", amount, above)
	}
}

// apart are the sum of the lines whose amounts are known, and the points of the others.
func apart(lines []audit.Audited) (amount audit.Cents, points []audit.Points) {
	for _, r := range lines {
		if r.RecoverableAmount != nil {
			amount += *r.RecoverableAmount
		} else {
			points = append(points, *r.VariancePoints)
		}
	}
	return amount, points
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
