package contracts

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Evidence names one document that was read for an answer (contract §2.7). GET /v1/evidence/{sha256}?at=… gives its
// bytes.
type Evidence struct {
	// SHA256 is the hash of the document's bytes, in lower-case hex.
	SHA256 string `json:"sha256" jsonschema:"The SHA-256 of the document's bytes, in lower-case hex."`
	// URL is where the document was read. It never holds a key.
	URL  string       `json:"url" jsonschema:"Where the document was read."`
	Role EvidenceRole `json:"role" jsonschema:"'values': the newest week or the record stands in it; 'file': so too, and it is a bulk file; 'context': it was read on the way, or says who accepted the words around the values."`
	At   Place        `json:"at" jsonschema:"Where it is kept: GET /v1/evidence/{sha256}?at=… gives its bytes."`
}

// EvidenceRole says what a document was read for.
type EvidenceRole string

// The roles.
const (
	// RoleValues: the newest week, or the record, stands in it.
	RoleValues EvidenceRole = "values"
	// RoleFile says the same as RoleValues, of a bulk file. One copy of each edition of the file is kept.
	RoleFile EvidenceRole = "file"
	// RoleContext: it was read on the way, such as a form, a further page of results, or the date of a data set; or it is
	// the edition of the words around the values that an operator accepted.
	RoleContext EvidenceRole = "context"
)

// EvidenceRoles lists all.
var EvidenceRoles = []EvidenceRole{RoleValues, RoleFile, RoleContext}

// Place is where a document is kept in its environment: the sequence of its first message in [EvidenceStream], such as
// "1041", or in [FilesStream], such as "b17".
type Place string

// filePlace begins the places in [FilesStream].
const filePlace = "b"

// PlaceOf is the place of a sequence; file tells that it is one of [FilesStream].
func PlaceOf(file bool, sequence uint64) Place {
	text := strconv.FormatUint(sequence, 10)
	if file {
		text = filePlace + text
	}
	return Place(text)
}

// Parse takes a place apart. Sequences begin with 1.
func (p Place) Parse() (file bool, sequence uint64, err error) {
	digits, file := strings.CutPrefix(string(p), filePlace)
	sequence, err = strconv.ParseUint(digits, 10, 64)
	if err != nil || sequence == 0 || PlaceOf(file, sequence) != p {
		return false, 0, fmt.Errorf("place %q: want a number such as 1041, or b17 for a bulk file", Printable(string(p)))
	}
	return file, sequence, nil
}

var hexSHA256 = regexp.MustCompile(`^[0-9a-f]{64}$`)

// IsSHA256 tells whether s is a SHA-256 as [Evidence] has it.
func IsSHA256(s string) bool { return hexSHA256.MatchString(s) }

// NameEvidence makes the answer name what was kept of the documents that it was read from. all is false when one of
// them could not be kept: then the answer says so, and lives for [FallbackTTL] at most.
func (p *Provenance) NameEvidence(kept []Evidence, all bool, now time.Time) {
	p.Evidence = kept
	if all {
		return
	}
	p.Notes = append(p.Notes, Note{Code: NoteEvidenceNotKept, Message: "The bytes that were read could not be " +
		"kept, so this answer cannot be checked against them later. Save what raw_data_evidence_url shows now, or " +
		"ask again in a few minutes."})
	p.EndBy(now.Add(FallbackTTL))
}

// EvidenceSHA256 is the hash of the document in which the newest week or the record stands; nil when that one is not
// kept.
func (p Provenance) EvidenceSHA256() *string {
	if len(p.Evidence) == 0 || p.Evidence[0].Role == RoleContext {
		return nil
	}
	return &p.Evidence[0].SHA256
}

// MaxVerified bounds the JSON of an answer that is to be verified, in bytes: it travels in one message.
const MaxVerified = 512 << 10

// VerifyRequest asks a worker to read the documents of an answer of its product again, and to compare what they say
// with the answer.
type VerifyRequest struct {
	// Answer is the HTTP body of the answer, as a client has it.
	Answer json.RawMessage `json:"answer"`
}

// Verification is what a worker answers to a [VerifyRequest].
type Verification struct {
	// Verified: all that the answer says stands in its documents.
	Verified bool    `json:"verified"`
	Checks   []Check `json:"checks"`
}

// Check is one thing that was looked at.
type Check struct {
	// Holds: it is as the answer says. Text says what it is, for people.
	Holds bool   `json:"holds"`
	Text  string `json:"text"`
}
