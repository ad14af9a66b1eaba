package openapi

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/gateway/api"
	"assay.dev/gateway/lines"
)

// idempotencyKey is the header by which a client repeats a request.
var idempotencyKey = object{
	"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "minLength": 1, "maxLength": 200},
	"description": "A key of your own. The same body with the same key is charged once within 24 hours.",
}

// textOrBytes is a body that is not JSON: text, or bytes that nobody is to decode.
func textOrBytes(mediaType, description string) object {
	s := object{"type": "string"}
	if description != "" {
		s["description"] = description
	}
	if !strings.HasPrefix(mediaType, "text/") && !strings.HasSuffix(mediaType, "json") {
		s["format"] = "binary"
	}
	return s
}

// uploadOf is the body of an endpoint's requests, in each of its forms.
func uploadOf(s *schemas, e *api.Endpoint) object {
	forms, u := object{}, e.Upload
	for _, f := range u.Forms {
		form := object{"schema": textOrBytes(f.MediaType, f.Text)}
		if example := api.ExamplesOf(e.ID).Requests[f.MediaType]; example != nil {
			form["example"] = example
		}
		switch {
		case u.Body != nil && f.MediaType == "application/json":
			form["schema"] = s.of(u.Body)
		case f.MediaType == "application/json":
			form["schema"] = jsonUpload(u, f)
		}
		forms[f.MediaType] = form
	}
	return object{"required": true, "content": forms}
}

// jsonUpload is a line, with the parameters that it may have, or a list of lines.
func jsonUpload(u *api.Upload, f api.Form) *jsonschema.Schema {
	list := *u.Argument.Schema
	list.MaxItems = jsonschema.Ptr(lines.MaxLines)
	one := u.Argument.Schema.Items.CloneSchemas()
	for _, name := range u.Options {
		one.Properties[name] = &jsonschema.Schema{Description: "As the parameter of the query."}
	}
	return &jsonschema.Schema{Description: f.Text, OneOf: []*jsonschema.Schema{one, &list}}
}

// uploadReplies adds the forms of a reply that are not JSON.
func uploadReplies(e *api.Endpoint, forms object) object {
	for _, f := range e.Upload.Forms {
		name, _, _ := strings.Cut(f.Reply, ";")
		if forms[name] == nil {
			forms[name] = object{"schema": textOrBytes(name, f.Text),
				"example": api.ExamplesOf(e.ID).Replies[name]}
		}
	}
	return forms
}
