package site

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
)

// changedContract is the contract as the form wants it, checked.
func (s *Site) changedContract(r *Request, name string) (audit.Contract, error) {
	c, err := s.contractOf(r, name)
	if err != nil {
		return c, err
	}
	i, isRemoval := strconv.Atoi(r.PostForm.Get("remove"))
	switch copied := strings.TrimSpace(r.PostForm.Get("copy")); {
	case isRemoval == nil && i >= 0 && i < len(c.Terms):
		c.Terms = slices.Delete(c.Terms, i, i+1)
	case r.PostForm.Get("step") == "copy":
		c.Name = copied
		if err := api.CheckContractName(copied); err != nil {
			return c, err
		}
		other, err := s.contractOf(r, copied)
		if err == nil && len(other.Terms) > 0 {
			err = contracts.Invalid("body", "copy", "exists", "there is a contract of that name already")
		}
		if err != nil {
			return c, err
		}
	default:
		t, err := writtenTerm(r.PostForm)
		if err != nil {
			return c, err
		}
		c.Terms = append(c.Terms, t)
	}
	return c, s.API.CheckContract(r.Context(), r.Caller.Environment, c)
}

// writtenTerm is the term that a form has, read as the API reads one.
func writtenTerm(form url.Values) (audit.Term, error) {
	term, peg := map[string]any{}, map[string]any{}
	for _, name := range []string{"carrier", "basis", "date_basis"} {
		term[name] = form.Get(name)
	}
	for _, f := range termFields {
		written := strings.TrimSpace(form.Get(f.Name))
		text := strings.Trim(written, " $%")
		if f.Name == "multiplier" && strings.HasSuffix(written, "%") {
			text += "e-2" // 85% is 0.85
		}
		member, isOfPeg := strings.CutPrefix(f.Name, "peg.")
		number, err := strconv.Atoi(text)
		switch {
		case text == "":
		case isOfPeg:
			peg[member] = text
		case f.Type == "number" && err != nil:
			return audit.Term{}, contracts.Invalid("body", f.Name, "int_parsing", "this is not a whole number")
		case f.Type == "number":
			term[f.Name] = number
		default:
			term[f.Name] = text
		}
	}
	if len(peg) > 0 {
		term["peg"] = peg
	}
	brackets, err := writtenBrackets(form.Get("brackets"))
	if err != nil {
		return audit.Term{}, err
	}
	if len(brackets) > 0 {
		term["brackets"] = brackets
	}
	body, err := json.Marshal(map[string]any{"terms": []any{term}})
	if err != nil {
		return audit.Term{}, err
	}
	c, err := api.ReadContract("", body)
	if err != nil {
		return audit.Term{}, err
	}
	return c.Terms[0], nil
}

// writtenBrackets reads lines of a price, the next price and a percent, as they are copied from a table; the last line
// may lack its second price.
func writtenBrackets(text string) (all []map[string]string, err error) {
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		cells := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t\r;|$%", c) })
		switch len(cells) {
		case 0:
		case 2:
			all = append(all, map[string]string{"from_usd": cells[0], "pct": cells[1]})
		case 3:
			all = append(all, map[string]string{"from_usd": cells[0], "to_usd": cells[1], "pct": cells[2]})
		default:
			return nil, contracts.Invalid("body", "brackets", "value_error", "line %d: want a price, the next price and a "+
				"percent, such as 3.00 3.05 31.5", i+1)
		}
	}
	return all, nil
}
