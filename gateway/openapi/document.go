package openapi

import (
	"encoding/json"

	"assay.dev/contracts"
)

// Version is that of the interface (contract §9).
const Version = "1.0.0"

const description = `Weekly LTL fuel surcharges of ten carriers and liquor licenses of five states, each with the proof of where it came from.

Every data answer carries a _verifiability block. A key that begins with test_ is answered from a sandbox with fixed data, a
live_ key from the real sources; the Assay-Environment header says which. Unknown query parameters are refused.`

// Document is the OpenAPI document, as JSON.
func Document() ([]byte, error) {
	s := &schemas{components: object{}}
	paths := paths(s)
	return json.Marshal(object{
		"openapi": "3.1.0",
		"info":    object{"title": "Assay", "version": Version, "description": description},
		"servers": []object{{"url": "/"}},
		"tags": []object{
			{"name": string(contracts.LTL), "description": "LTL fuel surcharges"},
			{"name": string(contracts.ABC), "description": "Liquor licenses"},
			{"name": "service", "description": "The service itself"},
		},
		"security": []object{{"ApiKey": []string{}}},
		"paths":    paths,
		"components": object{
			"securitySchemes": object{"ApiKey": object{"type": "apiKey", "in": "header", "name": "X-API-Key"}},
			"headers":         headers,
			"responses":       responses(s),
			"schemas":         s.components,
		},
	})
}

// operation is one path's GET. Every path answers HEAD like GET, without the body.
type operation struct {
	path, id, tag, summary, description string
	parameters                          []object
	ok                                  object // schema of the 200
	data                                bool   // the 200 is read from a source
	failures                            []string
	open                                bool
}

func (o operation) object() object {
	responses := object{"200": o.success(), "500": response("Internal")}
	for _, f := range o.failures {
		responses[statusOf[f]] = response(f)
	}
	switch {
	case o.open:
		responses["429"] = response("RateLimited")
	case o.path == "/health":
		responses["401"], responses["422"], responses["429"], responses["503"] = response("Unauthorized"), response("Invalid"), response("RateLimited"), response("Unavailable")
	default:
		for _, f := range []string{"Unauthorized", "ProductNotEnabled", "Invalid", "RateLimited", "Unavailable"} {
			if responses[statusOf[f]] == nil {
				responses[statusOf[f]] = response(f)
			}
		}
	}
	for _, f := range []string{"BodyTooLarge", "URLTooLong", "HeadersTooLarge"} {
		responses[statusOf[f]] = response(f)
	}
	if o.ok != nil {
		responses["304"] = object{"description": "The body is the one that If-None-Match names.", "headers": o.headers()}
	} else {
		delete(responses, "200")
	}
	op := object{"operationId": o.id, "tags": []string{o.tag}, "summary": o.summary, "responses": responses}
	if o.description != "" {
		op["description"] = o.description
	}
	if o.parameters != nil {
		op["parameters"] = o.parameters
	}
	if o.open {
		op["security"] = []object{}
	}
	return object{"get": op}
}

func (o operation) success() object {
	return object{
		"description": "OK", "headers": o.headers(),
		"content": object{"application/json": object{"schema": o.ok}},
	}
}

func (o operation) headers() object {
	names := []string{"X-Request-ID", "traceresponse", "ETag", "Cache-Control"}
	if !o.open {
		names = append(names, "Assay-Environment", "RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
	}
	if o.data {
		names = append(names, "Age", "Cache-Status")
	}
	return headerRefs(names...)
}

func headerRefs(names ...string) object {
	refs := object{}
	for _, n := range names {
		refs[n] = object{"$ref": "#/components/headers/" + n}
	}
	return refs
}

func response(name string) object { return object{"$ref": "#/components/responses/" + name} }

// headers are those that answers carry.
var headers = object{
	"X-Request-ID":          header("string", "The caller's own, when it sent a well-formed one."),
	"traceresponse":         header("string", "W3C trace context of this request."),
	"ETag":                  header("string", "For If-None-Match."),
	"Cache-Control":         header("string", "For data: private, max-age=<what is left of the data's time to live>."),
	"Age":                   header("integer", "Seconds since the source was read."),
	"Cache-Status":          header("string", "RFC 9211: whether the answer came from a cache."),
	"Assay-Environment":     header("string", "live or test."),
	"RateLimit-Policy":      header("string", "The limit: q requests in w seconds."),
	"RateLimit":             header("string", "r requests left; one more comes back in t seconds."),
	"X-RateLimit-Limit":     header("integer", "Requests in any minute."),
	"X-RateLimit-Remaining": header("integer", "Requests left."),
	"X-RateLimit-Reset":     header("integer", "Seconds until one more request comes back."),
	"Retry-After":           header("integer", "Seconds after which a retry makes sense."),
}

func header(kind, description string) object {
	return object{"description": description, "required": true, "schema": object{"type": kind}}
}
