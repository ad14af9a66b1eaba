package api

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/exhibit"
	"assay.dev/platform/evidence"
)

// evidenceEndpoints give the documents that answers were read from. A document is of one product and one environment,
// which are known once it is read, so the endpoints have no product of their own.
var evidenceEndpoints = []*Endpoint{
	{
		Path: "/v1/evidence/{sha256}", ID: "getEvidence", MediaType: "application/octet-stream",
		Summary: "The very bytes of a document that an answer was read from",
		Description: "Take sha256 and at from one entry of an answer's evidence. The key needs the product that the " +
			"document was read for. It costs nothing.",
		Parameters: []*Parameter{evidenceHash.Parameter, evidencePlace.Parameter},
		Failures:   []*Failure{EvidenceNotFound, NoLongerKept, ProductNotEnabled},
		Document:   `{"data":[{"date":"09/09/2026","ltl":46.32}]}`,
		Answer:     getEvidence, IsLarge: true, ToolTokens: true,
	}, {
		Path: "/v1/evidence/{sha256}/view", ID: "viewEvidence", MediaType: "text/html",
		Summary: "The text of such a document, with what was read from it marked",
		Description: "A page for people. Nothing of the document runs or is loaded in it. Of a bulk file it shows the rows " +
			"that hold the text of find, of others it marks that text too. It costs nothing.",
		Parameters: []*Parameter{evidenceHash.Parameter, evidencePlace.Parameter, evidenceFind.Parameter},
		Failures:   []*Failure{EvidenceNotFound, NoLongerKept, ProductNotEnabled},
		Document:   "<!doctype html>\n<title>Evidence</title>\n<pre>09/09/2026 <mark>46.32</mark></pre>\n",
		Answer:     viewEvidence, IsLarge: true, ToolTokens: true,
	},
}

// EvidenceNotFound is what a wrong pair of hash and place is answered with, and a document of the other environment.
var EvidenceNotFound = coded("EvidenceNotFound", "No such document is kept at this place.",
	contracts.Missing(contracts.DocumentUnknown, "no document with this sha256 is kept at this place; take both "+
		"from one entry of evidence"))

// The parameters of the endpoints.
var (
	evidenceHash = patternParam(Parameter{
		Name: "sha256", InPath: true, Segment: true, Required: true,
		Description: "The document's SHA-256, in lower-case hex.",
	}, regexp.MustCompile("^[0-9a-f]{64}$"), "a SHA-256 is 64 digits of lower-case hex")

	evidencePlace = singleParam(Parameter{
		Name: "at", Required: true, Description: "The entry's at, such as 1041, or b17 for a bulk file.",
		Schema: &jsonschema.Schema{Type: "string", Pattern: "^b?[1-9][0-9]*$"},
	}, contracts.Place(""), func(p *Parameter, text string) (contracts.Place, error) {
		if text == "" {
			return "", p.invalid("missing", "say where the document is kept: the at of the answer's entry")
		}
		if _, _, err := contracts.Place(text).Parse(); err != nil {
			return "", p.invalid("string_pattern_mismatch", "want the at of an answer's entry, such as "+
				"1041, or b17 for a bulk file")
		}
		return contracts.Place(text), nil
	})

	evidenceFind = textParam(Parameter{
		Name: "find", Description: "The row to outline: a week's first day, or a license number. Of a bulk file, only the " +
			"rows that hold it are shown.",
	}, "")
)

// evidenceMaxAge is how long a client may keep a document: the bytes of a hash never change.
const evidenceMaxAge = 24 * time.Hour

// The policies of what is served. A document is foreign: opened in a browser, nothing of it runs.
var (
	documentHeaders = []Header{{"Content-Security-Policy", "sandbox"}, {"X-Content-Type-Options", "nosniff"}}
	viewHeaders     = []Header{{"Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'"},
		{"X-Content-Type-Options", "nosniff"}}
)

// getEvidence gives the bytes of a document (contract §4.12).
func getEvidence(ctx context.Context, a *API, r *Request) (Reply, error) {
	d, err := a.document(ctx, r)
	if err != nil {
		return Reply{}, err
	}
	return Reply{
		Body: d.Body, MediaType: r.endpoint.MediaType, ETag: `"` + d.SHA256 + `"`, MaxAge: evidenceMaxAge,
		Headers: DocumentHeaders(d),
	}, nil
}

// DocumentHeaders go with the bytes of a document: it is saved, with a digest to check it by, and nothing of it runs.
func DocumentHeaders(d *evidence.Document) []Header {
	sum, _ := hex.DecodeString(d.SHA256) // it was compared with the hash of the bytes
	return append([]Header{
		{"Content-Digest", "sha-256=:" + base64.StdEncoding.EncodeToString(sum) + ":"}, // RFC 9530
		{"Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%s%s"`, d.Source, d.SHA256[:12],
			exhibit.Extension(d.Header["Content-Type"]))},
	}, documentHeaders...)
}

// viewEvidence shows a document to people (contract §4.13).
func viewEvidence(ctx context.Context, a *API, r *Request) (Reply, error) {
	d, err := a.document(ctx, r)
	if err != nil {
		return Reply{}, err
	}
	page := Page(exhibit.Page(d, evidenceFind.of(r)), "text/html; charset=utf-8", evidenceMaxAge)
	page.Headers = viewHeaders
	return page, nil
}

// document is the one that the request names, if the key has its product.
func (a *API) document(ctx context.Context, r *Request) (*evidence.Document, error) {
	return a.KeptDocument(ctx, r.Environment, r.Products, evidenceHash.of(r), evidencePlace.of(r))
}

// KeptDocument is the document of that hash and place in an environment, for a key with those products. The failures
// are those of [evidence.Store.Get]; PRODUCT_NOT_ENABLED where the document is of another product.
func (a *API) KeptDocument(
	ctx context.Context, env contracts.Environment, products []contracts.Product, sha256 string, at contracts.Place,
) (*evidence.Document, error) {
	return a.Evidence.Get(ctx, env, sha256, at, func(p contracts.Product) error {
		if slices.Contains(products, p) {
			return nil
		}
		return contracts.Errorf(contracts.ProductNotEnabled, "this document was read for the %s product, which "+
			"this key, or this token, is not subscribed to", p)
	})
}
