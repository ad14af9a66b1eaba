package cache

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// ended is when an answer expires that [End] ended: past by every clock.
var ended = time.Unix(0, 0).UTC()

// End ends the stored answer of key, if it was read before a moment: it is served no longer, and the next request reads
// the source. An answer that is being read now is told to those who wait for it, and is not stored.
func End(ctx context.Context, s *Store, key contracts.CacheKey, before time.Time) error {
	return kv.RetryConflicts(ctx, func() error {
		e, err := s.readEntry(ctx, key)
		switch {
		case err != nil && !errors.Is(err, ErrMiss):
			return err
		case err == nil && !e.ReadAt.Before(before):
			return nil
		case errors.Is(err, ErrMiss) || !e.Fresh(time.Now()):
			// nobody is served it, but whoever reads now would store what is past
			if _, err := s.record(ctx, flightKey(key, e.Revision)); errors.Is(err, errGone) {
				return nil
			}
		}
		doc, err := json.Marshal(contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: before, ExpiresAt: ended})
		if err != nil {
			return err
		}
		_, err = s.swap(ctx, key, doc, e.Revision)
		return err
	})
}

// EndAll is [End] for the stored answers of all keys that begin so.
func EndAll(ctx context.Context, s *Store, begin contracts.CacheKey, before time.Time) error {
	stream, err := s.js.Stream(ctx, contracts.AnswersBucket.Stream())
	if err != nil {
		return err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(contracts.AnswersBucket.Subject(string(begin)+">")))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		key := contracts.CacheKey(strings.TrimPrefix(subject, contracts.AnswersBucket.Subject("")))
		if err := End(ctx, s, key, before); err != nil {
			return err
		}
	}
	return nil
}
