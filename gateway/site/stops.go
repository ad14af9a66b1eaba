package site

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/lines"
)

// stopsPath is the page of whom not to deliver to, on one page for who prints it.
const (
	portfolioPages = "/console/portfolios/"
	stopsPath      = portfolioPages + ":name/stops"
)

// stopsContent is what the page shows: the verdicts that are not DELIVER, the strictest first.
type stopsContent struct {
	Name, Beverage string
	// Day is the day that was asked for; empty for today. Days says in words of which day the verdicts are.
	Day, Days string
	// Asked is when the page was made.
	Asked     string
	Beverages []option
	Counts    []field
	Sections  []stopsSection
	// Sources are the copies and the lists that were looked in, with the hashes of their kept files.
	Sources []string
}

// stopsSection are the licenses of a verdict.
type stopsSection struct {
	Verdict contracts.DeliveryVerdict
	Means   string
	Rows    table
}

var stopsMean = map[contracts.DeliveryVerdict]string{
	contracts.Stop: "Do not deliver.",
	contracts.DeliveryUnverified: "Do not deliver before you have looked: something that applies " +
		"was not read, or is too old.",
	contracts.CashOnly: "Deliver against payment only.",
}

// stopsOf asks for whom not to deliver to. It is a problem in words where that is not told.
func stopsOf(r *Request, target string) (stops api.Stops, a apiAnswer) {
	a = get(r, target)
	if a.problem == "" && a.decode(&stops) != nil {
		a.problem = "The API's answer is not understood."
	}
	return stops, a
}

// daysIn is the day that stops are of, or that of each state while it is not the same in all.
func daysIn(stops api.Stops, now time.Time) string {
	if stops.On != "" {
		return string(stops.On)
	}
	var all []string
	for _, e := range stops.Editions {
		all = append(all, fmt.Sprintf("%s in %s", e.State.Today(now), e.State))
	}
	return cmp.Or(strings.Join(all, ", "), "the day of each state")
}

// printedStops is the page. Opening it costs nothing.
func (s *Site) printedStops(w http.ResponseWriter, r *Request) error {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, portfolioPages), "/")
	if err := api.CheckPortfolioName(name); err != nil {
		return s.writeFailedForm(w, r, customersPath, err)
	}
	beverage, more := r.URL.Query().Get("beverage"), url.Values{}
	on := r.URL.Query().Get("on")
	if on != "" {
		more.Set("on", on)
	}
	stops, a := stopsOf(r, stopsTarget(name, beverage, more))
	if a.problem != "" {
		return s.writePrivate(w, r, "failed", failedForm(a.problem, portfolioPage(name)), a.status)
	}
	return s.writePrivate(w, r, "stops",
		frame{Title: "Stops of " + name, Path: customersPath, Content: newStopsContent(stops, on)}, http.StatusOK)
}

func newStopsContent(stops api.Stops, on string) stopsContent {
	c := stopsContent{
		Asked: time.Now().UTC().Format("2006-01-02 15:04"),
		Name:  stops.Name, Day: on, Days: daysIn(stops, time.Now()), Beverage: string(stops.Beverage),
		Beverages: beverageOptions(string(stops.Beverage)),
	}
	rows := map[contracts.DeliveryVerdict][][]cell{}
	for _, d := range stops.Stops {
		rows[d.Verdict] = append(rows[d.Verdict], stopCells(d))
	}
	for _, v := range contracts.DeliveryVerdicts {
		c.Counts = append(c.Counts, field{string(v), strconv.Itoa(stops.Verdicts[v])})
		if len(rows[v]) > 0 {
			c.Sections = append(c.Sections,
				stopsSection{v, stopsMean[v], table{ID: strings.ToLower(string(v)), Columns: stopColumns, Rows: rows[v]}})
		}
	}
	for _, e := range stops.Editions {
		c.Sources = append(c.Sources, "The copy of "+editionOf(e)+hashesOf(e.Evidence))
	}
	for _, d := range stops.Stops {
		for _, l := range d.HoldsChecked {
			text := fmt.Sprintf("The list %s of %s, %s old%s", l.List, l.Edition, lines.Plural(l.AgeDays, "day"),
				hashesOf(l.Evidence))
			if !slices.Contains(c.Sources, text) {
				c.Sources = append(c.Sources, text)
			}
		}
	}
	return c
}

// editionOf says of which time a copy's data are, and when it was read: that is also when it was found unchanged.
func editionOf(e contracts.RegisterEdition) string {
	of := "which does not say of when its data are"
	if e.PublishedAt != nil {
		of = "with data of " + moment(e.PublishedAt) + " UTC"
	}
	return fmt.Sprintf("%s, %s, read %s UTC", e.State, of, moment(&e.ReadAt))
}

// hashesOf are the hashes of kept files, for paper.
func hashesOf(all []contracts.Evidence) (text string) {
	for _, e := range all {
		text += ", sha256 " + e.SHA256
	}
	return text
}

// beverageOptions are the beverages to choose from.
func beverageOptions(chosen string) []option {
	all := []option{{"", "any beverage", chosen == ""}}
	for _, b := range contracts.Beverages {
		all = append(all, option{string(b), string(b), string(b) == chosen})
	}
	return all
}

// isStopsPage tells whether a path is that of the page.
func isStopsPage(path string) bool {
	name, isOne := strings.CutSuffix(strings.TrimPrefix(path, portfolioPages), "/stops")
	return isOne && strings.HasPrefix(path, portfolioPages) && api.CheckPortfolioName(name) == nil
}
