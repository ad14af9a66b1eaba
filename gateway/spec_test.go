package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	validator "github.com/pb33f/libopenapi-validator"

	"assay.dev/gateway/api"
	"assay.dev/gateway/openapi/openapitest"
)

// spec checks real answers against the OpenAPI document.
type spec struct{ validator validator.Validator }

func newSpec(t testing.TB) spec { return spec{openapitest.Validator(t)} }

// check fails the test when the answer to a GET is not one that the document allows.
func (s spec) check(t testing.TB, r *http.Response, body []byte) {
	t.Helper()
	for _, p := range s.problems(r, body) {
		t.Errorf("%s %s: %d is not as openapi.json says: %v\n%.500s", r.Request.Method, r.Request.URL, r.StatusCode, p, body)
	}
}

// problems are in what an answer is not as the document says. Paths that the document does not have must be answered
// with an error of the API.
func (s spec) problems(r *http.Response, body []byte) []error {
	answer := *r
	answer.Body = io.NopCloser(bytes.NewReader(body))
	_, found := s.validator.ValidateHttpResponse(r.Request, &answer)
	var problems []error
	for _, e := range found {
		switch {
		case !e.IsPathMissingError() && !e.IsOperationMissingError():
			problems = append(problems, fmt.Errorf("%w: %v", e, e.SchemaValidationErrors))
		case !isError(r, body):
			problems = append(problems, errors.New("no error of the API at a path that the document does not have"))
		}
	}
	return problems
}

func isError(r *http.Response, body []byte) bool {
	var e api.Error
	if json.Unmarshal(body, &e) != nil {
		return false
	}
	return e.Detail.Message != "" && e.Detail.Error.HTTPStatus() == r.StatusCode
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
