package gateway

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay.dev/contracts"
)

const (
	// maxValue bounds a parameter's value, in characters.
	maxValue = 200
	// maxViolations bounds what is said of one request.
	maxViolations = 20
)

// parameters are a request's, with what is wrong with them.
type parameters struct {
	query      url.Values
	violations []contracts.Violation
}

// parameters reads the query. A parameter that the route does not know is a violation: a filter that is accepted and not
// applied would be worse than an error.
func (e *exchange) parameters() *parameters {
	p := &parameters{}
	raw := e.c.Request.URL.RawQuery
	if raw == "" {
		return p
	}
	query, err := url.ParseQuery(raw)
	if err != nil {
		p.violate("query", "", "malformed_query", "the query string is not well-formed; percent-encode what is special in it")
	}
	p.query = query
	for _, name := range slices.Sorted(maps.Keys(query)) {
		values := query[name]
		if !slices.Contains(e.route.parameters, name) {
			p.violate("query", contracts.Printable(name), "extra_forbidden", "this parameter is not known here")
			continue
		}
		for _, v := range values {
			p.checkText("query", name, v)
		}
	}
	return p
}

func (p *parameters) violate(in, name, kind, msg string) {
	loc := []string{in}
	if name != "" {
		loc = append(loc, name)
	}
	if len(p.violations) < maxViolations {
		p.violations = append(p.violations, contracts.Violation{Loc: loc, Msg: msg, Type: kind})
	}
}

// checkText refuses what no name, number or code has in it.
func (p *parameters) checkText(in, name, value string) {
	switch {
	case !utf8.ValidString(value):
		p.violate(in, name, "string_encoding", "this is not valid UTF-8")
	case utf8.RuneCountInString(value) > maxValue:
		p.violate(in, name, "string_too_long", "at most 200 characters are allowed")
	case strings.ContainsFunc(value, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }):
		p.violate(in, name, "string_control", "control characters are not allowed")
	}
}

// one is the value of a parameter that may be given once, without blanks around it; "" when it is not given.
func (p *parameters) one(name string) string {
	values := p.query[name]
	if len(values) > 1 {
		p.violate("query", name, "too_many_values", "this parameter may be given once")
	}
	if len(values) == 0 {
		return ""
	}
	return strings.TrimSpace(values[0])
}

// state is the required parameter of that name. The error is NOT_FOUND for a state that is not supported; it counts only
// if nothing is violated.
func (p *parameters) state() (contracts.State, error) {
	code := p.one("state")
	if code == "" {
		p.violate("query", "state", "missing", "this parameter is required: CA, TX, NY, FL or IL")
		return "", nil
	}
	return contracts.ParseState(code)
}

// err is the violations as one error, or other when there are none.
func (p *parameters) err(other error) error {
	if len(p.violations) == 0 {
		return other
	}
	return &contracts.Error{Code: contracts.InvalidRequest, Message: p.violations[0].Msg, Violations: p.violations}
}
