package api

import (
	"context"
	"encoding/json"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// SourceStatus is how a source is, as the workers said last.
type SourceStatus struct {
	Product contracts.Product `json:"product"`
	Code    string            `json:"code"`
	Name    string            `json:"name"`
	contracts.SourceHealth
	// FirstMethod and OtherMethods are the kinds of its paths, in the order in which they are tried.
	FirstMethod  contracts.Method   `json:"extraction_method"`
	OtherMethods []contracts.Method `json:"fallback_methods"`
	// ChangedAt is when the path or the breaker was first seen as it is; null where that is not known.
	ChangedAt *time.Time `json:"changed_at"`
	// FailingSince is since when it cannot be read at all, FallbackSince since when by another path than the first; null
	// where that is not so.
	FailingSince  *time.Time `json:"failing_since"`
	FallbackSince *time.Time `json:"fallback_since"`
	// ToldAt is when a worker last said that it serves the source; null where that is not known.
	ToldAt *time.Time `json:"told_at"`
	// Days are the last 90 at most, oldest first. A day that nobody saw is missing.
	Days []contracts.SourceDay `json:"days"`
}

// Status is how the sources are.
type Status struct {
	// LookedAt is when the workers' words were read, UTC.
	LookedAt time.Time `json:"looked_at"`
	// Sources has the live ones that a worker has described, Test those of the test environment.
	Sources []SourceStatus `json:"sources"`
	Test    []SourceStatus `json:"test_sources"`
}

// Status is at most catalogLife old. While the bucket cannot be read, it is what was read last, with its time; without
// any it is an error.
func (c *Catalog) Status(ctx context.Context) (Status, error) {
	if known := c.status.Load(); known != nil && time.Since(known.LookedAt) < catalogLife {
		return *known, nil
	}
	found, err, _ := c.looking.Do("status", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), catalogTimeout)
		defer cancel()
		return c.lookAtStatus(ctx)
	})
	if err == nil {
		return found.(Status), nil
	}
	if known := c.status.Load(); known != nil {
		return *known, nil
	}
	return Status{}, contracts.Wrap(err, contracts.SourceUnavailable,
		"what the workers say of their sources cannot be read at the moment; retry later").After(workerRetry)
}

func (c *Catalog) lookAtStatus(ctx context.Context) (Status, error) {
	s := Status{LookedAt: time.Now().UTC().Truncate(time.Second)}
	var err error
	if s.Sources, err = c.sourcesOf(ctx, contracts.Live); err != nil {
		return s, err
	}
	if s.Test, err = c.sourcesOf(ctx, contracts.Test); err != nil {
		return s, err
	}
	c.status.Store(&s)
	return s, nil
}

func (c *Catalog) sourcesOf(ctx context.Context, env contracts.Environment) ([]SourceStatus, error) {
	all := []SourceStatus{}
	for _, p := range contracts.Products {
		for _, code := range p.Sources() {
			source, err := c.sourceStatus(ctx, env, p, code)
			if err != nil {
				return nil, err
			}
			if source != nil {
				all = append(all, *source)
			}
		}
	}
	return all, nil
}

// sourceStatus is nil for a source that no worker has described.
func (c *Catalog) sourceStatus(ctx context.Context, env contracts.Environment, p contracts.Product,
	code string) (*SourceStatus, error) {
	key := contracts.ListingKey(env, p, code)
	var listing contracts.SourceListing
	if known, err := c.readEntry(ctx, key, &listing); !known {
		return nil, err
	}
	var history contracts.SourceHistory
	known, err := c.readEntry(ctx, contracts.SourceHistoryKey(key), &history)
	if err != nil {
		return nil, err
	}
	s := &SourceStatus{
		Product: p, Code: code, Name: listing.Name, SourceHealth: listing.SourceHealth,
		FirstMethod: listing.ExtractionMethod, OtherMethods: listing.FallbackMethods, Days: history.Days,
		FailingSince: history.FailingSince, FallbackSince: history.FallbackSince, ToldAt: history.ToldAt,
	}
	if known && !history.ChangedAt.IsZero() {
		s.ChangedAt = &history.ChangedAt
	}
	if s.Days == nil {
		s.Days = []contracts.SourceDay{}
	}
	return s, nil
}

// readEntry reads an entry. One that is not there, or of a version that is not understood, is not known.
func (c *Catalog) readEntry(ctx context.Context, key string, into any) (known bool, err error) {
	value, _, err := kv.Get(ctx, c.bucket, key)
	return value != nil && err == nil && json.Unmarshal(value, into) == nil, err
}
