package site

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
)

// contractsContent is what the page of contracts shows: all contracts, the one that the address names, and the form of
// a further term.
type contractsContent struct {
	Token   string
	Allowed bool
	// Name is the contract's that is shown, Terms its terms. Kept are all contracts.
	Name        string
	Terms, Kept table
	// Form is what a person wrote, with what became of it: IsProblem tells whether Message is why nothing did.
	Form      url.Values
	Message   string
	IsProblem bool
	// Fields are those of a term that are written, the others are chosen.
	Fields                 []termField
	Carriers               []contracts.Carrier
	Bases, DateBases       []option
	MaxContracts, MaxTerms int
}

// termField is a field of a term.
type termField struct{ Name, Label, Type string }

// termFields are those that are written, by the names of the term's members; those of a peg have its name before
// theirs.
var termFields = []termField{
	{"from", "First ship date", "date"}, {"to", "Last ship date (empty: no end)", "date"},
	{"as_of", "Table as it stood on", "date"},
	{"multiplier", "Times (1)", ""}, {"discount_points", "Less points (0)", ""}, {"floor_pct", "At least % (0)", ""},
	{"cap_pct", "At most %", ""},
	{"min_amount", "At least USD (0)", ""}, {"decimals", "Decimals of the percent (2)", "number"},
	{"lag_weeks", "Weeks that the price is older (0)", "number"},
	{"peg.base_usd", "Peg: price, USD", ""}, {"peg.base_pct", "Peg: % at that price", ""},
	{"peg.step_usd", "Peg: step of the price, USD", ""},
	{"peg.step_pct", "Peg: points a step", ""},
}

var (
	basisWords = map[audit.Basis]string{
		audit.Published:   "what the carrier publishes for the week",
		audit.TableAsOf:   "the carrier's table as it stood on a day",
		audit.OwnBrackets: "brackets of your own", audit.Pegged: "a peg: points for each step of the price",
	}
	dateWords = map[audit.DateBasis]string{
		audit.ByShipDate: "the ship date", audit.ByPickup: "the pickup", audit.ByDelivery: "the delivery",
		audit.ByInvoice: "the invoice",
	}
)

// optionsOf are the members of a closed set with their words.
func optionsOf[T ~string](all []T, words map[T]string, chosen string) (options []option) {
	for _, one := range all {
		options = append(options, option{string(one), words[one], string(one) == chosen})
	}
	return options
}

// contracts is the page of contracts.
func (s *Site) contracts(w http.ResponseWriter, r *Request) error {
	return s.showContracts(w, r, contractsContent{Name: r.URL.Query().Get("name"), Form: url.Values{}}, http.StatusOK)
}

// showContracts fills in what every answer of the page has.
func (s *Site) showContracts(w http.ResponseWriter, r *Request, c contractsContent, status int) error {
	c.Token, c.Allowed, c.Fields, c.Carriers = s.token(r), r.Caller.Allows(contracts.LTL), termFields, contracts.Carriers
	c.MaxContracts, c.MaxTerms = kept.MaxContracts, audit.MaxTerms
	c.Bases, c.DateBases = optionsOf(audit.Bases, basisWords, c.Form.Get("basis")),
		optionsOf(audit.DateBases, dateWords, c.Form.Get("date_basis"))
	if c.Allowed {
		if err := s.readContracts(r, &c); err != nil {
			return s.writeFailedForm(w, r, contractsPath, err)
		}
	}
	return s.writePrivate(w, r, "contracts", frame{Title: "Contracts", Path: contractsPath, Content: c}, status)
}

func (s *Site) readContracts(r *Request, c *contractsContent) error {
	all, err := s.API.Contracts.List(r.Context(), owner(r))
	if err != nil {
		return err
	}
	c.Kept = table{ID: "kept", Columns: []column{{Name: "Name"}, {Name: "Terms", Look: "number"},
		{Name: "Changed, UTC", Look: "whole"}, {Name: "Delete"}}}
	for _, e := range all {
		row := texts(e.Name, strconv.Itoa(e.Terms), e.UpdatedAt.Format(time.DateTime))
		row[0].Link, row[0].Label = contractsPath+"?name="+url.QueryEscape(e.Name)+"#contract-title", "The contract "+e.Name
		c.Kept.Rows = append(c.Kept.Rows,
			append(row, cell{Text: "Delete", Form: "forget", Send: field{"delete", e.Name}, Label: "Delete " + e.Name}))
	}
	if c.Name == "" {
		return nil
	}
	of, err := s.contractOf(r, c.Name)
	c.Terms = table{ID: "terms", Columns: []column{{Name: "Carrier"}, {Name: "From", Look: "whole"},
		{Name: "To", Look: "whole"}, {Name: "Agreed", Look: "long"}, {Name: "Remove"}}}
	for i, t := range of.Terms {
		row := texts(string(t.Carrier), string(t.From), string(t.To), termInWords(t))
		c.Terms.Rows = append(c.Terms.Rows, append(row, cell{
			Text: "Remove", Form: "change", Send: field{"remove", strconv.Itoa(i)},
			Label: fmt.Sprintf("Remove term %d of %s", i+1, t.Carrier),
		}))
	}
	return err
}

// contractOf is the contract of a name; one without terms where there is none.
func (s *Site) contractOf(r *Request, name string) (audit.Contract, error) {
	if err := api.CheckContractName(name); err != nil {
		return audit.Contract{}, err
	}
	found, err := s.API.Contracts.Get(r.Context(), owner(r), name)
	if contracts.CodeOf(err) == contracts.NotFound {
		return audit.Contract{Name: name}, nil
	}
	return found.Contract, err
}

// termInWords is such as "published x 1.10 - 2.00, at most 40.00 %".
func termInWords(t audit.Term) string {
	text := string(t.Basis)
	if t.AsOf != "" {
		text += " " + string(t.AsOf)
	}
	if p := t.Peg; p != nil {
		text += fmt.Sprintf(": %s %% at %s USD, %s points each %s USD", p.BasePct, p.BaseUSD, p.StepPct, p.StepUSD)
	}
	if t.Multiplier != nil {
		text += " x " + t.Multiplier.String()
	}
	if t.DiscountPoints != nil {
		text += " - " + t.DiscountPoints.String()
	}
	add := func(isGiven bool, format string, args ...any) {
		if isGiven {
			text += fmt.Sprintf(", "+format, args...)
		}
	}
	add(t.FloorPct != nil, "at least %v %%", t.FloorPct)
	add(t.CapPct != nil, "at most %v %%", t.CapPct)
	add(t.MinAmount != nil, "at least %v USD", t.MinAmount)
	if t.Decimals != nil {
		add(true, "%d decimals", *t.Decimals)
	}
	add(t.LagWeeks > 0, "a price %d weeks older", t.LagWeeks)
	add(t.DateBasis != "" && t.DateBasis != audit.ByShipDate, "by %s", dateWords[t.DateBasis])
	for i, b := range t.Brackets {
		to := "on"
		if b.ToUSD != nil {
			to = "to " + b.ToUSD.String()
		}
		text += fmt.Sprintf("%s from %s %s: %s %%", map[bool]string{true: ":", false: ";"}[i == 0], b.FromUSD, to, b.Percent)
	}
	return text
}

// sendContracts checks, adds or removes a term, and copies or deletes a contract.
func (s *Site) sendContracts(w http.ResponseWriter, r *Request) error {
	name := strings.TrimSpace(r.PostForm.Get("name"))
	if gone := r.PostForm.Get("delete"); gone != "" {
		if err := s.deleteContract(r, gone); err != nil {
			return s.writeFailedForm(w, r, contractsPath, err)
		}
		http.Redirect(w, r.Request, contractsPath, http.StatusSeeOther)
		return nil
	}
	c, err := s.changedContract(r, name)
	isCheck := r.PostForm.Get("step") == "check"
	if err == nil && !isCheck {
		_, _, err = s.API.Contracts.Put(r.Context(), owner(r), c, time.Now())
	}
	shown := contractsContent{Form: r.PostForm, Message: "This may be kept. Nothing was changed yet."}
	if api.CheckContractName(name) == nil {
		shown.Name = name
	}
	switch {
	case err != nil:
		problem, status, internal := explain(err)
		if internal != nil {
			return internal
		}
		shown.Message, shown.IsProblem = problem, true
		return s.showContracts(w, r, shown, status)
	case isCheck:
		return s.showContracts(w, r, shown, http.StatusOK)
	}
	http.Redirect(w, r.Request, contractsPath+"?name="+url.QueryEscape(c.Name)+"#contract-title", http.StatusSeeOther)
	return nil
}

func (s *Site) deleteContract(r *Request, name string) error {
	if err := api.CheckContractName(name); err != nil {
		return err
	}
	return s.API.Contracts.Delete(r.Context(), owner(r), name)
}
