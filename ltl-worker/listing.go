package ltlworker

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
	"assay.dev/ltl-worker/carrier"
)

// listings keeps the carriers' listings in [contracts.SourcesBucket] up to date.
type listings struct {
	env     contracts.Environment
	kv      jetstream.KeyValue
	recipes func(contracts.Carrier) carrier.Recipe
	health  map[contracts.Carrier]func() contracts.SourceHealth // of the carriers served here
	log     *slog.Logger

	published map[contracts.Carrier]contracts.CarrierListing
}

func (l *listings) key(c contracts.Carrier) string { return string(l.env) + ".ltl." + string(c) }

// introduce makes an entry for every carrier that has none, so that the listing is complete whoever serves the rest.
func (l *listings) introduce(ctx context.Context) error {
	for _, c := range contracts.Carriers {
		value, err := json.Marshal(l.recipes(c).Listing())
		if err != nil {
			return err
		}
		if _, err := l.kv.Create(ctx, l.key(c), value); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
			return fmt.Errorf("listing of %s: %w", c, err)
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
		for c, health := range l.health {
			if err := l.publish(ctx, c, health()); err != nil && ctx.Err() == nil {
				l.log.Warn("listing is not published", "carrier", c, "error", err)
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
func (l *listings) publish(ctx context.Context, c contracts.Carrier, health contracts.SourceHealth) error {
	listing := l.recipes(c).Listing()
	listing.SourceHealth = health
	if reflect.DeepEqual(listing, l.published[c]) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if health.LastSuccess == nil {
		if entry, err := l.kv.Get(ctx, l.key(c)); err == nil {
			var known contracts.CarrierListing
			if json.Unmarshal(entry.Value(), &known) == nil {
				listing.LastSuccess = known.LastSuccess
			}
		}
	}
	value, err := json.Marshal(listing)
	if err != nil {
		return err
	}
	if _, err := l.kv.Put(ctx, l.key(c), value); err != nil {
		return err
	}
	listing.SourceHealth = health
	l.published[c] = listing
	return nil
}
