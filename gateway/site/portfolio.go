package site

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/spreadsheet"
)

// portfolioView is a portfolio with today's verdicts on deliveries, those that stop first.
type portfolioView struct {
	Name string
	// Licenses is how many it has, in words.
	Licenses string
	// Days is the day of the verdicts, and Asked when they were made, in UTC.
	Days, Asked string
	// Problem is why there are no verdicts, in the API's words; empty for none.
	Problem   string
	Counts    []field
	Stops     table
	Beverages []option
	// Printed is the page of the stops that is printed.
	Printed string
	// Kept says how many customers of a list were kept, and how many not; empty at other times. Removed is a license that
	// is not in the portfolio any more.
	Kept, Removed string
	States        []contracts.State
	// Confirms is how often licenses are looked up, and at what price; none for a portfolio whose copies all print a
	// status.
	Confirms []option
	// Editions say of which copies the verdicts are.
	Editions []string
	lineRange
}

// lineRange is which of some lines a page shows. Before and Next are where the pages around it begin; below zero for
// none.
type lineRange struct{ All, First, Last, Before, Next int }

// rangeOf is the page of n lines that begins with from.
func rangeOf(n, from int) lineRange {
	begin := min(max(from, 0), n)
	r := lineRange{All: n, First: begin + 1, Last: min(begin+pageLines, n), Before: -1, Next: -1}
	if begin > 0 {
		r.Before = max(0, begin-pageLines)
	}
	if r.Last < n {
		r.Next = r.Last
	}
	return r
}

var stopColumns = []column{
	{Name: "Verdict", Look: "long"}, {Name: "Label"}, {Name: "License", Look: "whole"}, {Name: "Holder"}, {Name: "City"},
	{Name: "Status"}, {Name: "On a list since"}, {Name: "Proof"},
}

// portfoliosTable is the table of portfolios that are kept.
func portfoliosTable(all []kept.PortfolioEntry) table {
	t := table{ID: "kept", Columns: []column{{Name: "Name"}, {Name: "Licenses", Look: "number"},
		{Name: "Changed, UTC", Look: "whole"}, {Name: "Delete"}}}
	for _, e := range all {
		row := texts(e.Name, strconv.Itoa(e.Licenses), e.UpdatedAt.Format(time.DateTime))
		row[0].Link, row[0].Label = portfolioPage(e.Name)+"#portfolio-title", "The portfolio "+e.Name
		t.Rows = append(t.Rows,
			append(row, cell{Text: "Delete", Form: "forget", Send: field{"delete", e.Name}, Label: "Delete " + e.Name}))
	}
	return t
}

// stopsTarget asks for whom not to deliver to.
func stopsTarget(name, beverage string, more url.Values) string {
	return portfolioTarget(name) + "/stops?" + withBeverage(beverage, more)
}

func withBeverage(beverage string, more url.Values) string {
	query := maps.Clone(more)
	if beverage != "" {
		query.Set("beverage", beverage)
	}
	return query.Encode()
}

func newPortfolioView(r *Request, name, beverage string, from int) *portfolioView {
	v := &portfolioView{Name: name, Stops: table{ID: "stops", Columns: stopColumns}}
	stops, a := stopsOf(r, stopsTarget(name, beverage, url.Values{}))
	v.Beverages, v.Problem, v.States = beverageOptions(beverage), a.problem, contracts.States
	now := time.Now()
	v.Days, v.Asked = daysIn(stops, now), moment(&now)
	v.Printed = portfolioPages + name + "/stops?" + url.Values{"beverage": {beverage}}.Encode()
	all := 0
	for _, n := range stops.Verdicts {
		all += n
	}
	v.Licenses = lines.Plural(all, "license")
	for _, word := range contracts.DeliveryVerdicts {
		if v.Problem == "" {
			v.Counts = append(v.Counts, field{string(word), strconv.Itoa(stops.Verdicts[word])})
		}
	}
	for _, e := range stops.Editions {
		v.Editions = append(v.Editions, "The copy of "+editionOf(e))
	}
	listed, _ := strconv.Atoi(r.URL.Query().Get("listed"))
	if kept, err := strconv.Atoi(r.URL.Query().Get("kept")); err == nil && listed > 0 {
		v.Kept = fmt.Sprintf("Of the list that was kept, %d of %d customers have a license here. ", kept, listed)
		if left := listed - kept; left > 0 {
			v.Kept += fmt.Sprintf("%d have none here, and nothing tells of them: those without a license, without a "+
				"decision, or that cannot be read.", left)
		}
	}
	v.lineRange = rangeOf(len(stops.Stops), from)
	for _, d := range stops.Stops[v.First-1 : v.Last] {
		v.Stops.Rows = append(v.Stops.Rows, stopCells(d))
	}
	return v
}

// removeLicense takes a license out of a portfolio: with a label that one alone, else with all its labels.
func (s *Site) removeLicense(w http.ResponseWriter, r *Request, name string) error {
	if err := api.CheckPortfolioName(name); err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	l := portfolio.License{State: contracts.State(r.PostForm.Get("state")),
		LicenseNumber: strings.TrimSpace(r.PostForm.Get("number")), Label: strings.TrimSpace(r.PostForm.Get("label"))}
	a := ask(r, http.MethodPatch, portfolioTarget(name),
		[]byte(jsonOf(api.PortfolioEdit{Remove: []portfolio.License{l}})))
	page, removed := portfolioPage(name), url.Values{"removed": {joined(", ", l.Key(), l.Label)}}
	return s.done(w, r, a, page, page+"&"+removed.Encode()+"#portfolio-title")
}

// complete adds what the portfolio itself tells: what was removed of it, and how often its licenses may be looked up,
// each with its price.
func (s *Site) complete(r *Request, v *portfolioView) error {
	p, err := s.API.Portfolios.Get(r.Context(), owner(r), v.Name)
	if err != nil {
		return err
	}
	removed := r.URL.Query().Get("removed")
	if !slices.ContainsFunc(p.Licenses, func(l portfolio.License) bool {
		return removed == l.Key() || removed == joined(", ", l.Key(), l.Label)
	}) {
		v.Removed = removed
	}
	now, err := s.API.Portfolios.Confirms(r.Context(), owner(r), v.Name)
	for _, c := range kept.Confirms {
		cost := api.NewConfirming(contracts.Live, c, p.Licenses)
		if cost.Licenses == 0 {
			break
		}
		text := string(c)
		if cost.ADay > 0 {
			text += fmt.Sprintf(": %d a day, %s USD", cost.ADay, cost.PriceADay) // more is cut off on a phone
		}
		v.Confirms = append(v.Confirms, option{string(c), text, c == now})
	}
	return err
}

// setConfirm sets how often licenses of a portfolio are looked up.
func (s *Site) setConfirm(w http.ResponseWriter, r *Request, name string) error {
	if err := api.CheckPortfolioName(name); err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	a := ask(r, http.MethodPatch,
		portfolioTarget(name)+"?"+url.Values{"confirm": r.PostForm["confirm"]}.Encode(), []byte("{}"))
	return s.done(w, r, a, portfolioPage(name), portfolioPage(name)+"#portfolio-title")
}

// stopCells are those of a license in the table.
func stopCells(d api.StoppedDelivery) []cell {
	verdict := newVerdictView(string(d.Verdict))
	for _, r := range d.Reasons {
		verdict.Reasons = append(verdict.Reasons, r.Message)
	}
	status, since := "", "" // why there is no status the reasons say
	if d.Status != nil {
		status = string(*d.Status)
	}
	for _, h := range d.Holds {
		since += fmt.Sprintf("%s %s ", h.List, h.Since)
	}
	question := url.Values{"state": {string(d.State)}, "license_number": {d.LicenseNumber}}
	row := append([]cell{{Verdict: verdict}},
		texts(d.Label, string(d.State)+" "+d.LicenseNumber, joined(", ", d.DBAName, d.OwnerName), d.City, status, since)...)
	for _, l := range d.HoldsChecked {
		isOn := slices.ContainsFunc(d.Holds, func(h contracts.Hold) bool { return h.List == l.List })
		if held := &row[len(row)-1]; isOn && len(l.Evidence) > 0 {
			held.Link = documentPage(l.Evidence[0], d.LicenseNumber, url.Values{})
			held.Label = fmt.Sprintf("%s: the row of %s %s", since, d.State, d.LicenseNumber)
		}
	}
	return append(row, cell{
		Text: "Proof", Link: proofPath + "?" + question.Encode(),
		Label: fmt.Sprintf("Proof of %s %s", d.State, d.LicenseNumber),
	})
}

// savePortfolio sends the stops of a portfolio, or all its members, as a CSV.
func (s *Site) savePortfolio(w http.ResponseWriter, r *Request, name, saved string) error {
	beverage, csv := r.URL.Query().Get("beverage"), url.Values{"format": {"csv"}}
	target := portfolioTarget(name) + "?" + withBeverage(beverage, csv)
	if saved != "members" {
		saved, target = "stops", stopsTarget(name, beverage, csv)
	}
	p, err := s.API.Portfolios.Get(r.Context(), owner(r), name)
	if err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	file := fmt.Sprintf("%s-%s-%s.csv", saved, name, daysOf(p.Licenses, time.Now()))
	return s.sendFile(w, r, customersPath, file, spreadsheet.MediaType, get(r, target))
}

// daysOf is today's date in the states of licenses, for the name of a file; two while midnight is between them.
func daysOf(all []portfolio.License, now time.Time) string {
	var days []string
	for _, day := range portfolio.DaysOf(all, now) {
		days = append(days, string(day))
	}
	return strings.Join(days, "-and-")
}
