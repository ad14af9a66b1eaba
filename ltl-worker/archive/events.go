package archive

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// eventsFor are the revisions of a carrier's weeks that the stream of events still holds, oldest first. It is read only where
// weeks of the version before have revisions.
func (a *Archive) eventsFor(ctx context.Context, c contracts.Carrier, former []formerWeek) ([]contracts.SurchargeRevision, error) {
	hasRevisions := false
	for _, f := range former {
		hasRevisions = hasRevisions || len(f.Revisions) > 0
	}
	if !hasRevisions {
		return nil, nil
	}
	a.reading.Lock()
	defer a.reading.Unlock()
	if a.events == nil {
		all, err := a.readEvents(ctx)
		if err != nil {
			return nil, fmt.Errorf("revisions of the past: %w", err)
		}
		a.events = all
	}
	return a.events[c], nil
}

// readEvents reads all revisions that were reported in this environment.
func (a *Archive) readEvents(ctx context.Context) (map[contracts.Carrier][]contracts.SurchargeRevision, error) {
	consumer, err := a.js.OrderedConsumer(ctx, contracts.EventsStream.Name, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{contracts.EventSubject(a.env, contracts.EventRevision).Name},
	})
	if err != nil {
		return nil, err
	}
	all := map[contracts.Carrier][]contracts.SurchargeRevision{}
	if consumer.CachedInfo().NumPending == 0 {
		return all, nil
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, err
	}
	defer messages.Stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return nil, err
		}
		meta, err := msg.Metadata()
		if err != nil {
			return nil, err
		}
		var r contracts.SurchargeRevision
		if json.Unmarshal(msg.Data(), &r) == nil { // what cannot be read tells of no sighting
			all[r.Carrier] = append(all[r.Carrier], r)
		}
		if meta.NumPending == 0 {
			return all, nil
		}
	}
}
