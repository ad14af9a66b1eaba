package contracts

import (
	"encoding/json"
	"slices"
	"time"
)

// Method names the kind of path an answer was read by (contract §2.1).
type Method string

// The methods.
const (
	// APIMirror reads a machine-readable publication: a JSON API or a bulk file.
	APIMirror Method = "api_mirror"
	// StructuredParse reads the page people read, rendered locally where it needs a browser.
	StructuredParse Method = "structured_parse"
	// ScraperAPI reads the page through a third-party rendering service.
	ScraperAPI Method = "scraper_api"
)

// How stale an answer may be (contract §1, §8).
const (
	SurchargeTTL = 7 * 24 * time.Hour
	LicenseTTL   = 24 * time.Hour
)

// FallbackTTL is how long an answer lives that was not read by the first path of its operation.
const FallbackTTL = 15 * time.Minute

// WithoutArchiveTTL is how long an answer lives that lacks what an archive knows, because the archive could not be
// read.
const WithoutArchiveTTL = time.Minute

// Provenance says where an answer came from and how long it may be served. Every stored answer begins with it, so that
// one value holds all of a reading: what was asked, when it was read, from which documents, and what they said. Its
// JSON can be hashed.
type Provenance struct {
	// Schema is [AnswerSchema] of the version that wrote the answer; 0 in answers of the version before there were
	// numbers.
	Schema int `json:"schema"`
	// ReadAt is when the upstream source was read, UTC.
	ReadAt time.Time `json:"read_at"`
	// PublishedAt is how old the source says its own data is, UTC; nil when it does not say.
	PublishedAt *time.Time `json:"published_at,omitempty"`
	// ExpiresAt is when the answer must no longer be served.
	ExpiresAt time.Time `json:"expires_at"`
	// Method is the kind of path that ran.
	Method Method `json:"method"`
	// EvidenceURL is the upstream record or source, for a person to open.
	EvidenceURL string `json:"evidence_url"`
	// Evidence names the kept documents that the answer was read from, the one with the newest week or the record
	// first. It is empty in answers of versions that kept none.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Complete is false when something that was asked for may exist and the path could not show it.
	Complete bool `json:"complete"`
	// Notes are what the answer says about itself in words.
	Notes []Note `json:"notes,omitempty"`
	// RefreshFailed is set on a reply to a request for a fresh reading that failed: the answer is the stored copy, or
	// made of one. It is never stored.
	RefreshFailed bool `json:"refresh_failed,omitempty"`
}

// AnswerSchema is the number of the form that stored answers have now. It is part of their [CacheKey], so that two
// versions of a service that run side by side never read each other's answers. It goes up, too, when the readers refuse
// what those before believed: what is stored of it would be served for a day, or a week.
const AnswerSchema = 4

// Origin is the provenance that an answer begins with.
func (p *Provenance) Origin() *Provenance { return p }

// OfReply is what an answer says of one reply, and never of the stored copy. It is nil when there is nothing.
func (p *Provenance) OfReply() any {
	if !p.RefreshFailed {
		return nil
	}
	return struct {
		RefreshFailed bool `json:"refresh_failed"`
	}{true}
}

// Fresh tells whether the answer may be served at now.
func (p Provenance) Fresh(now time.Time) bool { return now.Before(p.ExpiresAt) }

// EndBy makes the answer end at a moment, unless it ends earlier already.
func (p *Provenance) EndBy(latest time.Time) {
	if p.ExpiresAt.After(latest) {
		p.ExpiresAt = latest.UTC()
	}
}

// Noted tells whether the answer has a note of that code.
func (p Provenance) Noted(code NoteCode) bool {
	return slices.ContainsFunc(p.Notes, func(n Note) bool { return n.Code == code })
}

// InDoubt tells whether the reading behind the answer is in doubt.
func (p Provenance) InDoubt() bool {
	return slices.ContainsFunc(p.Notes, func(n Note) bool { return n.Code.IsDoubt() })
}

// Members are sorted names of JSON members, nested ones dotted, such as address.county. No members are [] in JSON.
type Members []string

// MarshalJSON writes no members as [].
func (m Members) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]string(m))
}

// With is m and the further members, sorted, each once.
func (m Members) With(further ...string) Members {
	all := slices.Concat(m, further)
	slices.Sort(all)
	return slices.Compact(all)
}

// MinConfidence is the least extraction_confidence with which an answer may be billed, shipped or signed by (contract
// §2.1).
const MinConfidence = 0.90

// PageURL is the address of a page for people. The empty one means that there is none, as of an imported week, and is
// null in JSON.
type PageURL string

// MarshalJSON writes the empty address as null.
func (u PageURL) MarshalJSON() ([]byte, error) {
	if u == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(u))
}

// Verifiability is the _verifiability block of the contract, §2.1.
type Verifiability struct {
	SourceTimestamp         time.Time  `json:"source_timestamp" jsonschema:"When the upstream source was read, UTC."`
	SourcePublishedAt       *time.Time `json:"source_published_at" jsonschema:"How old the source says its own data is, UTC; null when it does not say."`
	ExtractionConfidence    float64    `json:"extraction_confidence" jsonschema:"The lowest ratio of clean to required items: of the whole answer, and of each record or the newest week by itself. Use at least 0.90 for billing or compliance."`
	RawDataEvidenceURL      PageURL    `json:"raw_data_evidence_url" jsonschema:"The upstream record or source, for a person to open."`
	EvidenceSHA256          *string    `json:"evidence_sha256" jsonschema:"The SHA-256 of the document in which the newest week or the record stands; null when it is not kept."`
	Evidence                []Evidence `json:"evidence" jsonschema:"The kept documents that the answer was read from, that one first; empty when none is kept."`
	ExtractionMethod        Method     `json:"extraction_method" jsonschema:"The kind of path that ran."`
	DataFreshnessTTLSeconds int        `json:"data_freshness_ttl_seconds" jsonschema:"How stale the data may be: 604800 for fuel surcharges, 86400 for licenses."`
	Complete                bool       `json:"complete" jsonschema:"false when something that was asked for may exist and this path could not show it."`
	NotReported             Members    `json:"not_reported" jsonschema:"Sorted names of members that the path cannot show; nested names are dotted."`
	Inferred                Members    `json:"inferred" jsonschema:"Sorted names of members that are computed from something else that the path prints."`
	Notes                   []Note     `json:"notes" jsonschema:"What the answer says about itself, in words that a person can act on."`
}

// Verifiability is the block for an answer of this provenance, whose lowest ratio of clean to required items is lowest,
// and which may be ttl old.
func (p Provenance) Verifiability(lowest Tally, ttl time.Duration) Verifiability {
	v := Verifiability{
		SourceTimestamp:         p.ReadAt.UTC().Truncate(time.Second),
		ExtractionConfidence:    lowest.Confidence(),
		RawDataEvidenceURL:      PageURL(p.EvidenceURL),
		EvidenceSHA256:          p.EvidenceSHA256(),
		Evidence:                append([]Evidence{}, p.Evidence...),
		ExtractionMethod:        p.Method,
		DataFreshnessTTLSeconds: int(ttl.Seconds()),
		Complete:                p.Complete,
		Notes:                   slices.Clone(p.Notes),
	}
	if v.Notes == nil {
		v.Notes = []Note{}
	}
	if p.PublishedAt != nil {
		v.SourcePublishedAt = new(p.PublishedAt.UTC().Truncate(time.Second))
	}
	if !p.OfThisVersion() {
		v.doubt()
	}
	return v
}

// OfThisVersion tells whether the answer has the form that this version knows. During a rolling update a worker of
// another version may have replied, which counts confidence by other rules and says less of what it could not see.
func (p Provenance) OfThisVersion() bool { return p.Schema == AnswerSchema }

// otherVersion is the tally of an answer of another version: 0.88, below what may be acted on, whatever its worker
// counted.
var otherVersion = Tally{Clean: 8, Required: 9}

// doubt makes the block say that the answer is of another version.
func (v *Verifiability) doubt() {
	v.ExtractionConfidence = min(v.ExtractionConfidence, otherVersion.Confidence())
	v.Complete = false
	v.note(NoteIncomplete, "This answer was given by a worker of another version, during an update of the service. "+
		"What it does not show may exist, and it does not say which members are inferred. Ask again in a minute.")
}

// note adds a note.
func (v *Verifiability) note(code NoteCode, message string) {
	v.Notes = append(v.Notes, Note{Code: code, Message: message})
}
