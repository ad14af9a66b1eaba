// Package verify is what verifiers of answers have in common. A verifier reads the documents of an answer again, with
// the parsers that read them first, and compares what they say with the answer. Each product's worker has one for its
// own answers.
package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Func verifies an answer of one product: the body of a fuel surcharge, a license or a search. It tells what it found
// in which document, a line each. The error is a *[Refused] when a value does not stand where the answer says, or a
// document is missing.
type Func func(ctx context.Context, answer []byte, documents Documents) ([]string, error)

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

// Refuse makes a *[Refused].
func Refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// Members are those of an answer, by their names. The error is for what is no JSON object.
func Members(answer []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(answer, &members); err != nil {
		return nil, Refuse("the answer is no JSON object: %v", err)
	}
	return members, nil
}

// Decoded decodes an answer and verifies it. A member that is not known may say anything: it is refused.
func Decoded[A any](answer []byte, verify func(A) ([]string, error)) ([]string, error) {
	var a A
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return nil, Refuse("the answer is not understood, it may be of another version: %v", err)
	}
	return verify(a)
}

// Named are the documents that a JSON text names, wherever that is, each once. What cannot be read names none.
func Named(answer []byte) (all []contracts.Evidence) {
	isNamed := map[string]bool{}
	var look func(any)
	look = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				look(one)
			}
		case map[string]any:
			text := func(name string) string { s, _ := v[name].(string); return s }
			e := contracts.Evidence{
				SHA256: text("sha256"), URL: text("url"), Role: contracts.EvidenceRole(text("role")),
				At: contracts.Place(text("at")),
			}
			if e.SHA256 != "" && e.At != "" && !isNamed[e.SHA256] {
				isNamed[e.SHA256] = true
				all = append(all, e)
			}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				look(v[name])
			}
		}
	}
	var body any
	_ = json.Unmarshal(answer, &body)
	look(body)
	return all
}

// Pages are the documents that the answer names, in its order.
func (d Documents) Pages(v contracts.Verifiability) ([]*scrape.Page, error) {
	if v.EvidenceSHA256 == nil || len(v.Evidence) == 0 {
		return nil, Refuse("the answer names no document that it was read from")
	}
	if v.Evidence[0].SHA256 != *v.EvidenceSHA256 {
		return nil, Refuse("evidence_sha256 is not that of the first document in evidence")
	}
	var all []*scrape.Page
	var missing error
	for _, e := range v.Evidence {
		body, ok := d[e.SHA256]
		if !ok {
			missing = errors.Join(missing, fmt.Errorf("no document has the SHA-256 %s (%s): get /v1/evidence/%s?at=%s",
				e.SHA256, e.URL, e.SHA256, e.At))
			continue
		}
		all = append(all, &scrape.Page{URL: e.URL, Status: 200, Body: body, ReadAt: v.SourceTimestamp,
			Header: map[string][]string{}})
	}
	if missing != nil {
		return nil, Refuse("%v", missing)
	}
	return all, nil
}
