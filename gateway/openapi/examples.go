package openapi

import (
	"errors"
	"fmt"

	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
	"assay.dev/gateway/spreadsheet"
)

// examplesOf are the example bodies of an endpoint's 200 by their names.
func examplesOf(e *api.Endpoint) map[string]any {
	if e.Examples == nil {
		return nil
	}
	return e.Examples()
}

// csvExamples are JSON examples as CSV.
func csvExamples(t *spreadsheet.Table, examples map[string]any) map[string]any {
	all := map[string]any{}
	for name, value := range examples {
		body, err1 := answers.Marshal(value)
		text, err2 := t.CSV(body)
		if err := errors.Join(err1, err2); err != nil {
			panic(fmt.Sprintf("openapi: %v", err)) // the examples are ours: a test sees it
		}
		all[name] = string(text)
	}
	return all
}

// exampleOf is the example body of a failure.
func exampleOf(f *api.Failure) any {
	return api.ErrorBody(f.Example, api.PublicError(f.Example))
}
