package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

const (
	// lookEvery is how often the health of the sources is compared with what was published.
	lookEvery = 5 * time.Second
	// countEvery is how often a source is counted in its history, and a newer success published where nothing else is new.
	countEvery = time.Minute
	// ioTime bounds the reading and the writing of one listing.
	ioTime = 5 * time.Second
)

// publisher publishes the sources of a worker and the health of each in [contracts.SourcesBucket].
type publisher struct {
	bucket    jetstream.KeyValue
	log       *slog.Logger
	sources   []listed
	published map[string]contracts.SourceHealth
}

// listed is a source with its key in the bucket.
type listed struct {
	Source
	key string
}

// openListings creates an entry for each source that is listed and has none. So users see all sources, also those that
// no worker serves.
func (w *Worker) openListings(ctx context.Context, sources []Source) (*publisher, error) {
	bucket, err := kv.Open(ctx, w.JetStream, contracts.SourcesBucket)
	if err != nil {
		return nil, err
	}
	p := &publisher{bucket: bucket, log: w.Log, published: map[string]contracts.SourceHealth{}}
	for _, s := range sources {
		if s.Listing == nil {
			continue
		}
		key := contracts.ListingKey(w.cfg.Environment, w.service.Product, s.Code)
		value, err := json.Marshal(s.Listing(contracts.SourceHealth{}))
		if err != nil {
			return nil, err
		}
		if _, err := bucket.Create(ctx, key, value); err != nil && !kv.Conflict(err) {
			return nil, fmt.Errorf("listing of %s: %w", key, err)
		}
		p.sources = append(p.sources, listed{s, key})
	}
	return p, nil
}

// run publishes the sources that this worker serves, and again when their health changes, until ctx ends. It counts
// each once a minute in its history, and tells then when it was last read.
func (p *publisher) run(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	count := time.NewTicker(countEvery)
	defer count.Stop()
	for {
		p.publish(ctx, sameButSuccess)
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case at := <-count.C:
			p.count(ctx, at)
			p.publish(ctx, same)
		}
	}
}

func same(now, published contracts.SourceHealth) bool { return reflect.DeepEqual(now, published) }

// sameButSuccess is same but for the time of the last success: a busy source has another one at each look.
func sameButSuccess(now, published contracts.SourceHealth) bool {
	if now.LastSuccess != nil && published.LastSuccess != nil {
		now.LastSuccess = published.LastSuccess
	}
	return same(now, published)
}

// publish publishes the sources whose health is not the same as what was published.
func (p *publisher) publish(ctx context.Context, same func(now, published contracts.SourceHealth) bool) {
	for _, s := range p.sources {
		if s.Health == nil {
			continue
		}
		health := s.Health()
		if last, ok := p.published[s.key]; ok && same(health, last) {
			continue
		}
		if isTried(health) {
			p.record(ctx, s, see)
		}
		err := p.put(ctx, s, health)
		if err == nil && s.Tell != nil {
			err = p.tell(ctx, s, health)
		}
		if err == nil {
			p.published[s.key] = health
		} else if ctx.Err() == nil {
			p.log.Warn("listing is not published", "source", s.key, "error", err)
		}
	}
}

func (p *publisher) tell(ctx context.Context, s listed, health contracts.SourceHealth) error {
	ctx, cancel := context.WithTimeout(ctx, ioTime)
	defer cancel()
	return s.Tell(ctx, health)
}

// put replaces the entry. When this worker has not read the source yet, the entry keeps the last success of other
// workers.
func (p *publisher) put(ctx context.Context, s listed, health contracts.SourceHealth) error {
	ctx, cancel := context.WithTimeout(ctx, ioTime)
	defer cancel()
	if health.LastSuccess == nil { // then the path is not known either
		if entry, err := p.bucket.Get(ctx, s.key); err == nil {
			var known contracts.SourceHealth
			if json.Unmarshal(entry.Value(), &known) == nil {
				health.LastSuccess, health.LastPath = known.LastSuccess, known.LastPath
			}
		}
	}
	value, err := json.Marshal(s.Listing(health))
	if err != nil {
		return err
	}
	_, err = p.bucket.Put(ctx, s.key, value)
	return err
}
