// Package openapitest checks real answers against the OpenAPI document.
package openapitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const resource = "openapi.json"

// Validator holds a document.
type Validator struct {
	document map[string]any
	compiler *jsonschema.Compiler
}

// New reads an OpenAPI 3.1 document. Its schemas are of JSON Schema 2020-12.
func New(t testing.TB, document []byte) *Validator {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	v := &Validator{compiler: jsonschema.NewCompiler()}
	v.compiler.DefaultDraft(jsonschema.Draft2020)
	v.compiler.AssertFormat()
	if err := v.compiler.AddResource(resource, parsed); err != nil {
		t.Fatal(err)
	}
	v.document, _ = parsed.(map[string]any)
	return v
}

// Check fails the test when the answer to a GET or HEAD is not one that the document allows. Paths that the document does
// not have must be answered with an Error.
func (v *Validator) Check(t testing.TB, r *http.Response, body []byte) {
	t.Helper()
	if err := v.check(r, body); err != nil {
		t.Errorf("%s %s: %d is not as openapi.json says: %v\n%.500s", r.Request.Method, r.Request.URL, r.StatusCode, err, body)
	}
}

func (v *Validator) check(r *http.Response, body []byte) error {
	pointer, response := v.response(r)
	if response == nil {
		switch r.StatusCode {
		case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusTooManyRequests:
			return v.validate("#/components/schemas/Error", r, body)
		}
		return fmt.Errorf("the document has no such answer")
	}
	for name := range member(response, "headers") {
		if len(r.Header.Values(name)) != 1 {
			return fmt.Errorf("%d headers %s", len(r.Header.Values(name)), name)
		}
	}
	if response["content"] == nil || r.Request.Method == http.MethodHead {
		if len(body) > 0 {
			return fmt.Errorf("a body of %d bytes", len(body))
		}
		return nil
	}
	return v.validate(pointer+"/content/application~1json/schema", r, body)
}

func (v *Validator) validate(pointer string, r *http.Response, body []byte) error {
	if r.Request.Method == http.MethodHead {
		return nil
	}
	if kind := r.Header.Get("Content-Type"); kind != "application/json" {
		return fmt.Errorf("content type %q", kind)
	}
	schema, err := v.compiler.Compile(resource + pointer)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// response finds what the document says of an answer, references resolved.
func (v *Validator) response(r *http.Response) (pointer string, response map[string]any) {
	for template, item := range member(v.document, "paths") {
		if !matches(template, r.Request.URL.EscapedPath()) {
			continue
		}
		status := fmt.Sprint(r.StatusCode)
		found := member(member(item.(map[string]any), "get"), "responses")[status]
		response, _ = found.(map[string]any)
		if reference, ok := response["$ref"].(string); ok {
			name := reference[strings.LastIndex(reference, "/")+1:]
			return reference, member(member(member(v.document, "components"), "responses"), name)
		}
		escaped := strings.ReplaceAll(strings.ReplaceAll(template, "~", "~0"), "/", "~1")
		return "#/paths/" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(escaped) + "/get/responses/" + status, response
	}
	return "", nil
}

func matches(template, path string) bool {
	prefix, _, variable := strings.Cut(template, "{")
	if !variable {
		return template == path
	}
	return strings.HasPrefix(path, prefix) && !strings.Contains(path[len(prefix):], "/")
}

func member(o map[string]any, name string) map[string]any {
	m, _ := o[name].(map[string]any)
	return m
}

// Schemas compiles every component schema, to show that the document is whole.
func (v *Validator) Schemas(t testing.TB) {
	t.Helper()
	for name := range member(member(v.document, "components"), "schemas") {
		if _, err := v.compiler.Compile(resource + "#/components/schemas/" + name); err != nil {
			t.Error(err)
		}
	}
}

// Decode parses a body for further checks.
func Decode[T any](t testing.TB, body []byte) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%v: %.200s", err, body)
	}
	return value
}
