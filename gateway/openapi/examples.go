package openapi

import "assay.dev/gateway/api"

// examplesOf are the example bodies of an endpoint's 200 by their names.
func examplesOf(e *api.Endpoint) map[string]any {
	if e.Examples == nil {
		return nil
	}
	return e.Examples()
}

// exampleOf is the example body of a failure.
func exampleOf(f *api.Failure) any {
	return api.ErrorBody(f.Example, api.PublicError(f.Example))
}
