package gateway_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"assay.dev/gateway/api"
	"assay.dev/gateway/openapi/openapitest"
)

// spec checks real answers against the OpenAPI document.
type spec struct{ *openapitest.Document }

func newSpec(t testing.TB) spec { return spec{openapitest.Open(t)} }

// check fails the test when the answer to a GET is not one that the document allows.
func (s spec) check(t testing.TB, r *http.Response, body []byte) {
	t.Helper()
	if err := s.problem(r, body); err != nil {
		t.Errorf("%s %s: %d is not as openapi.json says: %v\n%.500s", r.Request.Method, r.Request.URL, r.StatusCode, err, body)
	}
}

// problem is in what an answer is not as the document says. Paths that the document does not have must be answered with
// an error of the API.
func (s spec) problem(r *http.Response, body []byte) error {
	switch {
	case s.Has(r.Request):
		return s.Check(r, body)
	case !isError(r, body):
		return errors.New("no error of the API at a path that the document does not have")
	}
	return nil
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
