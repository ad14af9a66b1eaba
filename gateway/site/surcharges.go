package site

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/spreadsheet"
)

// defaultDays is how far back the figures go that the form offers first.
const defaultDays = 364

// surchargesContent is what the page of surcharges shows: the form, and the figures once they were asked for.
type surchargesContent struct {
	Token   string
	Allowed bool
	// Price is what an answer costs, in USD; empty for nothing.
	Price string
	Form  surchargesForm
	// Problem is why there are no figures, in the API's words; empty for none.
	Problem string
	// Carriers and Diesel are the figures.
	Carriers []carrierFigures
	Failures []contracts.CarrierFailure
	Diesel   *dieselFigures
	// Shown is the kept reply that they are of; nil for none.
	Shown *shown
}

// surchargesForm is the form as it was sent, or as it is shown first. Its dates are as the person wrote them.
type surchargesForm struct {
	Carriers                  []carrierChoice
	From, To, AsOf, KnownAt   string
	Diesel, HasSent           bool
	Weeks                     int // that may be asked for
	target, dieselTarget, csv string
}

type carrierChoice struct {
	Code   contracts.Carrier
	Chosen bool
}

// newSurchargesForm is the form before anything was sent: all carriers, and diesel, over a year.
func newSurchargesForm(now time.Time) surchargesForm {
	today := contracts.Today(now)
	f := surchargesForm{From: string(today.AddDays(-defaultDays)), To: string(today), Diesel: true,
		Weeks: contracts.MaxHistoryWeeks}
	for _, c := range contracts.Carriers {
		f.Carriers = append(f.Carriers, carrierChoice{c, true})
	}
	return f
}

// sentSurchargesForm is the form that a person sent, with what to ask the API for. The API checks the values.
func sentSurchargesForm(given url.Values) surchargesForm {
	f := surchargesForm{
		From: given.Get("from"), To: given.Get("to"), AsOf: given.Get("as_of"), KnownAt: given.Get("known_at"),
		Diesel: given.Has("diesel"), HasSent: true, Weeks: contracts.MaxHistoryWeeks,
	}
	for _, c := range contracts.Carriers {
		f.Carriers = append(f.Carriers, carrierChoice{c, slices.Contains(given["carriers"], string(c))})
	}
	query := url.Values{"carriers": given["carriers"]}
	period := url.Values{"from": {f.From}, "to": {f.To}}
	if f.AsOf != "" {
		period = url.Values{"as_of": {f.AsOf}}
	}
	for name, values := range period {
		query[name] = values
	}
	if f.KnownAt != "" {
		query.Set("known_at", f.KnownAt)
	}
	f.target = surchargeEndpoint + "?" + query.Encode()
	query.Set("format", "csv")
	f.csv = surchargeEndpoint + "?" + query.Encode()
	if f.AsOf == "" {
		f.dieselTarget = dieselEndpoint + "?" + period.Encode()
	}
	return f
}

// The endpoints that the page asks.
const (
	surchargeEndpoint = "/v1/ltl/fuel-surcharge"
	dieselEndpoint    = "/v1/ltl/diesel"
)

func (s *Site) newSurchargesContent(r *Request, f surchargesForm) surchargesContent {
	return surchargesContent{
		Token: s.token(r), Allowed: r.Caller.Allows(contracts.LTL), Price: priceOf(r, contracts.LTL), Form: f,
	}
}

func surchargesFrame(c surchargesContent) frame {
	f := frame{Title: "Surcharges", Path: surchargesPath, Content: c}
	if c.Allowed {
		f.Scripts = []string{"own/asks.js"}
	}
	if len(c.Carriers) > 0 {
		f.Scripts = append(f.Scripts, "uplot/uPlot.iife.min.js", "own/surcharges.js")
		f.Styles = []string{"uplot/uPlot.min.css", "own/chart.css"}
	}
	return f
}

// surcharges is the page before anything was asked, or that of a kept reply.
func (s *Site) surcharges(w http.ResponseWriter, r *Request) error {
	form, answers, of, err := s.keptReply(r, surchargesPath, r.URL.Query().Get("id"), contracts.LTL)
	switch {
	case err != nil:
		return s.writeFailedForm(w, r, surchargesPath, err)
	case of == nil:
		c := s.newSurchargesContent(r, newSurchargesForm(time.Now()))
		return s.writePrivate(w, r, "surcharges", surchargesFrame(c), http.StatusOK)
	}
	c := s.newSurchargesContent(r, sentSurchargesForm(form))
	c.Shown = of
	return s.showSurcharges(w, r, c, answers)
}

// sendSurcharges takes the form of the page, which works without scripts.
func (s *Site) sendSurcharges(w http.ResponseWriter, r *Request) error {
	content := s.newSurchargesContent(r, sentSurchargesForm(r.PostForm))
	switch {
	case r.PostForm.Has("delete"):
		return s.forget(w, r, surchargesPath, s.API.Replies.Delete)
	case r.PostForm.Get("format") == "csv":
		return s.sendSurchargesCSV(w, r, content)
	}
	answers := content.Form.ask(r)
	show := func() error { return s.showSurcharges(w, r, content, answers) }
	if !isKept(answers[0], nil) {
		return show()
	}
	return s.answerForm(w, r, surchargesPath, "#answer", answers, show)
}

// showSurcharges shows what the form was answered.
func (s *Site) showSurcharges(w http.ResponseWriter, r *Request, c surchargesContent, answers []apiAnswer) error {
	status := c.takeAnswers(answers)
	s.sayDoubts(r, c.Carriers)
	return s.writePrivate(w, r, "surcharges", surchargesFrame(c), status)
}

// sayDoubts says since when what is read of each carrier is in doubt, as far as that is known: an answer of before may
// be clean still.
func (s *Site) sayDoubts(r *Request, carriers []carrierFigures) {
	status, err := s.API.Catalog.Status(r.Context())
	if err != nil {
		return
	}
	sources := status.Sources
	if isTest(r) {
		sources = status.Test
	}
	for i := range carriers {
		of := func(source api.SourceStatus) bool { return source.Code == string(carriers[i].Carrier) }
		if at := slices.IndexFunc(sources, of); at >= 0 && sources[at].DoubtSince != nil {
			carriers[i].InDoubt = "in doubt" + sinceWords(sources[at].DoubtSince)
		}
	}
}

// sendSurchargesCSV answers with the API's CSV as a file, or with the page that says why there is none.
func (s *Site) sendSurchargesCSV(w http.ResponseWriter, r *Request, c surchargesContent) error {
	a := get(r, c.Form.csv)
	if a.problem != "" {
		c.Problem = a.problem
		return s.writePrivate(w, r, "surcharges", surchargesFrame(c), a.status)
	}
	return s.sendFile(w, r, surchargesPath, "fuel-surcharges.csv", spreadsheet.MediaType, a)
}
