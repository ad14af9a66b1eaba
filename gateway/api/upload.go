package api

import (
	"cmp"
	"mime"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
)

// Upload is the body of an endpoint's requests. The 200 has the media type of the body.
type Upload struct {
	// MaxBytes bounds a body of any form.
	MaxBytes int64
	// Forms are the media types that are read.
	Forms []Form
	// Argument is the tool's argument that is sent as JSON in the body; MaxItems bounds it.
	Argument Argument
	MaxItems int
	// Options are the query parameters that a single line of JSON may have as members.
	Options []string
	// Body is the Go type of the body, where it is not lines of an audit; nil else.
	Body reflect.Type
}

// Form is a form that a body may have.
type Form struct {
	// MediaType is the media type of the request's body, Reply the one of the reply. Reply may have parameters.
	MediaType, Reply string
	// MaxBytes bounds a body of the form.
	MaxBytes int64
	// Text tells people what the body is.
	Text string
}

// TakeForm notes the form of the request's body, by its headers Content-Type and Content-Encoding, and that the reply
// is to have the same, by Accept. The error is UNSUPPORTED_MEDIA_TYPE or NOT_ACCEPTABLE.
func (r *Request) TakeForm(contentType, encoding, accept []string) error {
	forms := r.endpoint.Upload.Forms
	known := func() string {
		var names []string
		for _, f := range forms {
			names = append(names, f.MediaType)
		}
		return strings.Join(names, ", ")
	}
	if len(encoding) > 0 && !slices.Equal(encoding, []string{"identity"}) {
		return contracts.Errorf(contracts.UnsupportedMediaType, "send the body without a Content-Encoding")
	}
	name, parameters, err := mime.ParseMediaType(strings.Join(contentType, ","))
	i := slices.IndexFunc(forms, func(f Form) bool { return f.MediaType == name })
	charset := strings.ToLower(cmp.Or(parameters["charset"], "utf-8"))
	isAsIs := name == "text/csv" && strings.Contains(r.Query, "columns=") && slices.Contains(fileCharsets, charset)
	if err != nil || i < 0 || charset != "utf-8" && !isAsIs {
		return contracts.Errorf(contracts.UnsupportedMediaType, "say in Content-Type what the body is: %s, in UTF-8", known())
	}
	r.Form = forms[i]
	if reply, _, _ := strings.Cut(r.Form.Reply, ";"); !accepts(accept, reply) {
		return contracts.Errorf(contracts.NotAcceptable, "the answer has the form of the body, %s, "+
			"which Accept does not allow", reply)
	}
	return nil
}

// fileCharsets are those in which files are read as they were exported. The bytes tell which one it is.
var fileCharsets = []string{"utf-16", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1", "us-ascii"}

// accepts tells whether an Accept header allows a media type (RFC 9110 §12.5.1). The most specific range that fits
// decides; without the header all is allowed.
func accepts(accept []string, mediaType string) bool {
	kind, _, _ := strings.Cut(mediaType, "/")
	best, allowed := -1, len(accept) == 0
	for _, line := range accept {
		for media := range strings.SplitSeq(line, ",") {
			name, parameters, _ := mime.ParseMediaType(media)
			if rank := slices.Index([]string{"*/*", kind + "/*", mediaType}, name); rank > best {
				best, allowed = rank, weight(parameters) > 0
			}
		}
	}
	return allowed
}

// decimalParam makes a parameter that parse reads, such as 0.5; nil where it is not given.
func decimalParam[T any](p Parameter, parse func(string) (T, error)) Param[*T] {
	p.Schema = &jsonschema.Schema{Type: "number", Format: "double", Minimum: jsonschema.Ptr(0.0)}
	return singleParam(p, nil, func(p *Parameter, text string) (*T, error) {
		value, err := parse(text)
		if err != nil {
			return nil, p.invalid("decimal_parsing", err.Error())
		}
		return &value, nil
	})
}
