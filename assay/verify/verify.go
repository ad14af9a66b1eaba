// Package verify reads the documents of an answer again, with the parsers that read them first, and compares what they say
// with the answer. It needs no network and no account: just the answer's JSON and the documents that it names.
package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Documents are the bytes of documents by their SHA-256 in hex.
type Documents map[string][]byte

// Add takes a document.
func (d Documents) Add(body []byte) {
	sum := sha256.Sum256(body)
	d[hex.EncodeToString(sum[:])] = body
}

// Refused is why an answer is not verified.
type Refused struct{ Why string }

func (r *Refused) Error() string { return "refused: " + r.Why }

func refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// Answer verifies an answer: the body of a fuel surcharge, a license or a search. It tells what it found in which document, a
// line each. The error is a *[Refused] when a value does not stand where the answer says, or a document is missing.
func Answer(ctx context.Context, answer []byte, documents Documents) ([]string, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(answer, &members); err != nil {
		return nil, refuse("the answer is no JSON object: %v", err)
	}
	_, hasErrors := members["errors"]
	_, hasCarrier := members["carrier"]
	_, hasRecord := members["record"]
	_, hasQuery := members["query"]
	switch {
	case hasErrors:
		return decoded(answer, func(a contracts.Surcharges) ([]string, error) { return surcharges(a, documents) })
	case hasCarrier:
		return decoded(answer, func(a contracts.Surcharge) ([]string, error) { return surcharge(a, documents) })
	case hasRecord:
		return decoded(answer, func(a contracts.License) ([]string, error) { return license(ctx, a, documents) })
	case hasQuery:
		return decoded(answer, func(a contracts.Search) ([]string, error) { return search(ctx, a, documents) })
	}
	return nil, refuse("this is no answer of /v1/ltl/fuel-surcharge, /v1/abc/license or /v1/abc/search")
}

// decoded decodes an answer. A member that is not known may say anything: it is refused.
func decoded[A any](answer []byte, verify func(A) ([]string, error)) ([]string, error) {
	var a A
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return nil, refuse("the answer is not understood, it may be of another version: %v", err)
	}
	return verify(a)
}

// pages are the documents that the answer names, in its order.
func pages(v contracts.Verifiability, documents Documents) ([]*scrape.Page, error) {
	if v.EvidenceSHA256 == nil || len(v.Evidence) == 0 {
		return nil, refuse("the answer names no document that it was read from")
	}
	if v.Evidence[0].SHA256 != *v.EvidenceSHA256 {
		return nil, refuse("evidence_sha256 is not that of the first document in evidence")
	}
	var all []*scrape.Page
	var missing error
	for _, e := range v.Evidence {
		body, ok := documents[e.SHA256]
		if !ok {
			missing = errors.Join(missing, fmt.Errorf("no document has the SHA-256 %s (%s): get /v1/evidence/%s?at=%s", e.SHA256, e.URL, e.SHA256, e.At))
			continue
		}
		all = append(all, &scrape.Page{URL: e.URL, Status: 200, Body: body, ReadAt: v.SourceTimestamp, Header: map[string][]string{}})
	}
	if missing != nil {
		return nil, refuse("%v", missing)
	}
	return all, nil
}
