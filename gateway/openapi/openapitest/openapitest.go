// Package openapitest checks against the API's OpenAPI document in tests, by an implementation that is not ours.
package openapitest

import (
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"assay.dev/gateway/openapi"
)

// Validator checks against the document.
func Validator(t testing.TB) validator.Validator {
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
	return v
}
