package cache

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay.dev/contracts"
)

// End ends the stored answer of key, if there is one that was read before a moment: it is served no longer, and the next
// request reads the source.
func End[A any, P interface {
	*A
	Origin() *contracts.Provenance
}](ctx context.Context, s *Store, key contracts.CacheKey, before time.Time) error {
	e, err := s.Get(ctx, key)
	if errors.Is(err, ErrMiss) || err == nil && !e.ReadAt.Before(before) {
		return nil
	}
	if err != nil {
		return err
	}
	a, err := Decode[A](key, e.Value)
	if err != nil {
		return nil // what is not understood is not served
	}
	P(&a).Origin().ExpiresAt = time.Now().UTC()
	doc, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = s.put(ctx, key, doc)
	return err
}
