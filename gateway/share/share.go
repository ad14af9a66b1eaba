// Package share makes of an answer what a stranger may be shown: one claim, which the kept documents bear out when a
// worker reads them again. Nothing of it is as a client typed it but for the figures of an invoice, which are said to
// be the sharer's own.
package share

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"regexp"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// The bounds of a proof's life, in days, and the default.
const (
	MinDays     = 1
	MaxDays     = 400
	DefaultDays = 90
)

// Kind is what a proof claims.
type Kind string

// The kinds.
const (
	Week    Kind = "week"
	Line    Kind = "line"
	License Kind = "license"
	Absence Kind = "absence"
)

// Kinds lists all.
var Kinds = []Kind{Week, Line, License, Absence}

// ProofEntry is a proof in the list of who shares it.
type ProofEntry struct {
	ID        string    `json:"id"`
	Kind      Kind      `json:"kind" jsonschema:"What is shown."`
	Claim     string    `json:"claim" jsonschema:"What it shows, in one sentence."`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at" jsonschema:"When it ends, UTC; no later than its documents go."`
	// AuditID is the audit that the line is of.
	AuditID string `json:"audit_id,omitempty" jsonschema:"The audit that the line is of; who deletes that revokes the proof."`
}

// Share is a proof as it is kept.
type Share struct {
	ProofEntry
	Environment contracts.Environment `json:"environment"`
	Product     contracts.Product     `json:"product"`
	// Answer is what assay evidence verify takes: the answer, as far as documents say it.
	Answer json.RawMessage `json:"answer"`
	Line   *Invoice        `json:"line,omitempty"`
	// Facts are those of a license's record.
	Facts []Fact `json:"facts,omitempty"`
	// Documents are those that the answer was read from, the one with the value first.
	Documents []Document `json:"documents"`
	// Text is the part of the first document with the row, as package exhibit marks it, and Remark says what it shows.
	Text   template.HTML `json:"text"`
	Remark string        `json:"remark"`
	// Checks are what the worker found when it read the documents again.
	Checks []string `json:"checks"`
}

// Fact is a member of a record in words.
type Fact struct{ Name, Value string }

// Invoice is a line of an audit: the sharer's own figures, and what they were held against.
type Invoice struct {
	audit.Result
	// Contract is the contract that the audit went by; empty for what carriers published.
	Contract string `json:"contract,omitempty"`
}

// Document is a kept document of a proof.
type Document struct {
	contracts.Evidence
	Source    string    `json:"source"`
	ReadAt    time.Time `json:"read_at"`
	Bytes     int       `json:"bytes"`
	Path      string    `json:"path,omitempty"`
	Extension string    `json:"extension"`
}

// Tokens are what they look like.
var Tokens = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// NewToken makes a token that cannot be guessed: it has 130 random bits.
func NewToken() string { return rand.Text() }

// IDOf is the id of the proof with a token. Only ids are kept, so that no time tells how much of a token is right.
func IDOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:16])
}

// Path is where the proof with a token is shown.
func Path(token string) string { return "/proof/" + token }

// File finds the document of that name; ok is false where there is none.
func (s Share) File(name string) (d Document, ok bool) {
	i := slices.IndexFunc(s.Documents, func(d Document) bool { return d.Name() == name })
	if i < 0 {
		return d, false
	}
	return s.Documents[i], true
}

// IsRendered tells whether a browser made the bytes of what the address gave.
func (d Document) IsRendered() bool {
	return slices.Contains([]string{"rendered", "scraper", "render"}, d.Path)
}

// Name is the name of the document's file.
func (d Document) Name() string { return d.Source + "-" + d.SHA256[:12] + d.Extension }
