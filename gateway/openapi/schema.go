package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/portfolio"
)

// Schema is the JSON Schema 2020-12 of a Go type as it is in the document, by itself: without references, and with one
// type in each place, since some readers of tool schemas take no more. It panics for a type that JSON cannot hold. All
// who ask for a type get the same schema, which they must not change: to infer one takes longer than the rest of a
// tool.
func Schema(t reflect.Type) *jsonschema.Schema {
	if s, ok := inferred.Load(t); ok {
		return s.(*jsonschema.Schema)
	}
	s := newSchemas(nil).of(t)
	walkSchemas(s, splitNullable)
	inferred.Store(t, s)
	return s
}

// inferred has the schema of each [reflect.Type] that was asked for.
var inferred sync.Map

// schemas makes the JSON Schemas of Go types with what [enums] and [bounds] say of them.
type schemas struct {
	// named has the schemas by which others hold a named type.
	named map[reflect.Type]*jsonschema.Schema
	// components has the schemas of named types, and those in named refer to them. Where it is nil, others hold
	// copies.
	components map[string]*jsonschema.Schema
}

func newSchemas(components map[string]*jsonschema.Schema) *schemas {
	s := &schemas{components: components, named: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
		reflect.TypeFor[audit.Points]():    {Type: "string", Pattern: decimalPattern},
		reflect.TypeFor[audit.Cents]():     {Type: "string", Pattern: decimalPattern},
		reflect.TypeFor[contracts.Price](): {Type: "string", Pattern: decimalPattern},
		reflect.TypeFor[audit.Counts]():    countsSchema(audit.Verdicts),

		reflect.TypeFor[customers.MatchCounts](): countsSchema(contracts.MatchOutcomes),
		reflect.TypeFor[contracts.Date]():        {Types: []string{"string", "null"}, Format: "date"},
		reflect.TypeFor[contracts.PageURL]():     {Type: "string", Format: "uri"},
	}}
	if components != nil { // tools take no contracts
		components["Figure"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
			{Type: "string", Pattern: `^[0-9]+(\.[0-9]+)?$`}, {Type: "number", Format: "double", Minimum: jsonschema.Ptr(0.0)},
		}}
	}
	for t, values := range enums {
		named := &jsonschema.Schema{Type: "string", Enum: values}
		if t == reflect.TypeFor[contracts.NoteCode]() && components != nil { // tools say it in fewer words
			named.Description = noteMeanings()
		}
		s.keep(t, named)
	}
	return s
}

// noteMeanings says of each note what it means, and which of them mean that nobody vouches for the percents.
func noteMeanings() string {
	var b strings.Builder
	for _, code := range contracts.NoteCodes {
		fmt.Fprintf(&b, "%s: %s", code, code.Meaning())
		if code.IsDoubt() {
			b.WriteString("; UNVERIFIED")
		}
		b.WriteString(".\n\n")
	}
	return strings.TrimSpace(b.String())
}

// decimalPattern matches decimal texts, such as -1.20.
const decimalPattern = `^-?[0-9]+\.[0-9]{2,6}$`

// countsSchema is an object with a number for each verdict or outcome.
func countsSchema[V ~string](all []V) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, v := range all {
		s.Properties[string(v)] = &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0)}
		s.Required = append(s.Required, string(v))
	}
	return s
}

// renamed are the components of types that are called in Go as types of other packages are.
var renamed = map[reflect.Type]string{
	reflect.TypeFor[portfolio.License](): "PortfolioLicense",
}

// nameOf is the name of the component of a type.
func nameOf(t reflect.Type) string { return cmp.Or(renamed[t], t.Name()) }

// keep adds the schema of a named type.
func (s *schemas) keep(t reflect.Type, schema *jsonschema.Schema) {
	if s.components != nil {
		for other := range s.named {
			if nameOf(other) == nameOf(t) && other != t {
				panic(fmt.Sprintf("the document has two types of the name %s: of %s and of %s", nameOf(t),
					other.PkgPath(), t.PkgPath()))
			}
		}
		s.components[nameOf(t)] = schema
		schema = &jsonschema.Schema{Ref: api.SchemaRef(nameOf(t))}
	}
	s.named[t] = schema
}

// of is the schema of a type, or a reference to it.
func (s *schemas) of(t reflect.Type) *jsonschema.Schema {
	s.keepStructs(t)
	return s.infer(t)
}

// keepStructs keeps the schemas of all named structs that a type is made of, innermost first.
func (s *schemas) keepStructs(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		s.keepStructs(t.Elem())
	case reflect.Struct:
		if s.named[t] != nil {
			return
		}
		for _, f := range reflect.VisibleFields(t) {
			if !f.Anonymous && f.IsExported() {
				s.keepStructs(f.Type)
			}
		}
		if t.Name() != "" {
			s.keep(t, s.infer(t))
		}
	}
}

// agreed are the parts of a contract, which a client writes: their figures are texts of decimals or numbers, none below
// zero.
var (
	agreed = []reflect.Type{reflect.TypeFor[audit.Term](), reflect.TypeFor[audit.AgreedBracket](),
		reflect.TypeFor[audit.Peg]()}
	figures = []reflect.Type{reflect.TypeFor[audit.Points](), reflect.TypeFor[audit.Cents](),
		reflect.TypeFor[audit.Count]()}
)

// infer makes the schema of a type whose structs are kept. Embedded structs are not held: their members are t's.
func (s *schemas) infer(t reflect.Type) *jsonschema.Schema {
	named := maps.Clone(s.named)
	if t.Kind() == reflect.Struct && named[t] == nil {
		for _, f := range reflect.VisibleFields(t) {
			if f.Anonymous {
				delete(named, f.Type)
			}
		}
	}
	if slices.Contains(agreed, t) && s.components != nil {
		for _, figure := range figures {
			named[figure] = &jsonschema.Schema{Ref: api.SchemaRef("Figure")}
		}
	}
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: named})
	if err != nil {
		panic(fmt.Sprintf("openapi: %v", err)) // the types are ours: a test sees it
	}
	if t.Kind() == reflect.Struct && named[t] == nil {
		finishMembers(t, schema)
	}
	walkSchemas(schema, adaptInferred)
	return schema
}

// adaptInferred changes what is inferred to what our bodies are: further members may be added to objects, lists are
// never null, a type stands before the null that may take its place, and numbers have 64 bits. Without a format,
// generators take float32, which makes 46.31999969482422 of 46.32.
func adaptInferred(s *jsonschema.Schema) {
	if closed := s.AdditionalProperties; closed != nil && closed.Not != nil {
		s.AdditionalProperties = nil
	}
	if s.Type == "number" || slices.Contains(s.Types, "number") {
		s.Format = "double"
	}
	i := slices.Index(s.Types, "null")
	switch {
	case i < 0:
	case slices.Contains(s.Types, "array"):
		s.Type, s.Types = "array", nil
	case s.Ref != "":
		*s = jsonschema.Schema{Description: s.Description, AnyOf: []*jsonschema.Schema{{Ref: s.Ref}, {Type: "null"}}}
	default:
		s.Types = append(slices.Delete(slices.Clone(s.Types), i, i+1), "null")
	}
}

// splitNullable makes two schemas of one with a type and null.
func splitNullable(s *jsonschema.Schema) {
	if len(s.Types) != 2 {
		return
	}
	value := *s
	value.Type, value.Types, value.Description = s.Types[0], nil, ""
	*s = jsonschema.Schema{Description: s.Description, AnyOf: []*jsonschema.Schema{&value, {Type: s.Types[1]}}}
}

// walkSchemas calls edit for all schemas that s is made of and then for s itself.
func walkSchemas(s *jsonschema.Schema, edit func(*jsonschema.Schema)) {
	inner := slices.Concat(s.AnyOf, s.AllOf, s.OneOf, slices.Collect(maps.Values(s.Properties)))
	for _, i := range append(inner, s.Items, s.AdditionalProperties) {
		if i != nil {
			walkSchemas(i, edit)
		}
	}
	edit(s)
}

// quotedName finds a name that a text quotes, such as 'announced'. Tags stand in backticks, so they hold none.
var quotedName = regexp.MustCompile(`'([a-z_]+)'`)

// finishMembers adds the [bounds] of a struct's members, and sets the names that their texts quote in backticks. A
// member of an embedded struct has the bounds that it has there: Verifiability.extraction_confidence holds for every
// struct that embeds Verifiability.
func finishMembers(t reflect.Type, schema *jsonschema.Schema) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		member := schema.Properties[name]
		if f.Anonymous || member == nil {
			continue
		}
		member.Description = quotedName.ReplaceAllString(member.Description, "`$1`")
		owner := t
		for _, i := range f.Index[:len(f.Index)-1] {
			owner = owner.Field(i).Type
		}
		b, ok := bounds[t.Name()+"."+name]
		if !ok {
			b, ok = bounds[owner.Name()+"."+name]
		}
		if ok {
			b.addTo(member)
		}
	}
}
