package api

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// codeParam makes a parameter that is one of a closed set of codes, in any case. An empty value is like none.
func codeParam[C ~string](p Parameter, parse func(string) (C, error), missing string) Param[C] {
	return singleParam(p, "", func(p *Parameter, text string) (C, error) {
		switch {
		case text != "":
			return parse(text)
		case p.Required:
			return "", p.invalid("missing", missing)
		}
		return "", nil
	})
}

// codeListParam makes a parameter that is a list of codes of a closed set, repeated or separated by commas, in any
// case. Its value has their order without duplicates; without any it is all.
func codeListParam[C ~string](p Parameter, all []C, parse func(string) (C, error), missing string) Param[[]C] {
	var boxed any = all
	p.read = func(r *Request, p *Parameter) (any, error) {
		list, isGiven, err := readCodes(r, p.Name, parse)
		switch {
		case !isGiven:
			return boxed, nil
		case errors.Is(err, errNoCode):
			return list, p.invalid("string_too_short", missing)
		}
		return list, err
	}
	return Param[[]C]{&p}
}

var errNoCode = errors.New("a code is missing")

// readCodes reads codes in the order that they are given. The error is errNoCode or that of the first unknown code.
func readCodes[C ~string](r *Request, name string, parse func(string) (C, error)) (list []C,
	isGiven bool, unknown error) {
	for _, g := range r.given {
		if g.name != name {
			continue
		}
		isGiven = true
		for piece := range strings.SplitSeq(g.value, ",") {
			if piece = strings.TrimSpace(piece); piece == "" {
				return nil, true, errNoCode
			}
			c, err := parse(piece)
			if err != nil {
				unknown = cmp.Or(unknown, err)
			} else if !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	return list, isGiven, unknown
}

// enumSchema is the schema of one of a closed set of codes.
func enumSchema[C ~string](all []C) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, c := range all {
		s.Enum = append(s.Enum, string(c))
	}
	return s
}
