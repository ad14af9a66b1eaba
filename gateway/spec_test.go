package gateway_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"assay.dev/gateway/api"
	"assay.dev/gateway/openapi"
)

// spec checks real answers against the OpenAPI document, by an implementation that is not ours.
type spec struct{ validator validator.Validator }

func newSpec(t testing.TB) spec {
	t.Helper()
	text, err := openapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	v, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return spec{v}
}

// check fails the test when the answer to a GET is not one that the document allows. Paths that the document does not
// have must be answered with an error.
func (s spec) check(t testing.TB, r *http.Response, body []byte) {
	t.Helper()
	answer := *r
	answer.Body = io.NopCloser(bytes.NewReader(body))
	ok, errs := s.validator.ValidateHttpResponse(r.Request, &answer)
	if ok {
		return
	}
	for _, e := range errs {
		if e.IsPathMissingError() {
			checkError(t, r, body)
			return
		}
		t.Errorf("%s %s: %d is not as openapi.json says: %v %v\n%.500s", r.Request.Method, r.Request.URL, r.StatusCode, e, e.SchemaValidationErrors, body)
	}
}

// checkError fails the test unless the answer is an error of the API.
func checkError(t testing.TB, r *http.Response, body []byte) {
	t.Helper()
	var e api.Error
	if json.Unmarshal(body, &e) != nil || e.Detail.Error == "" || e.Detail.Message == "" || e.Detail.Error.HTTPStatus() != r.StatusCode {
		t.Errorf("%s %s: %d is no error of the API: %.500s", r.Request.Method, r.Request.URL, r.StatusCode, body)
	}
}

// decode parses a body for further checks.
func decode[T any](t testing.TB, body []byte) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%v: %.200s", err, body)
	}
	return value
}

