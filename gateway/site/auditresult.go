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
	"strings"

	"assay.dev/gateway/audit"
)

// pageLines is how many lines of a result a page shows, and how many problems.
const pageLines = 200

// lineColumns are the columns of a result, which audit.js finds in the table's head.
var lineColumns = []column{
	{"Id", "id", ""}, {"Carrier", "carrier", ""}, {"Ship date", "ship_date", "whole"}, {"Verdict", "verdict", ""},
	{"Expected %", "expected_pct", "number"}, {"Points off", "variance_points", "number"}, {"Expected USD", "expected_amount", "number"},
	{"Recoverable USD", "recoverable_amount", "number"}, {"Contest by", "contest_by", "whole"}, {"Reason", "reason", "long"}, {"Proof", "", ""},
}

// auditResult is the result of an audit, a page of it. Without an audit its table is empty and IsThere false.
type auditResult struct {
	IsThere bool
	Totals  []field
	// Problems are why lines have no verdict, each cause once, and the duplicates; MoreProblems counts those that are not shown.
	Problems     []string
	MoreProblems int
	Lines        table
	// Judged counts the lines with a verdict, of which First to Last are shown. Before and Next are where the pages around this one begin;
	// below zero for none.
	Judged, First, Last, Before, Next int
}

// auditedLine is a row of the API's CSV by the names of its columns.
type auditedLine map[string]string

func (l auditedLine) isJudged() bool { return audit.Verdict(l["verdict"]).IsResolved() }

// recoverable is for the order of lines alone.
func (l auditedLine) recoverable() float64 {
	n, _ := strconv.ParseFloat(l["recoverable_amount"], 64) // 0 for none
	return n
}

// linesOf reads a CSV with a header.
func linesOf(body []byte) ([]auditedLine, error) {
	rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil, fmt.Errorf("the CSV of an audit has %d rows: %w", len(rows), err)
	}
	var lines []auditedLine
	for _, row := range rows[1:] {
		line := auditedLine{}
		for i, name := range rows[0] {
			line[name] = row[i]
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// takeQuote takes the answer to a dry run, and returns the status of the page.
func (c *auditContent) takeQuote(a apiAnswer) (status int) {
	if c.Problem = a.problem; a.problem != "" {
		return a.status
	}
	lines, err := linesOf(a.body)
	if err != nil {
		c.Problem = "The API's answer is not understood."
		return http.StatusInternalServerError
	}
	q := lines[0]
	all, _ := strconv.Atoi(q["lines"])
	resolved, _ := strconv.Atoi(q["resolved"])
	c.Quote = &auditQuote{
		Lines: plural(all, "line"), Resolved: q["resolved"], Free: strconv.Itoa(all - resolved), LinePrice: q["line_price_usd"], Price: q["price_usd"],
		All: all,
	}
	var problems []audit.Problem
	if json.Unmarshal([]byte(q["problems"]), &problems) == nil { // empty for none
		for _, p := range problems {
			c.Quote.Causes = append(c.Quote.Causes, string(p.Verdict)+", "+p.Text())
		}
	}
	return http.StatusOK
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// takeResult takes the answer to an audit, shows its lines from one on, and returns the status of the page.
func (c *auditContent) takeResult(a apiAnswer, from int) (status int) {
	if c.Problem = a.problem; a.problem != "" {
		return a.status
	}
	lines, err := linesOf(a.body)
	if err != nil || lines[len(lines)-1]["verdict"] != "TOTAL" {
		c.Problem = "The answer broke off. Send the form again: no line is charged twice."
		return http.StatusBadGateway
	}
	c.Result.take(lines[:len(lines)-1], lines[len(lines)-1], from)
	return http.StatusOK
}

func (t *auditResult) take(lines []auditedLine, total auditedLine, from int) {
	t.IsThere, t.Totals = true, totalsOf(lines, total)
	t.Problems = strings.Split(total["reason"], audit.CauseMark)[1:]
	var judged []auditedLine
	for _, l := range lines {
		if l.isJudged() {
			judged = append(judged, l)
		} else if l["verdict"] == string(audit.Duplicate) {
			t.addProblem(l)
		}
	}
	slices.SortStableFunc(judged, func(a, b auditedLine) int { return cmp.Compare(b.recoverable(), a.recoverable()) })
	begin := min(max(from, 0), len(judged))
	end := min(begin+pageLines, len(judged))
	t.Judged, t.First, t.Last, t.Before, t.Next = len(judged), begin+1, end, -1, -1
	if begin > 0 {
		t.Before = max(0, begin-pageLines)
	}
	if end < len(judged) {
		t.Next = end
	}
	for _, l := range judged[begin:end] {
		t.Lines.Rows = append(t.Lines.Rows, l.cells())
	}
}

// addProblem adds a duplicate.
func (t *auditResult) addProblem(l auditedLine) {
	if len(t.Problems) == pageLines {
		t.MoreProblems++
		return
	}
	text := l["verdict"]
	if l["id"] != "" {
		text += ", id " + l["id"]
	}
	t.Problems = append(t.Problems, text+": "+l["reason"])
}

// totalsOf are the sums that the API made, and how many lines have each verdict.
func totalsOf(lines []auditedLine, total auditedLine) []field {
	facts := []field{
		{"Recoverable", total["recoverable_amount"] + " USD"}, {"Billed less expected", total["variance_amount"] + " USD"},
		{"Lines", strconv.Itoa(len(lines))},
	}
	for _, v := range audit.Verdicts {
		n := 0
		for _, l := range lines {
			if l["verdict"] == string(v) {
				n++
			}
		}
		if n > 0 {
			facts = append(facts, field{string(v), strconv.Itoa(n)})
		}
	}
	return facts
}

// cells are those of the line in the table.
func (l auditedLine) cells() []cell {
	var row []cell
	for _, c := range lineColumns[:len(lineColumns)-1] {
		row = append(row, cell{Text: l[c.Member]})
	}
	question := url.Values{"carrier": {l["carrier"]}, "as_of": {l["ship_date"]}}
	return append(row, cell{
		Text: "Proof", Link: proofPath + "?" + question.Encode(), Label: fmt.Sprintf("Proof of %s on %s", l["carrier"], l["ship_date"]),
	})
}
