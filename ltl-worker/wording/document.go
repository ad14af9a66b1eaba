package wording

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
)

// Document is an accepted edition as it is kept beside the answers that it vouched for: who accepted which words, and
// when.
type Document struct {
	Carrier  contracts.Carrier `json:"carrier"`
	Accepted trust.Edition     `json:"accepted_wording"`
}

// Bytes are the same for the same edition.
func (d Document) Bytes() ([]byte, error) {
	text, err := json.MarshalIndent(d, "", " ")
	return append(text, '\n'), err
}

// ReadDocument reads what [Document.Bytes] wrote; ok is false for any other document, such as a carrier's page.
func ReadDocument(body []byte) (d Document, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	return d, decoder.Decode(&d) == nil && d.Carrier != "" && !d.Accepted.At.IsZero()
}

// EditionsKnowing are the editions that know the words of a reading: the newest ones that are needed for all that any
// edition knows.
func EditionsKnowing(of trust.Wording, r trust.Reading) (all []trust.Edition) {
	known := slices.DeleteFunc(slices.Clone(of.Editions), func(e trust.Edition) bool { return e.Path != r.Path })
	slices.SortStableFunc(known, func(a, b trust.Edition) int { return b.At.Compare(a.At) })
	if len(r.Lines) == 0 {
		return known[:min(1, len(known))]
	}
	take := func(more ...trust.Edition) bool {
		before, with := len(r.Lines), slices.Concat(all, more)
		r.Lines = trust.Wording{Editions: with}.Known(r.Path, time.Time{}).Unknown(r)
		if len(r.Lines) == before {
			return false
		}
		all = with
		return true
	}
	for i, e := range known {
		switch isNeeded := take(e); {
		case i == 0:
		case isNeeded:
			take(known[i-1])
		default:
			take(known[i-1], e) // two together tell that a number changes
		}
	}
	return all
}
