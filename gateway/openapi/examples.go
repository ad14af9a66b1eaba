package openapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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

// csvExamples is the first JSON example as CSV: its header says which columns there are.
func csvExamples(t *spreadsheet.Table, examples map[string]any) map[string]any {
	name := slices.Sorted(maps.Keys(examples))[0]
	body, err1 := answers.Marshal(examples[name])
	text, err2 := t.CSV(body)
	if err := errors.Join(err1, err2); err != nil {
		panic(fmt.Sprintf("openapi: %v", err)) // the examples are ours: a test sees it
	}
	return map[string]any{name: string(text)}
}

// exampleOf is the example body of a failure.
func exampleOf(f *api.Failure) any {
	return api.ErrorBody(f.Example, api.PublicError(f.Example))
}
