package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/gateway/api"
	"assay.dev/gateway/spreadsheet"
)

// object is a JSON object.
type object = map[string]any

// Version is that of the interface (contract §9).
const Version = "1.0.0"

const description = `Weekly LTL fuel surcharges of freight carriers and liquor licenses of U.S. states, each with the proof of where it came from.

` + api.Claims + `

A key that begins with test_ is answered from a sandbox with fixed data, a
live_ key from the real sources; the Assay-Environment header says which. Unknown query parameters are refused.`

// serviceTag is that of the endpoints without a product.
const serviceTag = "service"

// Document is the OpenAPI document, as JSON. Identifiers in its texts stand in backticks. It is made once in a process.
// Callers must not change it.
func Document() ([]byte, error) { return document() }

var document = sync.OnceValues(newDocument)

func newDocument() ([]byte, error) {
	s := newSchemas(map[string]*jsonschema.Schema{"CSV": csvSchema})
	paths, responses := object{}, object{}
	for _, e := range api.Endpoints {
		if paths[e.Path] == nil {
			paths[e.Path] = object{}
		}
		paths[e.Path].(object)[strings.ToLower(e.Methods()[0])] = operation(s, e)
		for _, f := range e.AllFailures() {
			responses[f.Name] = failure(s, f)
		}
		if isConditional(e) {
			responses[notModified(e)] = object{"description": "The body is the one that If-None-Match names.",
				"headers": headersOf(e)}
		}
	}
	return json.Marshal(markTexts(object{
		"openapi":  "3.1.0",
		"info":     object{"title": "Assay", "version": Version, "description": description},
		"servers":  []object{{"url": "/"}},
		"tags":     tags(),
		"security": []object{{"ApiKey": []string{}}, {"Basic": []string{}}},
		"paths":    paths,
		"webhooks": object{"change": object{"post": delivery(s)}},
		"components": object{
			"securitySchemes": securitySchemes,
			"headers":         withLimitsOfKey(maps.Clone(headers)),
			"responses":       responses,
			"schemas":         s.components,
		},
	}))
}

var securitySchemes = object{
	"ApiKey": object{"type": "apiKey", "in": "header", "name": "X-API-Key"},
	"Basic": object{
		"type": "http", "scheme": "basic", "description": "The key as the user name, for spreadsheets. X-API-Key " +
			"wins where both are sent.",
	},
}

func tags() []object {
	var all []object
	for _, p := range api.Products {
		all = append(all, object{"name": string(p.Product), "description": p.Title})
	}
	return append(all, object{"name": serviceTag, "description": "The service itself"})
}

// operation is an endpoint's GET, or the method that it has instead. Every GET is answered as HEAD too, without the
// body.
func operation(s *schemas, e *api.Endpoint) object {
	op := object{"operationId": e.ID, "tags": []string{tagOf(e)}, "summary": e.Summary, "responses": responsesOf(s, e)}
	if text := descriptionOf(e); text != "" {
		op["description"] = text
	}
	if len(e.Parameters) > 0 || e.Upload != nil {
		op["parameters"] = parametersOf(e)
	}
	if e.Upload != nil {
		op["requestBody"] = uploadOf(s, e)
	}
	if e.Access == api.Open {
		op["security"] = []object{}
	}
	return op
}

func tagOf(e *api.Endpoint) string {
	if e.Product == "" {
		return serviceTag
	}
	return string(e.Product)
}

// descriptionOf ends with the price.
func descriptionOf(e *api.Endpoint) string {
	if e.LinePriced {
		return e.Description + " A resolved line costs a tenth of an answer, where the operator set no " +
			"other price; dry_run tells."
	}
	if !e.Billable {
		return e.Description
	}
	return fmt.Sprintf("%s %.2f USD an answer.", e.Description, float64(e.Product.UnitPriceCents())/100)
}

func parametersOf(e *api.Endpoint) []object {
	var all []object
	for _, p := range e.Parameters {
		described := object{"name": p.Name, "in": p.In(), "description": p.Description, "schema": p.Schema}
		if p.Required {
			described["required"] = true
		}
		if p.Example != nil {
			described["example"] = p.Example
		}
		all = append(all, described)
	}
	if e.LinePriced {
		all = append(all, idempotencyKey)
	}
	return all
}

func responsesOf(s *schemas, e *api.Endpoint) object {
	all := object{}
	for _, f := range e.AllFailures() {
		all[strconv.Itoa(f.Status)] = object{"$ref": "#/components/responses/" + f.Name}
	}
	if e.MediaType != "" {
		all["200"] = object{
			"description": "OK", "headers": withHeaders(headersOf(e), savedHeaders(e)...),
			"content": object{e.MediaType: object{"schema": textOrBytes(e.MediaType, ""), "example": e.Document}},
		}
		if e.Method != "" {
			return all
		}
		all["304"] = object{"$ref": "#/components/responses/" + notModified(e)}
		return all
	}
	if len(e.Bodies) == 0 {
		return all
	}
	all["200"] = object{"description": "OK", "headers": headersOf(e), "content": contentOf(s, e)}
	if e.Creates {
		created := maps.Clone(all["200"].(object))
		created["headers"] = withHeaders(headersOf(e), "Location")
		all["201"] = created
		if e.Method == http.MethodPost {
			delete(all, "200")
		}
	}
	if isConditional(e) {
		all["304"] = object{"$ref": "#/components/responses/" + notModified(e)}
	}
	return all
}

// isConditional tells whether the answer has an ETag. One of several forms is written as it is made.
func isConditional(e *api.Endpoint) bool { return e.Method == "" && e.Forms == nil }

// contentOf are the forms of the 200's body.
func contentOf(s *schemas, e *api.Endpoint) object {
	forms := object{"application/json": object{"schema": bodyOf(s, e),
		"examples": namedExamples(api.ExamplesOf(e.ID).Answers)}}
	if e.Upload != nil {
		return uploadReplies(e, forms)
	}
	for _, f := range e.Forms {
		name, _, _ := strings.Cut(f.Reply, ";")
		forms[name] = object{"schema": textOrBytes(name, f.Text)}
	}
	if e.Table != nil {
		forms["text/csv"] = object{"schema": tableSchema(e.Table)} // which names the columns
	}
	return forms
}

// csvSchema is what all tables have in common.
var csvSchema = &jsonschema.Schema{
	Type: "string", Description: "RFC 4180 with a header. A text that begins with = + - @, tab or CR has a leading " +
		"apostrophe; lists are JSON, or words. The columns are x-columns, in this order.",
}

// tableSchema names the columns in their order.
func tableSchema(t *spreadsheet.Table) object {
	return object{"$ref": "#/components/schemas/CSV", "x-columns": t.Columns()}
}

func bodyOf(s *schemas, e *api.Endpoint) *jsonschema.Schema {
	if len(e.Bodies) == 1 {
		return s.of(e.Bodies[0])
	}
	one := &jsonschema.Schema{}
	for _, t := range e.Bodies {
		one.OneOf = append(one.OneOf, s.of(t))
	}
	return one
}

// notModified names the 304 of endpoints that have the same headers.
func notModified(e *api.Endpoint) string {
	name := "NotModified"
	for _, kind := range []struct {
		of bool
		is string
	}{{e.Access == api.Open, "Open"}, {e.Sourced, "Sourced"}, {e.Table != nil, "Listed"}, {e.MediaType != "", "Page"}} {
		if kind.of {
			name += kind.is
		}
	}
	return name
}

// failure is a failure's response (contract §7).
func failure(s *schemas, f *api.Failure) object {
	names := []string{"X-Request-ID", "traceresponse", "Cache-Control"}
	if f.Retry {
		names = append(names, "Retry-After")
	}
	if !slices.Contains(beforeKey, f.Status) {
		names = append(names, limitHeadersOfKey()...)
	}
	if f.Status == http.StatusUnauthorized {
		names = append(names, "WWW-Authenticate")
	}
	if f.Status == http.StatusTooManyRequests {
		names = append(names, olderLimitHeaders...)
	}
	schema := s.of(f.Body[0])
	if len(f.Body) > 1 { // the error by itself, or with the members of the other types
		whole := &jsonschema.Schema{}
		for _, t := range f.Body {
			whole.AllOf = append(whole.AllOf, s.of(t))
		}
		schema = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{schema, whole}}
	}
	return object{
		"description": f.Description, "headers": headerRefs(names...),
		"content": object{"application/json": object{"schema": schema,
			"example": api.ErrorBody(f.Example, api.PublicError(f.Example))}},
	}
}

// namedExamples are examples as the document holds them.
func namedExamples(values map[string]json.RawMessage) object {
	all := object{}
	for name, value := range values {
		all[strings.ReplaceAll(name, " ", "-")] = object{"summary": name, "value": value}
	}
	return all
}
