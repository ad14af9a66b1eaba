package api

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
)

// Where a parameter stands, as OpenAPI and violations call it.
const (
	inQuery = "query"
	inPath  = "path"
	inBody  = "body"
)

// Parameter is a parameter of an endpoint, for the OpenAPI document and for tools. [Param] has its value.
type Parameter struct {
	Name, Description string
	Required          bool
	// InPath: the value is a segment of the endpoint's path. It may hold encoded slashes, unless Segment is set too.
	InPath, Segment bool

	Schema  *jsonschema.Schema
	Example any
	// Misnomers are names by which clients look for the parameter and that no parameter has.
	Misnomers []string
	// Argument is what tools have otherwise than REST.
	Argument Argument

	// read finds the value in a request. Its error is an INVALID_REQUEST or, for a well-formed value, a NOT_FOUND.
	read func(*Request, *Parameter) (any, error)
}

// Argument is a parameter as tools have it. What is empty here is the parameter's.
type Argument struct {
	Name, Description string
	Required          bool
	Schema            *jsonschema.Schema
	// Default is sent where the argument is not given.
	Default string
	// Single arguments are one of the values that the parameter takes separated by commas.
	Single bool
	// Omitted: tools do not have the parameter.
	Omitted bool
}

// In is where the parameter stands: query or path.
func (p *Parameter) In() string {
	if p.InPath {
		return inPath
	}
	return inQuery
}

// IsMeantBy tells whether somebody who writes that unknown name may mean the parameter.
func (p *Parameter) IsMeantBy(name string) bool {
	isIt := func(known string) bool { return strings.EqualFold(known, name) }
	return isIt(p.Name) || slices.ContainsFunc(p.Misnomers, isIt)
}

func (p *Parameter) invalid(kind, msg string) error {
	return contracts.Invalid(p.In(), p.Name, kind, "%s", msg)
}

// Param is a parameter whose values are of type T.
type Param[T any] struct{ *Parameter }

// of is the parameter's value in a request that was checked.
func (p Param[T]) of(r *Request) T {
	for i, known := range r.endpoint.Parameters {
		if known == p.Parameter {
			return r.values[i].(T)
		}
	}
	panic(fmt.Sprintf("%s reads the parameter %s and does not list it", r.endpoint.Path, p.Name))
}

// singleParam makes a parameter that may be given once. Without it in the request its value is absent, or parse("")
// when it is required.
func singleParam[T any](p Parameter, absent T, parse func(p *Parameter, text string) (T, error)) Param[T] {
	var boxed any = absent // once for all requests
	p.read = func(r *Request, p *Parameter) (any, error) {
		text, isGiven := r.firstText(p)
		if !isGiven && !p.Required {
			return boxed, nil
		}
		return parse(p, text)
	}
	return Param[T]{&p}
}

// isGiven tells whether the request has the parameter.
func (p Param[T]) isGiven(r *Request) bool {
	return slices.ContainsFunc(r.given, func(g given) bool { return g.name == p.Name })
}

// firstText is the first value of a parameter; a second one is a violation.
func (r *Request) firstText(p *Parameter) (text string, isGiven bool) {
	if p.InPath {
		r.checkText(inPath, p.Name, r.Path)
		return r.Path, true
	}
	for _, g := range r.given {
		switch {
		case g.name != p.Name:
		case isGiven:
			r.violate(inQuery, p.Name, "too_many_values", "this parameter may be given once")
			return text, true
		default:
			text, isGiven = g.value, true
		}
	}
	return text, isGiven
}

// textParam makes a parameter of free text. An empty value is like none; missing is the violation of a required one.
func textParam(p Parameter, missing string) Param[string] {
	p.Schema = &jsonschema.Schema{Type: "string", MaxLength: jsonschema.Ptr(maxValue)}
	if p.Required {
		p.Schema.MinLength = jsonschema.Ptr(1)
	}
	return singleParam(p, "", func(p *Parameter, text string) (string, error) {
		if text == "" && p.Required {
			return "", p.invalid("missing", missing)
		}
		return text, nil
	})
}

// patternParam makes a parameter whose values match a pattern; wrong says what they look like.
func patternParam(p Parameter, pattern *regexp.Regexp, wrong string) Param[string] {
	p.Schema = &jsonschema.Schema{Type: "string", Pattern: pattern.String()}
	return singleParam(p, "", func(p *Parameter, text string) (string, error) {
		if !pattern.MatchString(text) {
			return "", p.invalid("string_pattern_mismatch", wrong)
		}
		return text, nil
	})
}

// integerParam makes a parameter that is a whole number from low to high, of what noun names, such as "week".
func integerParam(p Parameter, noun string, low, high, absent int) Param[int] {
	p.Schema = &jsonschema.Schema{
		Type: "integer", Minimum: jsonschema.Ptr(float64(low)), Maximum: jsonschema.Ptr(float64(high)),
		Default: json.RawMessage(strconv.Itoa(absent)),
	}
	return singleParam(p, absent, func(p *Parameter, text string) (int, error) {
		n, err := strconv.Atoi(text)
		isLarge := err != nil && text != "" && strings.Trim(text, "0123456789") == "" || err == nil && n > high
		switch {
		case isLarge:
			return 0, p.invalid("less_than_equal", fmt.Sprintf("at most %s can be asked for", withNoun(high, noun)))
		case err != nil || text[0] == '+':
			return 0, p.invalid("int_parsing", "this is not a whole number")
		case n < low:
			return 0, p.invalid("greater_than_equal", fmt.Sprintf("at least %s must be asked for", withNoun(low, noun)))
		}
		return n, nil
	})
}

// withoutDefault leaves the default out of the schema, for a parameter that may not stand beside others: whoever sends
// the defaults of a schema, as some clients and agents do, would be refused.
func withoutDefault[T any](p Param[T]) Param[T] {
	p.Schema.Default = nil
	return p
}

// dateParam makes a parameter that is a date of the form YYYY-MM-DD; "" when it is not given.
func dateParam(p Parameter) Param[contracts.Date] {
	return checkedDateParam(p, func(contracts.Date) error { return nil })
}

// checkedDateParam makes a parameter that is a date which check lets pass.
func checkedDateParam(p Parameter, check func(contracts.Date) error) Param[contracts.Date] {
	p.Schema = &jsonschema.Schema{Type: "string", Format: "date"}
	return singleParam(p, "", func(p *Parameter, text string) (contracts.Date, error) {
		d, err := contracts.ParseDate(text)
		switch {
		case text == "" && p.Required:
			return "", p.invalid("missing", "this parameter is required: a date of the form YYYY-MM-DD")
		case err != nil:
			return "", p.invalid("date_parsing", "this is not a date of the form YYYY-MM-DD")
		}
		if err := check(d); err != nil {
			return "", p.invalid("date_past", err.Error())
		}
		return d, nil
	})
}

// momentParam makes a parameter that is a moment: a time as RFC 3339 has it, or a date, which stands for its end in New
// York.
func momentParam(p Parameter) Param[*time.Time] {
	p.Schema = &jsonschema.Schema{Type: "string"}
	return singleParam(p, nil, func(p *Parameter, text string) (*time.Time, error) {
		if d, err := contracts.ParseDate(text); err == nil {
			return new(d.End()), nil
		}
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return nil, p.invalid("datetime_parsing",
				"this is neither a date (2026-03-17) nor a time with its zone (2026-03-17T12:00:00Z); a + in it is written %2B")
		}
		return &t, nil
	})
}

// booleanParam makes a parameter that is true or false, which is 1 or 0 too.
func booleanParam(p Parameter, absent bool) Param[bool] {
	p.Schema = &jsonschema.Schema{Type: "boolean", Default: json.RawMessage(strconv.FormatBool(absent))}
	return singleParam(p, absent, func(p *Parameter, text string) (bool, error) {
		return readBoolean(p.In(), p, text)
	})
}

func readBoolean(in string, p *Parameter, text string) (bool, error) {
	is, err := strconv.ParseBool(text)
	if err != nil {
		return false, contracts.Invalid(in, p.Name, "bool_parsing", "this is neither true nor false, 1 nor 0")
	}
	return is, nil
}

// withNoun writes a number with its noun, such as "1 week" or "26 weeks".
func withNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
