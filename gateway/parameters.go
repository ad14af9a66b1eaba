package gateway

import (
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
	given      []parameter
	violations []contracts.Violation
}

type parameter struct{ name, value string }

// parameters reads the query. A parameter that the route does not know is a violation: a filter that is accepted and not
// applied would be worse than an error.
func (e *exchange) parameters() *parameters {
	p := &e.query
	for pair := range strings.SplitSeq(e.c.Request.URL.RawQuery, "&") {
		if pair != "" {
			p.read(pair, e.route.parameters)
		}
	}
	return p
}

// read takes one name=value of a query string apart, as net/url does.
func (p *parameters) read(pair string, known []string) {
	name, value, _ := strings.Cut(pair, "=")
	name, err1 := url.QueryUnescape(name)
	value, err2 := url.QueryUnescape(value)
	switch {
	case err1 != nil || err2 != nil || strings.Contains(pair, ";"):
		p.violate("query", "", "malformed_query", "the query string is not well-formed; percent-encode what is special in it")
	case !slices.Contains(known, name):
		p.violate("query", contracts.Printable(name), "extra_forbidden", "this parameter is not known here")
	default:
		p.checkText("query", name, value)
		p.given = append(p.given, parameter{name, value})
	}
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
	case strings.ContainsFunc(value, contracts.Invisible):
		p.violate(in, name, "string_invisible", "invisible characters are not allowed")
	}
}

// one is the value of a parameter that may be given once, without blanks around it.
func (p *parameters) one(name string) (value string, given bool) {
	for _, g := range p.given {
		if g.name != name {
			continue
		}
		if given {
			p.violate("query", name, "too_many_values", "this parameter may be given once")
			break
		}
		value, given = strings.TrimSpace(g.value), true
	}
	return value, given
}

// text is one, with "" for a parameter that is not given.
func (p *parameters) text(name string) string {
	value, _ := p.one(name)
	return value
}

// state is the required parameter of that name. The error is NOT_FOUND for a state that is not supported; it counts only
// if nothing is violated.
func (p *parameters) state() (contracts.State, error) {
	code := p.text("state")
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
	slices.SortStableFunc(p.violations, func(a, b contracts.Violation) int { return slices.Compare(a.Loc, b.Loc) })
	return &contracts.Error{Code: contracts.InvalidRequest, Message: p.violations[0].Msg, Violations: slices.Clone(p.violations)}
}
