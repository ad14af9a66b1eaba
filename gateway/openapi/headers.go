package openapi

import (
	"maps"
	"net/http"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/packet"
)

func headersOf(e *api.Endpoint) object {
	names := []string{"X-Request-ID", "traceresponse", "Cache-Control"}
	if isConditional(e) {
		names = append(names, "ETag")
	}
	if e.Access != api.Open {
		names = append(append(names, "Assay-Environment"), limitHeaders...)
	}
	if e.Sourced {
		names = append(names, "Age", "Cache-Status")
	}
	if e.Table != nil {
		names = append(names, "Vary")
	}
	if e.MediaType != "" {
		names = append(names, "Content-Security-Policy")
	}
	if e.LinePriced || e.Forms != nil {
		names = append(names, api.HeaderColumns)
	}
	if e.LinePriced {
		names = append(names, api.HeaderLinePrice, api.HeaderReplayed)
	}
	if e.LinePriced && e.Product == contracts.LTL { // which keeps what it answers
		names = append(names, api.HeaderAuditID, "Last-Modified")
	}
	return headerRefs(names...)
}

// savedHeaders go with what a client saves as a file.
func savedHeaders(e *api.Endpoint) []string {
	switch e.MediaType {
	case packet.MediaType:
		return []string{"Content-Disposition"}
	case "application/octet-stream":
		return []string{"Content-Disposition", "Content-Digest"}
	}
	return nil
}

func headerRefs(names ...string) object {
	refs := object{}
	for _, n := range names {
		refs[strings.TrimSuffix(n, ofKey)] = object{"$ref": "#/components/headers/" + n}
	}
	return refs
}

// withHeaders adds headers to those of an answer.
func withHeaders(of object, names ...string) object {
	maps.Copy(of, headerRefs(names...))
	return of
}

// limitHeaders tell where the limit of the key stands, olderLimitHeaders that it is used up.
var (
	limitHeaders      = []string{"RateLimit-Policy", "RateLimit"}
	olderLimitHeaders = []string{"X-RateLimit-Limit" + ofKey, "X-RateLimit-Remaining" + ofKey, "X-RateLimit-Reset" + ofKey}
)

// beforeKey are the statuses of what is refused before a key is looked at, or has none.
var beforeKey = []int{http.StatusUnauthorized, http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge}

// limitHeadersOfKey are the names of the limit's headers in failures, which have them where the request had a valid
// key.
func limitHeadersOfKey() []string {
	var names []string
	for _, n := range limitHeaders {
		names = append(names, n+ofKey)
	}
	return names
}

const ofKey = "-of-key"

// withLimitsOfKey adds the limit's headers as failures have them.
func withLimitsOfKey(headers object) object {
	for _, n := range limitHeaders {
		described := maps.Clone(headers[n].(object))
		described["required"] = false
		described["description"] = described["description"].(string) + " With a valid key."
		headers[n+ofKey] = described
	}
	return headers
}

// headers are those that answers carry.
var headers = object{
	"X-Request-ID":  header("string", "The caller's own, if well-formed."),
	"traceresponse": optional("string", "W3C trace context of this request, where it had a traceparent."),
	"ETag":          header("string", "For If-None-Match."),
	"Cache-Control": header("string", "For data: private, max-age=<Age + what is left>; no-cache if a carrier is missing."),
	"Vary": optional("string", "Headers of the request it goes by: "+
		"X-API-Key, X-RapidAPI-Key, X-RapidAPI-User, Authorization, Cookie, Accept, Accept-Encoding, Origin."),
	"Age":                           header("integer", "Seconds since the source was read."),
	"Cache-Status":                  header("string", "RFC 9211: whether the answer came from a cache."),
	"Assay-Environment":             header("string", "live or test."),
	"RateLimit-Policy":              header("string", "The limit: q requests in w seconds."),
	"RateLimit":                     header("string", "r requests left; one more in t seconds."),
	"X-RateLimit-Limit" + ofKey:     optional("integer", "Requests in any minute. With a valid key."),
	"X-RateLimit-Remaining" + ofKey: optional("integer", "Requests left. With a valid key."),
	"X-RateLimit-Reset" + ofKey:     optional("integer", "Seconds until one more. With a valid key."),
	"Location":                      header("string", "The path of what was made; of a shared proof, that to revoke it by."),
	"Retry-After":                   header("integer", "Seconds after which a retry makes sense."),
	"Content-Security-Policy":       header("string", "Nothing in the document runs."),
	"Content-Disposition":           header("string", "A name for the file."),
	"Content-Digest":                header("string", "RFC 9530: the SHA-256 of the bytes."),
	"WWW-Authenticate":              header("string", "How to send a key: ApiKey, for CSV Basic too; a token: Bearer, with resource_metadata."),
	"Last-Modified":                 optional("string", "Since when the result of this request was kept, where it was before."),
	api.HeaderAuditID:               optional("string", "The id of the audit that is kept, with keep."),
	api.HeaderColumns:               optional("string", "How the file was read, as a query string, with columns."),
	api.HeaderLinePrice:             optional("string", "What a resolved line costs, in USD."),
	api.HeaderReplayed:              optional("string", "true: the same body was charged under this Idempotency-Key before."),
}

func optional(kind, description string) object {
	return object{"description": description, "schema": object{"type": kind}}
}

func header(kind, description string) object {
	return object{"description": description, "required": true, "schema": object{"type": kind}}
}
