// Package openapitest checks against the API's OpenAPI document in tests, by implementations that are not ours.
package openapitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay.dev/gateway/openapi"
)

// Document is the API's document, which is valid OpenAPI.
type Document struct {
	router     routers.Router
	components any
	bodies     sync.Map // *openapi3.SchemaRef to *jsonschema.Schema
}

// Open reads the document. All tests of a package share it.
func Open(t testing.TB) *Document {
	t.Helper()
	d, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var shared = sync.OnceValues(func() (*Document, error) {
	text, err := openapi.Document()
	if err != nil {
		return nil, err
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	document.Servers = nil // wherever a test serves it
	router, err := legacy.NewRouter(document)
	if err != nil {
		return nil, err
	}
	var parts struct{ Components any }
	err = json.Unmarshal(text, &parts)
	return &Document{router: router, components: parts.Components}, err
})

// Has tells whether the document has an operation for a request.
func (d *Document) Has(r *http.Request) bool {
	_, err := d.route(r)
	return err == nil
}

// route is the operation of a request. A slash that is escaped begins no new part of a path.
func (d *Document) route(r *http.Request) (*routers.Route, error) {
	route, _, err := d.router.FindRoute(&http.Request{Method: r.Method, URL: &url.URL{Path: r.URL.EscapedPath()}})
	return route, err
}

// Check tells in what an answer to a request that the document has is not as it says.
func (d *Document) Check(r *http.Response, body []byte) error {
	route, err := d.route(r.Request)
	if err != nil {
		return err
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r.Request, Route: route},
		Status:                 r.StatusCode, Header: r.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: true},
	}
	if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
		return err
	}
	response := route.Operation.Responses.Status(r.StatusCode)
	if response == nil {
		return fmt.Errorf("the document has no status %d there", r.StatusCode)
	}
	for name, header := range response.Value.Headers { // of some statuses kin-openapi looks at nothing
		if header.Value.Required && r.Header.Get(name) == "" {
			return fmt.Errorf("there is no header %s", name)
		}
	}
	return d.checkBody(response.Value.Content, r.Header.Get("Content-Type"), body)
}

func (d *Document) checkBody(content openapi3.Content, contentType string, body []byte) error {
	if len(content) == 0 && len(body) == 0 {
		return nil
	}
	media := content.Get(contentType)
	if media == nil {
		return fmt.Errorf("the document has no content of type %q", contentType)
	}
	if kind, _, err := mime.ParseMediaType(contentType); err != nil || !strings.HasSuffix(kind, "json") {
		return err
	}
	schema, err := d.compiled(media.Schema)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// compiled is a schema ready for use. To compile one takes longer than to check a hundred bodies.
func (d *Document) compiled(s *openapi3.SchemaRef) (*jsonschema.Schema, error) {
	if known, ok := d.bodies.Load(s); ok {
		return known.(*jsonschema.Schema), nil
	}
	schema, err := Compile(map[string]any{"components": d.components, "schema": s}, "#/schema")
	if err == nil {
		d.bodies.Store(s, schema)
	}
	return schema, err
}

// Compile makes ready the JSON Schema at a place of a document, such as #/schema; "" is the document itself. Formats count.
func Compile(document any, place string) (*jsonschema.Schema, error) {
	text, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", parsed); err != nil {
		return nil, err
	}
	return c.Compile("schema.json" + place)
}
