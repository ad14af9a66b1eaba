package site

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/spreadsheet"
)

// pageResults is how many matches a page of a search has.
const pageResults = 25

// licensesContent is what the page of licenses shows: two forms, and an answer once one was asked for.
type licensesContent struct {
	Token   string
	Allowed bool
	States  []contracts.State
	// Price is what an answer costs, in USD; empty for nothing.
	Price string
	Asked licensesQuery
	// Message says what the answer is, or why there is none.
	Message   string
	IsProblem bool
	// Verdict is that on a license that was looked up; nil for a search. Share shares the proof that there is none; nil
	// without one.
	Verdict *verdictView
	Share   *shareForm
	Answer  *licensesAnswer
	// Shown is the kept reply that they are of, and Before where the page of the search before is kept; empty for none.
	Shown  *shown
	Before string
}

// licensesAnswer is an answer with what can be done next.
type licensesAnswer struct {
	answerView
	// Proof is nil where no document of the answer is kept.
	Proof *proofForm
	// Again are the fields that ask for the same answer. Next is the cursor of the page after it.
	Again []field
	Next  string
}

// licensesQuery is what a person asks for: one license, or a page of a search.
type licensesQuery struct {
	isLookup                             bool
	State, Number                        string
	SearchState, DBAName, Owner, Address string
	// Cursors lead to the page: those of all pages up to it but the first.
	Cursors []string
}

func licensesQueryOf(form url.Values) licensesQuery {
	state := form.Get("state")
	if form.Has("license_number") {
		return licensesQuery{isLookup: true, State: state, SearchState: state, Number: form.Get("license_number")}
	}
	return licensesQuery{
		State: state, SearchState: state, DBAName: form.Get("dba_name"), Owner: form.Get("owner_name"),
		Address: form.Get("address"),
		Cursors: form["cursor"],
	}
}

// target is what to ask the API.
func (q licensesQuery) target() string {
	if q.isLookup {
		return "/v1/abc/license/" + url.PathEscape(q.Number) + "?" + url.Values{"state": {q.State}}.Encode()
	}
	query := url.Values{
		"state": {q.State}, "dba_name": {q.DBAName}, "owner_name": {q.Owner}, "address": {q.Address},
		"limit": {strconv.Itoa(pageResults)},
	}
	if n := len(q.Cursors); n > 0 {
		query.Set("cursor", q.Cursors[n-1])
	}
	return "/v1/abc/search?" + query.Encode()
}

// fields are those of a form that asks the same.
func (q licensesQuery) fields() []field {
	if q.isLookup {
		return []field{{"state", q.State}, {"license_number", q.Number}}
	}
	all := []field{{"state", q.State}, {"dba_name", q.DBAName}, {"owner_name", q.Owner}, {"address", q.Address}}
	for _, c := range q.Cursors {
		all = append(all, field{"cursor", c})
	}
	return all
}

// question is what the page of proofs takes for the question of an answer.
func (q licensesQuery) question() url.Values {
	if q.isLookup {
		return url.Values{"state": {q.State}, "license_number": {q.Number}}
	}
	return url.Values{}
}

func (s *Site) newLicensesContent(r *Request) licensesContent {
	return licensesContent{
		Token: s.token(r), Allowed: r.Caller.Allows(contracts.ABC), States: contracts.States,
		Price: priceOf(r, contracts.ABC),
	}
}

// priceOf is what an answer of a product costs who asks, in USD; empty for nothing.
func priceOf(r *Request, p contracts.Product) string {
	if isTest(r) {
		return ""
	}
	return fmt.Sprintf("%.2f", api.ProductOf(p).PriceUSD())
}

func licensesFrame(c licensesContent) frame {
	f := frame{Title: "Licenses", Path: licensesPath, Content: c}
	if c.Allowed {
		f.Scripts = []string{"own/licenses.js"}
	}
	return f
}

// licenses is the page before anything was asked, or that of a kept reply.
func (s *Site) licenses(w http.ResponseWriter, r *Request) error {
	form, answers, of, err := s.keptReply(r, licensesPath, r.URL.Query().Get("id"), contracts.ABC)
	switch {
	case err != nil:
		return s.writeFailedForm(w, r, licensesPath, err)
	case of == nil:
		return s.writePrivate(w, r, "licenses", licensesFrame(s.newLicensesContent(r)), http.StatusOK)
	}
	return s.showLicenses(w, r, form, answers[0], of)
}

// showLicenses shows what a form was answered.
func (s *Site) showLicenses(w http.ResponseWriter, r *Request, form url.Values, a apiAnswer, of *shown) error {
	c := s.newLicensesContent(r)
	c.Asked, c.Shown = licensesQueryOf(form), of
	status := c.takeAnswer(a)
	if id := form.Get("before"); kept.AuditIDs.MatchString(id) {
		c.Before = licensesPath + "?id=" + id + "#message"
	}
	return s.writePrivate(w, r, "licenses", licensesFrame(c), status)
}

// sendLicenses looks a license up, or searches.
func (s *Site) sendLicenses(w http.ResponseWriter, r *Request) error {
	asked := licensesQueryOf(r.PostForm)
	switch {
	case r.PostForm.Has("delete"):
		return s.forget(w, r, licensesPath, s.API.Replies.Delete)
	case r.PostForm.Get("format") == "csv":
		a := get(r, asked.target()+"&format=csv")
		return s.sendFile(w, r, licensesPath, "licenses.csv", spreadsheet.MediaType, a)
	}
	a := get(r, asked.target())
	show := func() error { return s.showLicenses(w, r, r.PostForm, a, nil) }
	if !isKept(a, failedLookup(a)) {
		return show()
	}
	return s.answerForm(w, r, licensesPath, "#message", []apiAnswer{a}, show)
}

// shareAbsence is the form that shares the proof that there is no such license; nil for another answer.
func (c *licensesContent) shareAbsence(body []byte) *shareForm {
	if e := api.ErrorIn(body); e == nil || e.Proof == nil || e.Proof.EvidenceSHA256 == nil {
		return nil
	}
	return &shareForm{c.Token, []field{{"answer", string(body)}}}
}

// takeAnswer takes the API's answer, and returns the status of the page.
func (c *licensesContent) takeAnswer(a apiAnswer) (status int) {
	if a.problem != "" {
		c.Message, c.IsProblem = a.problem, true
		if c.Asked.isLookup {
			c.Verdict = failedLookup(a)
			c.Share = c.shareAbsence(a.body)
		}
		return a.status
	}
	views, err := newAnswerViews(a.body)
	var page contracts.Search
	var license contracts.License
	switch {
	case err != nil:
	case c.Asked.isLookup:
		err = a.decode(&license)
	default:
		err = a.decode(&page)
	}
	if err != nil {
		c.Message, c.IsProblem = "The API's answer is not understood.", true
		return http.StatusInternalServerError
	}
	c.Answer = &licensesAnswer{answerView: views[0], Again: c.Asked.fields()}
	c.Answer.Proof = newProofForm(c.Token, a.body, views[0], c.Asked.question())
	if c.Asked.isLookup {
		c.Message, c.Verdict = fmt.Sprintf("%s. One license.", license.Verdict), judgedView(license.Judgement)
	} else {
		c.Answer.Table.addVerdicts(page.Results)
		c.Message = fmt.Sprintf("Page %d: %d of %s.", len(c.Asked.Cursors)+1, len(page.Results),
			pluralOf(page.TotalResults, "match", "matches"))
	}
	if page.NextCursor != nil {
		c.Answer.Next = *page.NextCursor
	}
	return http.StatusOK
}
