package contracts

import (
	"math"
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

// Tally counts how many of the fields that a source must give were extracted cleanly.
type Tally struct {
	Clean    int `json:"clean"`
	Required int `json:"required"`
}

// Add sums two tallies.
func (t Tally) Add(other Tally) Tally {
	return Tally{Clean: t.Clean + other.Clean, Required: t.Required + other.Required}
}

// Confidence is Clean ÷ Required rounded to 2 decimals, and 0 when nothing was required: an answer that could not be
// checked deserves no confidence.
func (t Tally) Confidence() float64 {
	if t.Required <= 0 {
		return 0
	}
	return math.Round(100*float64(t.Clean)/float64(t.Required)) / 100
}

// Provenance says where an answer came from and how long it may be served. Every answer begins with it.
type Provenance struct {
	// ReadAt is when the upstream source was read, UTC.
	ReadAt time.Time `json:"read_at"`
	// ExpiresAt is when the answer must no longer be served.
	ExpiresAt time.Time `json:"expires_at"`
	// Method is the kind of path that ran.
	Method Method `json:"method"`
	// EvidenceURL is the upstream record or source, for a person to open.
	EvidenceURL string `json:"evidence_url"`
}

// Fresh tells whether the answer may be served at now.
func (p Provenance) Fresh(now time.Time) bool { return now.Before(p.ExpiresAt) }

// Verifiability is the _verifiability block of the contract, §2.1.
type Verifiability struct {
	SourceTimestamp         time.Time `json:"source_timestamp"`
	ExtractionConfidence    float64   `json:"extraction_confidence"`
	RawDataEvidenceURL      string    `json:"raw_data_evidence_url"`
	ExtractionMethod        Method    `json:"extraction_method"`
	DataFreshnessTTLSeconds int       `json:"data_freshness_ttl_seconds"`
}

// Verifiability is the block for an answer of this provenance whose fields were counted in t and which may be ttl old.
func (p Provenance) Verifiability(t Tally, ttl time.Duration) Verifiability {
	return Verifiability{
		SourceTimestamp:         p.ReadAt.UTC().Truncate(time.Second),
		ExtractionConfidence:    t.Confidence(),
		RawDataEvidenceURL:      p.EvidenceURL,
		ExtractionMethod:        p.Method,
		DataFreshnessTTLSeconds: int(ttl.Seconds()),
	}
}
