package abcworker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// listings keeps the listings of the states served here in [contracts.SourcesBucket] up to date.
type listings struct {
	env     contracts.Environment
	kv      jetstream.KeyValue
	sources []*source
	log     *slog.Logger

	published map[contracts.State]contracts.StateListing
}

func (l *listings) key(s contracts.State) string { return string(l.env) + ".abc." + string(s) }

// introduce makes an entry for every state that has none, so that the listing is complete whoever serves the rest.
func (l *listings) introduce(ctx context.Context, all []contracts.StateListing) error {
	for _, listing := range all {
		value, err := json.Marshal(listing)
		if err != nil {
			return err
		}
		if _, err := l.kv.Create(ctx, l.key(listing.State), value); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
			return fmt.Errorf("listing of %s: %w", listing.State, err)
		}
	}
	return nil
}

// lookAtHealth is how soon a change of a source's health shows in its listing.
const lookAtHealth = 5 * time.Second

// run publishes what changed until ctx ends.
func (l *listings) run(ctx context.Context) error {
	tick := time.NewTicker(lookAtHealth)
	defer tick.Stop()
	for {
		for _, s := range l.sources {
			if err := l.publish(ctx, s); err != nil && ctx.Err() == nil {
				l.log.Warn("listing is not published", "state", s.state, "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// publish replaces the entry when the facts or the health changed. What this worker does not know yet, it leaves as
// another worker said it.
func (l *listings) publish(ctx context.Context, s *source) error {
	listing, health := s.recipe.Listing, s.health()
	listing.SourceHealth = health
	if reflect.DeepEqual(listing, l.published[s.state]) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if health.LastSuccess == nil {
		if entry, err := l.kv.Get(ctx, l.key(s.state)); err == nil {
			var known contracts.StateListing
			if json.Unmarshal(entry.Value(), &known) == nil {
				listing.LastSuccess = known.LastSuccess
			}
		}
	}
	value, err := json.Marshal(listing)
	if err != nil {
		return err
	}
	if _, err := l.kv.Put(ctx, l.key(s.state), value); err != nil {
		return err
	}
	listing.SourceHealth = health
	l.published[s.state] = listing
	return nil
}
