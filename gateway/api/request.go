package api

import (
	"cmp"
	"context"
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

// Request is what an endpoint's function may know of a request: who asks is known by the environment, the products and,
// for what a tenant keeps, the tenant.
type Request struct {
	// ID is the id that the client sees.
	ID          string
	Environment contracts.Environment
	Tenant      string
	// Products are the products that the key is subscribed to.
	Products []contracts.Product
	// Host is the API's host as the client named it.
	Host string
	// Path is the part of the path that stands for the path parameter, decoded once; of [UnknownPath] the whole path.
	// Query is the raw query string.
	Path, Query string
	// Fresh: the client asks for a fresh reading of the source.
	Fresh bool
	// Form is the form of Body, for endpoints with an [Upload]; see [Request.TakeForm].
	Form Form
	Body []byte
	// IdempotencyKey is the key by which the client repeats the request; empty without one.
	IdempotencyKey string
	// AcceptsCSV: the client's Accept header prefers CSV to JSON.
	AcceptsCSV bool

	// Wait begins a wait for something to happen, for endpoints that [Endpoint.Waits]. It fails when the tenant has too
	// many under way. allowed fails once the key may no longer ask; the caller calls leave in the end.
	Wait func() (allowed func(context.Context) error, leave func(), err error)

	endpoint   *Endpoint
	given      []given
	values     []any // of the endpoint's parameters, in their order
	violations []contracts.Violation
	refused    error // of the first value that is well-formed and names nothing that there is
}

// given is one name=value of a query.
type given struct{ name, value string }

// Reset makes r a new request to an endpoint. The memory of the old one is used again.
func (r *Request) Reset(to *Endpoint) {
	*r = Request{endpoint: to, given: r.given[:0], values: r.values[:0]}
}

// check reads the query and the values of all parameters. A query parameter that the endpoint does not know is a
// violation: a filter that is accepted and not applied would be worse than an error.
func (r *Request) check() error {
	for pair := range strings.SplitSeq(r.Query, "&") {
		if pair != "" {
			r.readPair(pair)
		}
	}
	for _, p := range r.endpoint.Parameters {
		value, err := p.read(r, p)
		r.values = append(r.values, value)
		if err != nil {
			r.report(err)
		}
	}
	if r.endpoint.Rule != nil {
		r.endpoint.Rule(r)
	}
	return r.err()
}

// readPair takes one name=value of a query string apart, as net/url does.
func (r *Request) readPair(pair string) {
	name, value, _ := strings.Cut(pair, "=")
	name, err1 := url.QueryUnescape(name)
	value, err2 := url.QueryUnescape(value)
	switch {
	case err1 != nil || err2 != nil || strings.Contains(pair, ";"):
		r.violate(inQuery, "", "malformed_query", "the query string is not well-formed; percent-encode what is special in it")
	case !r.knows(name):
		r.violate(inQuery, contracts.Printable(name), "extra_forbidden", r.unknown(name))
	default:
		r.checkText(inQuery, name, value)
		r.given = append(r.given, given{name, strings.TrimSpace(value)})
	}
}

// unknown says which parameters there are, and which of them the name may mean.
func (r *Request) unknown(name string) string {
	var known []string
	hint := ""
	for _, p := range r.endpoint.Parameters {
		if p.InPath {
			continue
		}
		known = append(known, p.Name)
		if p.IsMeantBy(name) {
			hint = "did you mean " + p.Name + "? "
		}
	}
	return "this parameter is not known here; " + hint + Known("parameters", known)
}

// Known lists the names of the parameters or arguments that there are, such as "known parameters: carriers, weeks".
func Known(noun string, names []string) string {
	if len(names) == 0 {
		return "there are no " + noun
	}
	return "known " + noun + ": " + strings.Join(names, ", ")
}

func (r *Request) knows(name string) bool {
	return slices.ContainsFunc(r.endpoint.Parameters,
		func(p *Parameter) bool { return p.Name == name && p.In() == inQuery })
}

// checkText refuses what no name, number or code has in it.
func (r *Request) checkText(in, name, value string) {
	switch {
	case !utf8.ValidString(value):
		r.violate(in, name, "string_encoding", "this is not valid UTF-8")
	case utf8.RuneCountInString(value) > maxValue:
		r.violate(in, name, "string_too_long", "at most 200 characters are allowed")
	case strings.ContainsFunc(value, func(c rune) bool { return unicode.In(c, unicode.Cc, unicode.Zl, unicode.Zp) }):
		r.violate(in, name, "string_control", "control characters are not allowed")
	case strings.ContainsFunc(value, contracts.Invisible):
		r.violate(in, name, "string_invisible", "invisible characters are not allowed")
	}
}

// violate notes one way in which the request is invalid (contract §7). The name is empty for the query as a whole.
func (r *Request) violate(in, name, kind, msg string) {
	loc := []string{in}
	if name != "" {
		loc = append(loc, name)
	}
	if len(r.violations) < maxViolations {
		r.violations = append(r.violations, contracts.Violation{Loc: loc, Msg: msg, Type: kind})
	}
}

// report notes the error of a parameter's value: a violation, or that there is no such thing.
func (r *Request) report(err error) {
	e := contracts.AsError(err)
	if e.Code != contracts.InvalidRequest {
		r.refused = cmp.Or(r.refused, err)
		return
	}
	for _, v := range e.Violations {
		r.violate(v.Loc[0], v.Loc[1], v.Type, v.Msg)
	}
}

// err is the violations as one error. Without any, it is the error of a value that names nothing that there is.
func (r *Request) err() error {
	if len(r.violations) == 0 {
		return r.refused
	}
	slices.SortStableFunc(r.violations, func(a, b contracts.Violation) int { return slices.Compare(a.Loc, b.Loc) })
	return &contracts.Error{
		Code: contracts.InvalidRequest, Message: r.violations[0].Msg, Violations: slices.Clone(r.violations),
	}
}
