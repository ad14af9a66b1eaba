package site

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/packet"
)

// pageLines is how many lines of a result a page shows, and how many problems.
const pageLines = 200

// lineColumns are the columns of a result.
var lineColumns = []column{
	{Name: "Id"}, {Name: "Carrier"}, {Name: "Ship date", Look: "whole"}, {Name: "Verdict"},
	{Name: "Billed %", Look: "number"},
	{Name: "Expected %", Look: "number"}, {Name: "Billed USD", Look: "number"}, {Name: "Expected USD", Look: "number"},
	{Name: "Contestable USD", Look: "number"}, {Name: "Contest by", Look: "whole"}, {Name: "Reason", Look: "long"},
	{Name: "Proof"}, {Name: "Share"},
}

// shareLine is the form that the rows of a result share their proofs with.
const shareLine = "share-line"

// auditResult is the result of an audit, a page of it.
type auditResult struct {
	ID, Made string
	// Contract is the one that it went by; empty for what carriers published.
	Contract string
	Totals   []field
	// Problems are why lines have no verdict, each cause once, and the duplicates; MoreProblems counts those that are not
	// shown.
	Problems     []string
	MoreProblems int
	Lines        table
	// Claims are what may be contested of each carrier, for its packet.
	Claims []packet.Claim
	// lineRange is of the lines with a verdict.
	lineRange
}

// takeQuote takes the answer to a dry run, and returns the status of the page.
func (c *auditContent) takeQuote(a apiAnswer) (status int) {
	if c.Problem = a.problem; a.problem != "" {
		return a.status
	}
	rows, err := csv.NewReader(bytes.NewReader(a.body)).ReadAll()
	if err != nil || len(rows) != 2 {
		c.Problem = "The API's answer is not understood."
		return http.StatusInternalServerError
	}
	q := map[string]string{}
	for i, name := range rows[0] {
		q[name] = rows[1][i]
	}
	all, _ := strconv.Atoi(q["lines"])
	resolved, _ := strconv.Atoi(q["resolved"])
	free := all - resolved
	c.Quote = &fileQuote{
		Text: fmt.Sprintf("%s: %d will get a verdict, at %s USD each; %d cannot be judged and %s free. %s",
			lines.Plural(all, "line"), resolved, q["line_price_usd"], free, isOrAre(free),
			priced(q["price_usd"], q["live_price_usd"])),
		Step: "audit", Button: "Audit for " + q["price_usd"] + " USD",
	}
	var problems []audit.Problem
	if json.Unmarshal([]byte(q["problems"]), &problems) == nil { // empty for none
		for _, p := range problems {
			c.Quote.Causes = append(c.Quote.Causes, string(p.Verdict)+", "+p.Text())
		}
	}
	return http.StatusOK
}

// priced is a price in words, and for a test key that of a live one.
func priced(price, live string) string {
	text := "Price: " + price + " USD."
	if price != live {
		text += " With a live key: " + live + " USD."
	}
	return text
}

func pluralOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// newAuditResult shows an audit's lines from one on.
func newAuditResult(a kept.Audit, from int) *auditResult {
	t := &auditResult{
		ID: a.ID, Made: a.KeptAt.Format("2006-01-02 15:04") + " UTC", Contract: a.Contract, Totals: totalsOf(a),
		Lines:  table{ID: "lines", Columns: lineColumns},
		Claims: packet.Claims(a),
	}
	totals, today := audit.NewTotals(), contracts.Today(a.KeptAt)
	var judged []ranked
	for _, r := range a.Results {
		totals.Note(r.Number, r.Result)
		if r.Verdict.IsResolved() {
			judged = append(judged, ranked{r, worth(r.Result, today)})
		}
	}
	for _, p := range totals.Problems {
		t.Problems = append(t.Problems, p.Text())
	}
	for _, r := range a.Results {
		if r.Verdict == audit.Duplicate {
			t.addProblem(r.Result)
		}
	}
	slices.SortStableFunc(judged, func(a, b ranked) int { return slices.Compare(b.worth, a.worth) })
	t.lineRange = rangeOf(len(judged), from)
	for _, r := range judged[t.First-1 : t.Last] {
		t.Lines.Rows = append(t.Lines.Rows, lineCells(a.ID, r.Audited))
	}
	return t
}

// ranked is a line with what its place in the table goes by.
type ranked struct {
	audit.Audited
	worth []int64
}

// worth is whether a line may be contested on a day, by how much it was billed too high in cents, and in points, which
// alone are known of a line without amounts.
func worth(r audit.Result, today contracts.Date) []int64 {
	rising := []audit.Contestability{"", audit.Expired, audit.Undated, audit.Contestable}
	w := []int64{int64(slices.Index(rising, r.Contestability(today))), 0, 0}
	if r.RecoverableAmount != nil {
		w[1] = int64(*r.RecoverableAmount)
	}
	if r.VariancePoints != nil {
		w[2] = int64(*r.VariancePoints)
	}
	return w
}

// addProblem adds a duplicate.
func (t *auditResult) addProblem(r audit.Result) {
	if len(t.Problems) == pageLines {
		t.MoreProblems++
		return
	}
	text := string(r.Verdict)
	if r.ID != "" {
		text += ", id " + r.ID
	}
	t.Problems = append(t.Problems, text+": "+*r.Reason)
}

// totalsOf are the sums of an audit, and how many lines have each verdict.
func totalsOf(a kept.Audit) []field {
	s, undated, today := a.Sums, audit.Cents(0), contracts.Today(a.KeptAt)
	for _, r := range a.Results {
		if r.RecoverableAmount != nil && r.Contestability(today) == audit.Undated {
			undated += *r.RecoverableAmount
		}
	}
	facts := []field{
		{"Contestable", s.ContestableAmount.String() + " USD"}, {"Expired", s.ExpiredAmount.String() + " USD"},
		{"Deadline not known", undated.String() + " USD"},
		{"Recoverable", s.RecoverableAmount.String() + " USD"}, {"Billed less expected", s.VarianceAmount.String() + " USD"},
		{"Lines", strconv.Itoa(s.Lines)},
	}
	for _, v := range audit.Verdicts {
		if n := s.Verdicts[v]; n > 0 {
			facts = append(facts, field{string(v), strconv.Itoa(n)})
		}
	}
	return facts
}

// lineCells are those of a line of an audit in the table.
func lineCells(id string, r audit.Audited) []cell {
	name := fmt.Sprintf("line %d", r.Number)
	row := texts(cmp.Or(r.ID, name), r.Carrier, string(r.ShipDate), string(r.Verdict), written(r.BilledPct),
		written(r.ExpectedPct),
		written(r.BilledAmount), written(r.ExpectedAmount), written(r.ContestableAmount), string(r.ContestBy), "")
	if r.Reason != nil {
		row[len(row)-1].Text = *r.Reason
		if r.Formula != nil {
			row[len(row)-1].Text += " (" + *r.Formula + ")"
		}
	}
	if r.PublishedPct == nil { // it rests on a table or a price of diesel
		return append(row, cell{Text: "In the packet"}, cell{})
	}
	return append(row, proofOf(id, r), cell{
		Text: "Share", Form: shareLine, Send: field{"line", strconv.Itoa(r.Number)},
		Label: "Share the proof of " + name,
	})
}

// proofOf leads to what the carrier published for a line: its week is not always that of the ship date.
func proofOf(id string, r audit.Audited) cell {
	question := url.Values{"carrier": {r.Carrier}, "as_of": {string(r.EffectiveDate)},
		"audit": {fmt.Sprintf("%s.%d", id, r.Number)}}
	return cell{Text: "Proof", Link: proofPath + "?" + question.Encode(),
		Label: fmt.Sprintf("Proof of line %d, %s on %s", r.Number, r.Carrier, r.ShipDate)}
}

// written is a number that may be unknown; empty for that.
func written[N audit.Points | audit.Cents](n *N) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}
