package provision

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// Retention is how long documents are kept, and how many bytes those of the live environment may have on each server.
// What is older goes, and when a stream is full its oldest documents go. Zero leaves a stream that stands as it is, so
// that a run without the settings throws nothing away; one that is made gets what package contracts says.
type Retention struct {
	EvidenceAge   time.Duration `env:"ASSAY_EVIDENCE_AGE" help:"how long documents that answers were read from are kept; empty: as the stream stands, 61320h (seven years) for a new one"`
	EvidenceBytes int64         `env:"ASSAY_EVIDENCE_BYTES" help:"most bytes of such documents of the live environment on each server, the oldest go first; empty: as the stream stands, 12884901888 for a new one"`
	FilesAge      time.Duration `env:"ASSAY_FILES_AGE" help:"how long editions of bulk files are kept; empty: as the stream stands, 2160h (90 days) for a new one"`
	FilesBytes    int64         `env:"ASSAY_FILES_BYTES" help:"most bytes of such editions of the live environment on each server, the oldest go first; empty: as the stream stands, 2147483648 for a new one"`
}

// leastBytes leaves room for the largest bulk file.
const leastBytes = 64 << 20

// Validate checks that something can be kept at all, where something is said.
func (r Retention) Validate() error {
	var errs []error
	for name, age := range map[string]time.Duration{"ASSAY_EVIDENCE_AGE": r.EvidenceAge,
		"ASSAY_FILES_AGE": r.FilesAge} {
		if age != 0 && age < 24*time.Hour {
			errs = append(errs, fmt.Errorf("%s=%s: want at least 24h", name, age))
		}
	}
	for name, bytes := range map[string]int64{"ASSAY_EVIDENCE_BYTES": r.EvidenceBytes,
		"ASSAY_FILES_BYTES": r.FilesBytes} {
		if bytes != 0 && bytes < leastBytes {
			errs = append(errs, fmt.Errorf("%s=%d: want at least %d", name, bytes, leastBytes))
		}
	}
	return errors.Join(errs...)
}

// Bounds is how many bytes all streams together may take on one server when they are made.
func (r Retention) Bounds() (bytes int64) {
	for _, s := range contracts.Streams {
		bytes += r.limit(s, jetstream.StreamConfig{}).MaxBytes
	}
	for _, b := range contracts.Buckets {
		bytes += b.MaxBytes
	}
	return bytes + mirrorsMaxBytes
}

// limit is s with the limits of r, else with those of have, the stream that stands. Bytes of the test environment are
// those of s: the sandbox's pages are small.
func (r Retention) limit(s contracts.Stream, have jetstream.StreamConfig) contracts.Stream {
	for _, env := range contracts.Environments {
		var age time.Duration
		var bytes int64
		switch s.Name {
		case contracts.EvidenceStream(env).Name:
			age, bytes = r.EvidenceAge, r.EvidenceBytes
		case contracts.FilesStream(env).Name:
			age, bytes = r.FilesAge, r.FilesBytes
		default:
			continue
		}
		s.MaxAge = cmp.Or(age, have.MaxAge, s.MaxAge)
		if env == contracts.Live {
			s.MaxBytes = cmp.Or(bytes, have.MaxBytes, s.MaxBytes)
		}
	}
	return s
}
