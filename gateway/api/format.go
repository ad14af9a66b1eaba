package api

import (
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/gateway/answers"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/spreadsheet"
)

// The values of the parameter format.
const (
	formatJSON = "json"
	formatCSV  = "csv"
)

// format says in which form the 200 is. It wins over the Accept header (contract §7.2).
var format = singleParam(Parameter{
	Name: "format", Schema: &jsonschema.Schema{Type: "string", Enum: []any{formatJSON, formatCSV}},
	Description: "The form of the answer; it wins over the Accept header. Errors are JSON in any case.",
	Argument:    Argument{Omitted: true},
}, "", func(p *Parameter, text string) (string, error) {
	if text != formatJSON && text != formatCSV {
		return "", p.invalid("enum", "this is neither json nor csv")
	}
	return text, nil
})

// byteOrderMark goes with format wherever an answer may be CSV.
var byteOrderMark = booleanParam(Parameter{
	Name: "bom", Description: "true puts a byte order mark before a CSV, for Excel.", Argument: Argument{Omitted: true},
}, false)

// mark puts the byte order mark that the request asks for before an answer that is CSV.
func (r *Request) mark(reply Reply) Reply {
	switch {
	case reply.MediaType != spreadsheet.MediaType || !r.knows(byteOrderMark.Name) || !byteOrderMark.of(r):
	case reply.Pieces != nil:
		reply.Pieces = lines.Marked(reply.Pieces)
	default:
		reply.Body = spreadsheet.Marked(reply.Body)
		reply.ETag = answers.ETag(reply.Body)
	}
	return reply
}

// wantsCSV tells whether the answer is to be CSV.
func (r *Request) wantsCSV() bool {
	if r.endpoint.Table == nil {
		return false
	}
	given := format.of(r)
	return given == formatCSV || given == "" && r.AcceptsCSV
}

// tabulate turns the reply into CSV, with an ETag of its own.
func (r Reply) tabulate(t *spreadsheet.Table) (Reply, error) {
	body, err := t.CSV(r.Body)
	r.Body, r.Coded, r.MediaType, r.ETag = body, nil, spreadsheet.MediaType, answers.ETag(body)
	return r, err
}

// AsksForCSV tells of a request that was not checked yet whether its answer would be CSV.
func (e *Endpoint) AsksForCSV(query string, accept []string) bool {
	if e.Table == nil {
		return false
	}
	values, _ := url.ParseQuery(query) // what is malformed is refused later
	if given, ok := values[format.Name]; ok {
		return slices.Equal(given, []string{formatCSV})
	}
	return AcceptsCSV(accept)
}

// AcceptsCSV tells whether the Accept header prefers CSV to JSON (RFC 9110 §12.5.1). Where it likes both alike, the
// one that it names first is preferred; a wildcard such as */* names neither.
func AcceptsCSV(accept []string) bool {
	if len(accept) == 0 || len(accept) == 1 && accept[0] == "*/*" {
		return false // most clients
	}
	csv, json := 0.0, 0.0
	isFirst := false
	for _, line := range accept {
		for media := range strings.SplitSeq(line, ",") {
			name, parameters, _ := mime.ParseMediaType(media)
			switch name {
			case "text/csv":
				csv, isFirst = weight(parameters), json == 0
			case "application/json":
				json = weight(parameters)
			}
		}
	}
	return csv > json || csv > 0 && csv == json && isFirst
}

// weight is the q of a media range; 1 where it has none that can be read.
func weight(parameters map[string]string) float64 {
	if q, err := strconv.ParseFloat(parameters["q"], 64); err == nil {
		return q
	}
	return 1
}
