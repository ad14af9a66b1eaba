package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/spreadsheet"
)

// matchedList is what became of a list of customers, and the form that decides what is kept of it.
type matchedList struct {
	Counts []field
	// Found are customers with their licenses, and Missed those without; the numbers count those that are not shown.
	Found, Missed         table
	MoreFound, MoreMissed int
	// Reviews are what a person decides now. Name is the portfolio that is to have all when the last is decided. IsBegun
	// tells that there were steps before, and IsReplaced that it is to have nothing else.
	Reviews             []review
	Name                string
	IsBegun, IsReplaced bool
	// IsKept tells of a form of the version before, which kept each step at once: the portfolio has more than Licenses.
	IsKept bool
	// Problem is why nothing was kept, in the API's words; empty for none.
	Problem string
	// Licenses are those that were found and decided, Asked the reviews of this step, and Rest those that come after, as
	// JSON: the form sends them on.
	Licenses, Asked, Rest string
	Left                  int
	// Listed is how many customers the list has, and Kept of how many of them there is a license before this step.
	Listed, Kept int
}

// review is a customer whose license a person decides.
type review struct {
	Customer string         `json:"customer"`
	Reason   string         `json:"reason"`
	Options  []reviewOption `json:"options"`
	// Decided is the number of the option that was chosen; below zero for none.
	Decided int `json:"decided"`
}

// reviewOption is a license that may be the customer's.
type reviewOption struct {
	License portfolio.License `json:"license"`
	Text    string            `json:"text"`
}

var (
	foundColumns = []column{
		{Name: "Customer"}, {Name: "License", Look: "whole"}, {Name: "Holder"}, {Name: "Address"},
		{Name: "Why", Look: "long"},
	}
	missedColumns = []column{{Name: "Customer"}, {Name: "Outcome"}, {Name: "Reason", Look: "long"}}
)

// takeResults takes the answer to a list, which has a result for each line that was sent.
func (c *customersContent) takeResults(a apiAnswer) (answer api.CustomerMatches, status int) {
	if status = c.takeAnswer(a, &answer); c.Problem == "" && !c.Form.takeSent(answer.Results) {
		c.Problem, status = "The API's answer is not understood.", http.StatusInternalServerError
	}
	return answer, status
}

// saveMatches sends what became of each customer of a list, as the API's CSV has it.
func (s *Site) saveMatches(w http.ResponseWriter, r *Request, c customersContent, a apiAnswer, name string) error {
	answer, status := c.takeResults(a)
	if c.Problem != "" {
		return s.writeCustomers(w, r, c, status)
	}
	found := make([]contracts.Match, len(c.Form.list.Lines))
	for i, l := range c.Form.list.Lines {
		if len(l.Errors) == 0 {
			found[i], answer.Results = answer.Results[0].Match(), answer.Results[1:]
		}
	}
	text := lines.Whole(customers.Pieces(lines.Output{Format: lines.CSV}, c.Form.list, found, nil,
		func(contracts.MatchOutcome) {})).Text
	return s.sendFile(w, r, customersPath, name, spreadsheet.MediaType, apiAnswer{body: text})
}

// takeMatches takes the answer to a list, and returns the status of the page.
func (c *customersContent) takeMatches(a apiAnswer) (status int) {
	answer, status := c.takeResults(a)
	if c.Problem != "" {
		return status
	}
	m := &matchedList{Listed: len(c.Form.list.Lines), Found: table{ID: "found", Columns: foundColumns},
		Missed: table{ID: "missed", Columns: missedColumns}}
	var licenses []portfolio.License
	var reviews []review
	for i, r := range answer.Results {
		l := &c.Form.readable[i]
		switch {
		case r.License != nil:
			licenses = append(licenses, licenseOf(l, *r.License))
			x := r.License
			row := texts(nameOf(l), licenseOf(l, *x).Key(), joined(", ", x.DBAName, x.OwnerName), x.Address.Raw,
				strings.Join(x.Reasons, "; "))
			m.MoreFound += m.Found.addRow(row)
		case r.Outcome == contracts.Review:
			reviews = append(reviews, newReview(l, r.MatchResult))
		default:
			m.MoreMissed += m.Missed.addRow(texts(nameOf(l), string(r.Outcome), *r.Reason))
		}
	}
	unreadable := 0
	for i := range c.Form.list.Lines {
		if l := &c.Form.list.Lines[i]; len(l.Errors) > 0 {
			unreadable++
			m.MoreMissed += m.Missed.addRow(texts(nameOf(l), string(contracts.InvalidCustomer), strings.Join(l.Errors, "; ")))
		}
	}
	answer.Totals.Outcomes[contracts.InvalidCustomer] += unreadable
	for _, o := range contracts.MatchOutcomes {
		m.Counts = append(m.Counts, field{string(o), strconv.Itoa(answer.Totals.Outcomes[o])})
	}
	m.Licenses, m.Kept = jsonOf(licenses), len(licenses)
	m.ask(reviews)
	c.Matched = m
	return http.StatusOK
}

// addRow adds a row, or counts one that there is no room for.
func (t *table) addRow(row []cell) (more int) {
	if len(t.Rows) == pageLines {
		return 1
	}
	t.Rows = append(t.Rows, row)
	return 0
}

// ask shows the first reviews, and sends the others on.
func (m *matchedList) ask(reviews []review) {
	now := min(len(reviews), pageLines)
	m.Reviews, m.Left = reviews[:now], len(reviews)-now
	m.Asked, m.Rest = jsonOf(reviews[:now]), jsonOf(reviews[now:])
}

// nameOf is a customer as the list has them.
func nameOf(l *customers.Line) string {
	number := l.LicenseNumber
	if number != "" {
		number = "license " + number
	}
	return joined(", ", l.ID, l.Name, l.Street, l.City, l.ZipCode, number)
}

// licenseOf is a candidate as a portfolio keeps it, labeled with the customer's id: the number of a line, which is of
// another customer in the next list, is no label. A number of CA keeps the license type where the customer's has it:
// without it the other types of the number count, too. A type that the list does not say is nobody's choice.
func licenseOf(l *customers.Line, x contracts.MatchCandidate) portfolio.License {
	label, number := []rune(l.ID), x.LicenseNumber
	if l.IsUnnamed {
		label = nil
	}
	given, _ := contracts.NormalLicenseNumber(l.State, l.LicenseNumber) // empty for none
	if kind, _ := contracts.SplitLicenseType(l.State, given); kind != "" && kind == x.LicenseTypeCode {
		number = kind + "-" + number
	}
	return portfolio.License{State: l.State, LicenseNumber: number,
		Label: string(label[:min(len(label), portfolio.MaxLabel)])}
}

func newReview(l *customers.Line, r customers.MatchResult) review {
	v := review{Customer: nameOf(l), Reason: *r.Reason, Decided: -1}
	for _, x := range r.Candidates {
		of := licenseOf(l, x)
		text := joined(": ", string(of.State)+" "+of.LicenseNumber, joined(", ", x.DBAName, x.OwnerName, x.Address.Raw))
		v.Options = append(v.Options, reviewOption{of, joined(". ", text, joined("; ", x.Reasons...))})
	}
	return v
}

// sentMatches is the form that decides, as it was sent. all are the licenses to keep, and rest what is decided next.
func sentMatches(form url.Values) (m matchedList, all []portfolio.License, rest []review, err error) {
	m = matchedList{
		Name: strings.TrimSpace(form.Get("portfolio")), IsBegun: form.Has("begun"), IsReplaced: form.Has("replace"),
		Licenses: form.Get("licenses"), Asked: form.Get("asked"), Rest: form.Get("rest"),
	}
	m.Listed, _ = strconv.Atoi(form.Get("listed")) // 0 for a form without them
	m.Kept, _ = strconv.Atoi(form.Get("kept"))
	if errors.Join(json.Unmarshal([]byte(m.Licenses), &all), json.Unmarshal([]byte(m.Asked), &m.Reviews),
		json.Unmarshal([]byte(m.Rest), &rest)) != nil {
		return m, nil, nil, contracts.Invalid("body", "licenses", "json", "this form is not ours: match the list again")
	}
	m.Left = len(rest)
	m.IsKept = m.Kept > len(all)
	m.IsReplaced = m.IsReplaced && !m.IsKept
	for i := range m.Reviews {
		decided, err := strconv.Atoi(form.Get(fmt.Sprint("decide-", i)))
		if m.Reviews[i].Decided = decided; err != nil || decided >= len(m.Reviews[i].Options) {
			m.Reviews[i].Decided = -1
		}
		if decided = m.Reviews[i].Decided; decided >= 0 {
			all = append(all, m.Reviews[i].Options[decided].License)
		}
	}
	return m, all, rest, nil
}

// keepCustomers leads to what is left to decide, and once that is nothing adds what was found and decided to a
// portfolio: who stops before leaves it as it was. Where something is wrong, the page comes again as it was sent.
func (s *Site) keepCustomers(w http.ResponseWriter, r *Request) error {
	m, all, rest, err := sentMatches(r.PostForm)
	if err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	c := s.newCustomersContent(r)
	c.Matched, c.Saved = &m, r.PostForm.Get("saved")
	var a apiAnswer
	if err := api.CheckPortfolioName(m.Name); err != nil {
		a = refusal(err)
	} else if len(rest) == 0 {
		a = putLicenses(r, m.Name, all, m.IsReplaced)
	}
	if m.Problem = a.problem; m.Problem != "" {
		return s.writeCustomers(w, r, c, a.status)
	}
	for _, decided := range m.Reviews {
		if decided.Decided >= 0 {
			m.Kept++
		}
	}
	if len(rest) == 0 {
		to := portfolioPage(m.Name)
		if m.Listed > 0 {
			to += fmt.Sprintf("&listed=%d&kept=%d", m.Listed, m.Kept)
		}
		http.Redirect(w, r.Request, to+"#portfolio-title", http.StatusSeeOther)
		return nil
	}
	m.ask(rest)
	form := url.Values{"step": {"keep"}, "portfolio": {m.Name}, "begun": {"1"}, "licenses": {jsonOf(all)},
		"asked": {m.Asked}, "rest": {m.Rest}, "listed": {strconv.Itoa(m.Listed)}, "kept": {strconv.Itoa(m.Kept)},
		"saved": {c.Saved}}
	if m.IsReplaced {
		form.Set("replace", "1")
	}
	r.PostForm = form
	show := func() error { return s.showDecisions(w, r, r.PostForm) }
	return s.answerForm(w, r, customersPath, "#result-title", nil, show)
}

// showDecisions shows what a form has to be decided.
func (s *Site) showDecisions(w http.ResponseWriter, r *Request, form url.Values) error {
	m, _, _, err := sentMatches(form)
	if err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	c := s.newCustomersContent(r)
	c.Matched, c.Saved = &m, form.Get("saved")
	return s.writeCustomers(w, r, c, http.StatusOK)
}

// putLicenses adds licenses to a portfolio whose name was checked, or makes one of them where there is none or it is to
// be replaced.
func putLicenses(r *Request, name string, all []portfolio.License, replace bool) apiAnswer {
	seen := portfolio.Set{} // a customer may stand in the list twice
	all = slices.DeleteFunc(all, func(l portfolio.License) bool { return !seen.Add(l) })
	if !replace {
		if a := ask(r, http.MethodPatch, portfolioTarget(name),
			[]byte(jsonOf(api.PortfolioEdit{Add: all}))); a.status != http.StatusNotFound {
			return a
		}
	}
	return ask(r, http.MethodPut, portfolioTarget(name), []byte(jsonOf(api.PortfolioLicenses{Licenses: all})))
}

// portfolioPage is the page of a portfolio.
func portfolioPage(name string) string {
	return customersPath + "?" + url.Values{"name": {name}}.Encode()
}
