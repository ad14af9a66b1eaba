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
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// Func verifies an answer of one product: the body of a fuel surcharge, a license or a search. It tells what it found
// in which document, a line each. The error is a *[Refused] when a value does not stand where the answer says, or a
// document is missing.
type Func func(ctx context.Context, answer []byte, documents Documents) ([]string, error)

// Document is a document that an answer may have been read from.
type Document struct {
	Body []byte
	// Kept are the labels that the store has of these bytes, by place; nil of a file that somebody has.
	Kept map[contracts.Place]evidence.Label
}

// Documents are documents by their SHA-256 in hex.
type Documents map[string]Document

// Add takes a file.
func (d Documents) Add(body []byte) {
	sum := sha256.Sum256(body)
	d[hex.EncodeToString(sum[:])] = Document{Body: body}
}

// AddKept takes a document of the store, whose label an answer has to agree with.
func (d Documents) AddKept(k *evidence.Document) {
	of := d[k.SHA256]
	if of.Kept == nil {
		of = Document{k.Body, map[contracts.Place]evidence.Label{}}
	}
	of.Kept[k.Place] = k.Label
	d[k.SHA256] = of
}

// Refused is why an answer is not verified.
type Refused struct{ Why string }

func (r *Refused) Error() string { return "refused: " + r.Why }

// Refuse makes a *[Refused].
func Refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// InventedData is a member beside those of an answer, where a proof of the test environment has one.
const InventedData = "invented_data"

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
	if err := checkNames(json.NewDecoder(bytes.NewReader(answer))); err != nil {
		return nil, err
	}
	members, err := Members(answer)
	if err != nil {
		return nil, err
	}
	var found []string
	if _, isInvented := members[InventedData]; isInvented {
		found = []string{"INVENTED DATA: a key of the test environment made this answer; it proves nothing of anybody"}
		delete(members, InventedData)
		if answer, err = json.Marshal(members); err != nil {
			return nil, err
		}
	}
	var a A
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return nil, Refuse("the answer is not understood, it may be of another version: %v", err)
	}
	lines, err := verify(a)
	return append(found, lines...), err
}

// checkNames refuses a member that stands twice, or whose name is in another case than those of answers: other programs
// read another value of it than encoding/json does.
func checkNames(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil || t != json.Delim('{') && t != json.Delim('[') {
		return err
	}
	isNamed := map[string]bool{}
	for d.More() {
		if t == json.Delim('{') {
			token, err := d.Token()
			if err != nil {
				return err
			}
			name, _ := token.(string)
			if isNamed[name] || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
				return Refuse("the member %q is there twice, or is in another case than answers have it",
					contracts.Printable(name))
			}
			isNamed[name] = true
		}
		if err := checkNames(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// Named are the documents that a JSON text names, wherever that is, each place once. What cannot be read names none.
func Named(answer []byte) (all []contracts.Evidence) {
	isNamed := map[[2]string]bool{}
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
			if key := [2]string{e.SHA256, string(e.At)}; e.SHA256 != "" && e.At != "" && !isNamed[key] {
				isNamed[key] = true
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

// Find gives the bytes of a document that an answer about a source names. The store must have them as read of that
// source and at that address.
func (d Documents) Find(source string, e contracts.Evidence) ([]byte, error) {
	of, ok := d[e.SHA256]
	label, isLabeled := of.Kept[e.At]
	switch {
	case !ok || of.Kept != nil && !isLabeled:
		return nil, fmt.Errorf("no document has the SHA-256 %s (%s): get /v1/evidence/%s?at=%s",
			e.SHA256, e.URL, e.SHA256, e.At)
	case isLabeled && (label.Source != source || label.URL != e.URL):
		return nil, fmt.Errorf("the document %.12s was read of %s at %s, and the answer says of %s at %s", e.SHA256,
			label.Source, label.URL, source, contracts.Printable(e.URL))
	}
	return of.Body, nil
}

// The bytes that are read again within an hour are not kept again, and a reading takes minutes. A copy has the time of
// its oldest file, so its other files may be up to a day newer.
const (
	maxApart     = 2 * time.Hour
	maxFileAhead = 24 * time.Hour
)

// ReadAt refuses documents that the store has as read at another time than an answer says.
func (d Documents) ReadAt(said time.Time, all ...contracts.Evidence) error {
	for _, e := range all {
		label, isLabeled := d[e.SHA256].Kept[e.At]
		since := said.Sub(label.ReadAt)
		isFile, _, _ := e.At.Parse()
		if isLabeled && (isFile && since < -maxFileAhead || !isFile && since.Abs() > maxApart) {
			return Refuse("the document %.12s was read %s, and source_timestamp is %s", e.SHA256,
				label.ReadAt.UTC().Format(time.RFC3339), said.UTC().Format(time.RFC3339))
		}
	}
	return nil
}

// Pages are the documents that an answer about a source names, in its order.
func (d Documents) Pages(source string, v contracts.Verifiability) ([]*scrape.Page, error) {
	if v.EvidenceSHA256 == nil || len(v.Evidence) == 0 {
		return nil, Refuse("the answer names no document that it was read from")
	}
	if v.Evidence[0].SHA256 != *v.EvidenceSHA256 {
		return nil, Refuse("evidence_sha256 is not that of the first document in evidence")
	}
	var all []*scrape.Page
	var missing error
	for _, e := range v.Evidence {
		body, err := d.Find(source, e)
		if err != nil {
			missing = errors.Join(missing, err)
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
