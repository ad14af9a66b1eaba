package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/platform/feed"
)

// pageChanges is how many changes a page shows.
const pageChanges = 100

// changesContent is what the page of changes shows.
type changesContent struct {
	Filters []choice
	// Problem is why there are no changes, in the API's words; empty for none.
	Problem string
	Changes table
	// Held is how many changes are looked at here. Older is the page after this one; empty for none.
	Held  int
	Older string
}

// choice is a list to choose from.
type choice struct {
	Name, Label string
	Options     []option
}

var changeColumns = []column{
	{Name: "When, UTC", Look: "whole"}, {Name: "What"}, {Name: "Source"}, {Name: "Of"}, {Name: "Before", Look: "long"},
	{Name: "After", Look: "long"},
}

// changes is the page of what changed. Opening it costs nothing.
func (s *Site) changes(w http.ResponseWriter, r *Request) error {
	q := r.URL.Query()
	c := changesContent{Held: feed.Held, Changes: table{ID: "changes", Columns: changeColumns}}
	before, _ := strconv.ParseUint(q.Get("before"), 10, 64) // 0 for the newest
	found, older, err := s.API.LatestChanges(r.Context(), owner(r), r.Caller.Products, q, before, pageChanges)
	if err != nil {
		c.Problem = wordsOf(api.PublicError(err))
	}
	labels := s.labelsOf(r, q.Get("portfolio"))
	if len(labels) > 0 {
		c.Changes.Columns = slices.Insert(slices.Clone(changeColumns), 4, column{Name: "Label"})
	}
	for _, doc := range found {
		var change contracts.Change
		if json.Unmarshal(doc, &change) != nil {
			continue // it is of a later version
		}
		row := changeCells(&change)
		if of := change.Data; len(labels) > 0 {
			all := slices.Concat(labels[change.Source+" "+of.LicenseNumber],
				labels[change.Source+" "+of.LicenseTypeCode+"-"+of.LicenseNumber])
			row = slices.Insert(row, 4, cell{Text: joined(", ", all...)})
		}
		c.Changes.Rows = append(c.Changes.Rows, row)
	}
	if older > 0 {
		q.Set("before", strconv.FormatUint(older, 10))
		c.Older = changesPath + "?" + q.Encode()
	}
	c.Filters = s.changeFilters(r)
	return s.writePrivate(w, r, "changes", frame{Title: "Changes", Path: changesPath, Content: c}, http.StatusOK)
}

// changeFilters are what may be chosen, as it is chosen now.
func (s *Site) changeFilters(r *Request) []choice {
	filter := func(name, label, all string, values []string) choice {
		chosen := r.URL.Query().Get(name)
		c := choice{name, label, []option{{"", all, chosen == ""}}}
		for _, v := range values {
			c.Options = append(c.Options, option{v, v, v == chosen})
		}
		return c
	}
	return []choice{
		filter("portfolio", "Portfolio", "all licenses", s.portfolioNames(r)),
		filter("product", "Product", "all of yours", contracts.Texts(r.Caller.Products)),
		filter("type", "Type", "all types", contracts.Texts(contracts.ChangeTypes)),
	}
}

// labelsOf are the labels of a portfolio's licenses, by state and number; none without a portfolio, or where it cannot
// be read.
func (s *Site) labelsOf(r *Request, name string) map[string][]string {
	labels := map[string][]string{}
	if name == "" || api.CheckPortfolioName(name) != nil {
		return labels
	}
	p, _ := s.API.Portfolios.Get(r.Context(), owner(r), name)
	for _, l := range p.Licenses {
		if l.Label != "" {
			key := string(l.State) + " " + l.LicenseNumber
			labels[key] = append(labels[key], l.Label)
		}
	}
	return labels
}

// portfolioNames are those of the tenant's portfolios, for who may see them. A page does without them where they cannot
// be read.
func (s *Site) portfolioNames(r *Request) (names []string) {
	if r.Caller.Allows(contracts.ABC) {
		all, _ := s.API.Portfolios.List(r.Context(), owner(r))
		for _, e := range all {
			names = append(names, e.Name)
		}
	}
	return names
}

// changeCells are those of a change in the table.
func changeCells(c *contracts.Change) []cell {
	of := c.Data.LicenseNumber
	if of != "" && c.Data.LicenseTypeCode != "" {
		of += ", type " + c.Data.LicenseTypeCode
	}
	row := texts(c.OccurredAt.UTC().Format(time.DateTime), string(c.Type), c.Source, of)
	return append(row, sideCell(c, c.Data.Before, c.Evidence.Before, "before"),
		sideCell(c, c.Data.After, c.Evidence.After, "after"))
}

// sideCell says what was or is, and leads to the first document of that reading.
func sideCell(c *contracts.Change, v *contracts.ChangeValues, all []contracts.Evidence, when string) cell {
	text := valuesInWords(v)
	if len(all) == 0 {
		return cell{Text: text}
	}
	row := c.Data.LicenseNumber
	if v := c.Data.After; row == "" && v != nil && v.Week != nil {
		row = string(v.Week.EffectiveDate)
	}
	text = cmp.Or(text, "Document")
	return cell{Text: text, Link: documentPage(all[0], row, url.Values{}),
		Label: fmt.Sprintf("%s: the document %s the change %s", text, when, c.ID)}
}

// valuesInWords are the members that differ, such as "SUSPENDED".
func valuesInWords(v *contracts.ChangeValues) string {
	if v == nil {
		return "nothing"
	}
	all := []string{string(v.Status), v.DBAName, v.OwnerName, v.Address, v.Why}
	if v.ExpirationDate != "" {
		all = append(all, "expires "+string(v.ExpirationDate))
	}
	if v.List != "" {
		all = append(all, joined(" since ", "on the list "+v.List, string(v.HeldSince)))
	}
	if v.Exempt != nil && *v.Exempt {
		all = append(all, "exempt, as in bankruptcy")
	}
	if w := v.Week; w != nil {
		all = append(all, fmt.Sprintf("week of %s: %.2f %%", w.EffectiveDate, w.Percent))
	}
	if v.Edition != nil {
		all = append(all, "another table")
	}
	if v.Since != nil {
		all = append(all, "since "+v.Since.UTC().Format(time.DateTime))
	}
	return joined("; ", all...)
}
