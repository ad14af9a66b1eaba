package provision

import (
	"errors"
	"fmt"
	"time"

	"assay.dev/contracts"
)

// Retention is how long the live environment's documents are kept, and how many bytes they may have on each server.
// Zero is what package contracts says. What is older goes, and when a stream is full its oldest documents go.
type Retention struct {
	EvidenceAge   time.Duration `env:"ASSAY_EVIDENCE_AGE" envDefault:"61320h" help:"how long documents that answers were read from are kept; 61320h is seven years"`
	EvidenceBytes int64         `env:"ASSAY_EVIDENCE_BYTES" envDefault:"12884901888" help:"most bytes of such documents of the live environment on each server; the oldest go first"`
	FilesAge      time.Duration `env:"ASSAY_FILES_AGE" envDefault:"2160h" help:"how long editions of bulk files are kept; 2160h is 90 days"`
	FilesBytes    int64         `env:"ASSAY_FILES_BYTES" envDefault:"2147483648" help:"most bytes of such editions of the live environment on each server; the oldest go first"`
}

// leastBytes leaves room for the largest bulk file.
const leastBytes = 64 << 20

// Validate checks that something can be kept at all.
func (r Retention) Validate() error {
	var errs []error
	for name, age := range map[string]time.Duration{"ASSAY_EVIDENCE_AGE": r.EvidenceAge,
		"ASSAY_FILES_AGE": r.FilesAge} {
		if age < 24*time.Hour {
			errs = append(errs, fmt.Errorf("%s=%s: want at least 24h", name, age))
		}
	}
	for name, bytes := range map[string]int64{"ASSAY_EVIDENCE_BYTES": r.EvidenceBytes,
		"ASSAY_FILES_BYTES": r.FilesBytes} {
		if bytes < leastBytes {
			errs = append(errs, fmt.Errorf("%s=%d: want at least %d", name, bytes, leastBytes))
		}
	}
	return errors.Join(errs...)
}

// Bounds is how many bytes all streams together may take on one server.
func (r Retention) Bounds() (bytes int64) {
	for _, s := range contracts.Streams {
		bytes += r.limit(s).MaxBytes
	}
	for _, b := range contracts.Buckets {
		bytes += b.MaxBytes
	}
	return bytes + mirrorsMaxBytes
}

// limit is s with the limits of r. Those of the test environment's bytes stay: the sandbox's pages are small.
func (r Retention) limit(s contracts.Stream) contracts.Stream {
	for _, env := range contracts.Environments {
		switch s.Name {
		case contracts.EvidenceStream(env).Name:
			return limited(s, env, r.EvidenceAge, r.EvidenceBytes)
		case contracts.FilesStream(env).Name:
			return limited(s, env, r.FilesAge, r.FilesBytes)
		}
	}
	return s
}

func limited(s contracts.Stream, env contracts.Environment, age time.Duration, bytes int64) contracts.Stream {
	if age > 0 {
		s.MaxAge = age
	}
	if bytes > 0 && env == contracts.Live {
		s.MaxBytes = bytes
	}
	return s
}
