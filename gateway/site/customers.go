package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
)

// maxPasted bounds what may be pasted in place of a file, in characters.
const maxPasted = 1 << 20

var customersKind = kindOf(customers.Schema)

// customersContent is what the page of customers shows.
type customersContent struct {
	filePage
	Form      customersForm
	MaxPasted int
	// Matched is what became of a list; nil before one was matched. Saved is the id of the answer, for its CSV; empty for
	// none.
	Matched *matchedList
	Saved   string
	// Portfolio is the one that the address names, with today's verdicts; nil for none. Kept are all portfolios.
	Portfolio *portfolioView
	Kept      table
	Lists     listsView
}

// customersForm is a list of customers.
type customersForm struct {
	fileForm
	// list are its lines, of which readable are those that may be sent.
	list     lines.File[customers.Line]
	readable []customers.Line
}

// Fields are the list as hidden fields.
func (f customersForm) Fields() []field { return f.fileFields() }

func (s *Site) newCustomersContent(r *Request) customersContent {
	return customersContent{
		filePage: s.newFilePage(r, customersPath, contracts.ABC, s.API.Matching.Price, customersKind), MaxPasted: maxPasted,
		Form: customersForm{fileForm: fileForm{kind: customersKind}},
	}
}

// writeCustomers writes the page, with the portfolios that are kept. The limit's state is that after what the page
// asked.
func (s *Site) writeCustomers(w http.ResponseWriter, r *Request, c customersContent, status int) error {
	if c.Allowed {
		all, err := s.API.Portfolios.List(r.Context(), owner(r))
		if err != nil {
			return s.writeFailedForm(w, r, customersPath, err)
		}
		c.Kept = portfoliosTable(all)
		if c.Lists, err = s.newListsView(r, c.Lists.Problem); err != nil {
			return s.writeFailedForm(w, r, customersPath, err)
		}
	}
	c.LimitState = s.limitState(r)
	f := frame{Title: "Customers", Path: customersPath, Scripts: []string{"own/upload.js"}, Content: c}
	return s.writePrivate(w, r, "customers", f, status)
}

// customers is the page before a list was chosen, with the portfolio or the matched list that the address names.
// Opening it costs nothing.
func (s *Site) customers(w http.ResponseWriter, r *Request) error {
	c, q := s.newCustomersContent(r), r.URL.Query()
	form, answers, of, err := s.keptReply(r, customersPath, q.Get("id"), contracts.ABC)
	if of != nil && form.Get("step") == "keep" {
		return s.showDecisions(w, r, form)
	}
	if of != nil {
		r.PostForm = form
		err = errors.Join(c.Form.readRequest(r), c.Form.readLines(r.Context()))
	}
	if err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	if of != nil && q.Has("save") {
		return s.saveMatches(w, r, c, answers[0], "customers-"+of.At[:len(time.DateOnly)]+".csv")
	}
	if of != nil {
		c.Saved = of.ID
		return s.showMatches(w, r, c, answers[0])
	}
	if name := q.Get("name"); name != "" && c.Allowed {
		if err := api.CheckPortfolioName(name); err != nil {
			return s.writeFailedForm(w, r, customersPath, err)
		}
		if saved := q.Get("save"); saved != "" {
			return s.savePortfolio(w, r, name, saved)
		}
		from, _ := strconv.Atoi(q.Get("from")) // 0 for none
		if c.Portfolio = newPortfolioView(r, name, q.Get("beverage"), from); c.Portfolio.Problem == "" {
			if err := s.complete(r, c.Portfolio); err != nil {
				return s.writeFailedForm(w, r, customersPath, err)
			}
		}
	}
	return s.writeCustomers(w, r, c, http.StatusOK)
}

// showMatches shows what a list was answered.
func (s *Site) showMatches(w http.ResponseWriter, r *Request, c customersContent, a apiAnswer) error {
	status := c.takeMatches(a)
	if c.Problem == "" {
		c.Match, c.Form.Content = nil, "" // what follows has what was found
	}
	return s.writeCustomers(w, r, c, status)
}

// sendCustomers tells the price of a list, has it matched, keeps what was decided, or changes or deletes a portfolio.
func (s *Site) sendCustomers(w http.ResponseWriter, r *Request) error {
	if name := r.PostForm.Get("delete"); name != "" {
		if err := api.CheckPortfolioName(name); err != nil {
			return s.writeFailedForm(w, r, customersPath, err)
		}
		return s.done(w, r, ask(r, http.MethodDelete, portfolioTarget(name), nil), customersPath, customersPath)
	}
	for field, change := range map[string]func(http.ResponseWriter, *Request, string) error{"confirmed": s.setConfirm,
		"edited": s.removeLicense, "list": s.putList, "unlist": s.deleteList} {
		if name := r.PostForm.Get(field); name != "" {
			return change(w, r, name)
		}
	}
	if r.PostForm.Get("step") == "keep" {
		return s.keepCustomers(w, r)
	}
	c := s.newCustomersContent(r)
	if err := c.Form.readRequest(r); err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	c.Match = c.Form.match(r.Context())
	var status int
	err := c.Form.readLines(r.Context())
	if err == nil && len(c.Form.readable) == 0 {
		err = contracts.Invalid("body", "file", "line", "%s", c.Form.list.Lines[0].Errors[0])
	}
	switch {
	case err != nil:
		problem, code, internal := explain(err)
		if internal != nil {
			return internal
		}
		c.Problem, status = problem, code
	case r.PostForm.Get("step") == "match":
		a := c.Form.matched(r)
		show := func() error { return s.showMatches(w, r, c, a) }
		if !isKept(a, nil) {
			return show()
		}
		r.PostForm.Set("name", c.Form.Name)
		r.PostForm.Set("content", c.Form.Content)
		r.PostForm.Del("pasted")
		return s.answerForm(w, r, customersPath, "#result-title", []apiAnswer{a}, show)
	default:
		status = c.takeQuote(c.Form.price(r))
	}
	if r.PostForm.Has("script") { // which has the file, and shows the problem itself
		c.Form.Content, status = "", http.StatusOK
	}
	return s.writeCustomers(w, r, c, status)
}

// readLines reads the list as the API reads one.
func (f *customersForm) readLines(ctx context.Context) error {
	choice, err := f.kind.parse(f.query()["columns"])
	if err != nil {
		return err
	}
	if f.format() == lines.CSV && len(f.file) > lines.MaxBytes {
		return formTooLarge(lines.MaxBytes)
	}
	file, err := customers.Schema.Read(ctx, f.format(), f.file, lines.Reading{AsIs: true, Choice: choice})
	f.list = file
	for _, l := range file.Lines {
		if len(l.Errors) == 0 {
			f.readable = append(f.readable, l)
		}
	}
	return err
}

// takeSent makes the lines that have results the readable ones: a version that reads the file otherwise may have sent
// it. It tells whether each result has a line.
func (f *customersForm) takeSent(results []customers.NamedMatch) bool {
	isOf := func(l customers.Line, r customers.NamedMatch) bool {
		return cmp.Or(l.ID, strconv.Itoa(l.Number)) == r.ID && l.State == r.State
	}
	if slices.EqualFunc(f.readable, results, isOf) {
		return true
	}
	f.readable = nil
	for i := range f.list.Lines {
		l := &f.list.Lines[i]
		if len(results) > 0 && isOf(*l, results[0]) {
			l.IsUnnamed, l.ID, l.Errors = l.IsUnnamed || l.ID == "", results[0].ID, nil
			f.readable, results = append(f.readable, *l), results[1:]
		} else if len(l.Errors) == 0 {
			l.Fail("", "this could not be read when the list was matched")
		}
	}
	return len(results) == 0
}

// body are the lines that can be read, as the API takes them.
func (f *customersForm) body() []byte {
	type line struct {
		ID    string          `json:"id"`
		State contracts.State `json:"state"`
		contracts.Customer
	}
	all := make([]line, len(f.readable))
	for i, l := range f.readable {
		all[i] = line{l.ID, l.State, l.Customer}
	}
	return []byte(jsonOf(all))
}

// price asks what the list would cost.
func (f *customersForm) price(r *Request) apiAnswer {
	return ask(r, http.MethodPost, "/v1/abc/match?dry_run=1", f.body())
}

// matched asks for the matches. The request's key is made of the lines: the same list is charged once.
func (f *customersForm) matched(r *Request) apiAnswer {
	body := f.body()
	sum := sha256.Sum256(body)
	return ask(r, http.MethodPost, "/v1/abc/match", body, "Idempotency-Key", "console-"+hex.EncodeToString(sum[:]))
}

// takeQuote takes the answer to a dry run, and returns the status of the page.
func (c *customersContent) takeQuote(a apiAnswer) (status int) {
	var q api.LinesQuote
	if status = c.takeAnswer(a, &q); c.Problem != "" {
		return status
	}
	all := len(c.Form.list.Lines)
	none := len(c.Form.readable) - q.Resolved
	free := lines.Plural(none, "line") + " without, or of a state of which there is no copy just now"
	if unreadable := all - len(c.Form.readable); unreadable > 0 {
		free += fmt.Sprintf(", and %d that cannot be read (below)", unreadable)
	}
	c.Quote = &fileQuote{
		Text: fmt.Sprintf("%s: %d have a license or candidates for you to decide between, at %s USD each. Free: %s. %s",
			lines.Plural(all, "customer"), q.Resolved, q.LinePrice, free, priced(q.Price.String(), q.LivePrice.String())),
		Step: "match", Button: "Match for " + q.Price.String() + " USD",
	}
	tells := func(l customers.Line) bool { return l.Street != "" || l.LicenseNumber != "" }
	if !slices.ContainsFunc(c.Form.readable, tells) {
		c.Quote.Causes = []string{"Warning: no column of this file is read as the street, and none as the license number. " +
			"Nothing will be MATCHED: say above which column holds it."}
	}
	for _, l := range c.Form.list.Lines {
		if len(l.Errors) > 0 && len(c.Quote.Causes) < pageLines {
			c.Quote.Causes = append(c.Quote.Causes, strings.Join(l.Errors, "; "))
		}
	}
	return http.StatusOK
}

// takeAnswer decodes an answer, or tells why there is none.
func (c *customersContent) takeAnswer(a apiAnswer, to any) (status int) {
	if c.Problem = a.problem; a.problem == "" && a.decode(to) != nil {
		c.Problem, a.status = "The API's answer is not understood.", http.StatusInternalServerError
	}
	return a.status
}

// portfolioTarget is the path of a portfolio whose name was checked.
func portfolioTarget(name string) string { return "/v1/abc/portfolios/" + url.PathEscape(name) }
