package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// argument is one of a tool's: a parameter as agents call it. The API itself checks its value.
type argument struct {
	name      string
	parameter string         // the API's name for it
	source    *api.Parameter // nil for a header
	inPath    bool
	required  bool
	// single arguments are one of the values that the parameter takes separated by commas.
	single bool
	// isHeader: the API takes it as a header, not as a parameter.
	isHeader bool
	// isBody: the API takes it as the body, in JSON.
	isBody bool
	absent string // sent where it is not given; empty for nothing
	schema *jsonschema.Schema
}

// freshArgument asks for a fresh reading, as Cache-Control: no-cache does over REST.
var freshArgument = argument{
	name: "fresh", isHeader: true,
	schema: &jsonschema.Schema{
		Type: "boolean", Default: json.RawMessage("false"),
		Description: "true reads the source anew when the stored answer is older than a minute (15 minutes where a " +
			"reading is paid for). If that fails, the stored answer is given; source_timestamp tells. Leave it out unless " +
			"the stored answer is too old.",
	},
}

func newArgument(p *api.Parameter) argument {
	schema := *cmp.Or(p.Argument.Schema, p.Schema)
	schema.Description = cmp.Or(p.Argument.Description, p.Description)
	if p.Argument.Default != "" {
		schema.Default = json.RawMessage(p.Argument.Default)
	}
	return argument{
		name: cmp.Or(p.Argument.Name, p.Name), parameter: p.Name, source: p, inPath: p.InPath,
		required: p.Required || p.Argument.Required, single: p.Argument.Single, absent: p.Argument.Default, schema: &schema,
	}
}

// bodyArgument is the argument that is sent in the body.
func bodyArgument(u *api.Upload) argument {
	schema := *u.Argument.Schema
	schema.Description = u.Argument.Description
	return argument{name: u.Argument.Name, isBody: true, required: u.Argument.Required, schema: &schema}
}

// argumentValues are a call's arguments by name, as the API takes them.
type argumentValues map[string]string

// parseArguments reads the arguments of a call. It refuses what the tool's schema does not have at all; null stands
// for an argument that is not given.
func parseArguments(known []argument, raw json.RawMessage) (argumentValues, error) {
	given := map[string]json.RawMessage{}
	if len(raw) > 0 && json.Unmarshal(raw, &given) != nil {
		return nil, contracts.Errorf(contracts.InvalidRequest, "the arguments must be an object")
	}
	out := argumentValues{}
	var violations []contracts.Violation
	for name, v := range given {
		value, wrong := parseArgument(known, name, v)
		if wrong != "" {
			violations = append(violations, contracts.Violation{Loc: []string{"arguments", name}, Msg: wrong})
		} else if !bytes.Equal(v, jsonNull) {
			out[name] = value
		}
	}
	if len(violations) == 0 {
		return out, nil
	}
	slices.SortFunc(violations, func(a, b contracts.Violation) int { return slices.Compare(a.Loc, b.Loc) })
	return nil, &contracts.Error{Code: contracts.InvalidRequest, Message: violations[0].Msg, Violations: violations}
}

var jsonNull = []byte("null")

func parseArgument(known []argument, name string, raw json.RawMessage) (value, wrong string) {
	i := slices.IndexFunc(known, func(a argument) bool { return a.name == name })
	if i < 0 {
		return "", unknownArgument(known, name)
	}
	if known[i].schema.Type == "boolean" {
		return parseBoolean(raw)
	}
	if known[i].isBody {
		return parseBody(raw, *known[i].schema.MaxItems)
	}
	switch raw[0] {
	case '"':
		if err := json.Unmarshal(raw, &value); err != nil {
			return "", "this is not a string"
		}
	case '{', '[', 't', 'f':
		return "", "this must be a string or a number"
	default:
		value = wholeNumber(string(raw))
	}
	if known[i].single && strings.Contains(value, ",") {
		return "", "one value only; call the tool once for each"
	}
	return value, ""
}

// unknownArgument says which arguments there are, and which of them the name may mean.
func unknownArgument(known []argument, name string) string {
	var names []string
	hint := ""
	for _, a := range known {
		names = append(names, a.name)
		if strings.EqualFold(a.name, name) || a.source != nil && a.source.IsMeantBy(name) {
			hint = "did you mean " + a.name + "? "
		}
	}
	return "this argument is not known here; " + hint + api.Known("arguments", names)
}

// parseBoolean reads true and false, also as texts: some agents send all arguments so.
func parseBoolean(raw json.RawMessage) (value, wrong string) {
	switch value = strings.Trim(string(raw), `"`); value {
	case "true", "false", "null":
		return value, ""
	}
	return "", "this must be true or false"
}

// parseBody takes a list of at most so many items as it is. The API reads it.
func parseBody(raw json.RawMessage, maxItems int) (value, wrong string) {
	var items []json.RawMessage
	switch err := json.Unmarshal(raw, &items); {
	case err != nil:
		return "", "this must be a list of objects"
	case len(items) > maxItems:
		return "", fmt.Sprintf("at most %d items; call the tool again with the rest", maxItems)
	}
	return string(raw), ""
}

// wholeNumber writes whole numbers without a fraction or exponent: 4.0 is the integer 4 (JSON Schema 2020-12, §6.1.1).
func wholeNumber(text string) string {
	if len(text) > 20 || !strings.ContainsAny(text, ".eE") {
		return text
	}
	if f, ok := new(big.Rat).SetString(text); ok && f.IsInt() && f.Num().IsInt64() {
		return f.Num().String()
	}
	return text
}

// query is the API's query for the values. A required parameter that is missing is sent empty, so that the API refuses
// it in the order and the words it has for that.
func (v argumentValues) query(known []argument) string {
	var pairs []string
	for _, a := range known {
		value, given := v[a.name]
		if !given && a.absent != "" {
			value, given = a.absent, true
		}
		if !a.inPath && !a.isHeader && !a.isBody && (given || a.required) {
			pairs = append(pairs, a.parameter+"="+url.QueryEscape(value))
		}
	}
	return strings.Join(pairs, "&")
}
