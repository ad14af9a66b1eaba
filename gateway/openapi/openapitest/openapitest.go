// Package openapitest checks against the API's OpenAPI document in tests, by an implementation that is not ours:
// libopenapi-validator v0.13.8. Newer versions need modules that the module proxy refuses.
package openapitest

import (
	"errors"
	"sync"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"assay.dev/gateway/openapi"
)

// Validator checks against the document. All tests of a package share it: to make one takes a second under the race
// detector.
func Validator(t testing.TB) validator.Validator {
	t.Helper()
	v, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var shared = sync.OnceValues(func() (validator.Validator, error) {
	text, err := openapi.Document()
	if err != nil {
		return nil, err
	}
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		return nil, err
	}
	v, errs := validator.NewValidator(document)
	return v, errors.Join(errs...)
})
