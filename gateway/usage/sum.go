package usage

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// Sum is what one tenant used of one product in a month.
type Sum struct {
	Tenant  string            `json:"tenant"`
	Product contracts.Product `json:"product"`
	Month   string            `json:"month"` // 2006-01
	Count   int               `json:"count"`
	Cents   int               `json:"amount_cents"`
}

// Month is the name of t's month.
func Month(t time.Time) string { return t.UTC().Format("2006-01") }

// lateEvents is for how long after a month its events may still have come, after an outage.
const lateEvents = 24 * time.Hour

// Sums adds up a month's events, ordered by tenant and product.
func Sums(ctx context.Context, js jetstream.JetStream, month time.Time) ([]Sum, error) {
	first := time.Date(month.UTC().Year(), month.UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	stream, err := js.Stream(ctx, contracts.UsageStream.Name)
	if err != nil {
		return nil, err
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &first,
	})
	if err != nil {
		return nil, err
	}
	info, err := consumer.Info(ctx)
	if err != nil || info.NumPending == 0 {
		return []Sum{}, err
	}
	events, err := consumer.Messages()
	if err != nil {
		return nil, err
	}
	defer events.Stop()
	return add(ctx, events, first)
}

func add(ctx context.Context, events jetstream.MessagesContext, month time.Time) ([]Sum, error) {
	sums := map[Sum]int{}
	for {
		msg, err := events.Next(jetstream.NextContext(ctx))
		if err != nil {
			return nil, err
		}
		meta, err := msg.Metadata()
		if err != nil {
			return nil, err
		}
		var e Event
		if json.Unmarshal(msg.Data(), &e) == nil && Month(e.At) == Month(month) {
			sums[Sum{Tenant: e.Tenant, Product: e.Product, Month: Month(month)}]++
		}
		if over := month.AddDate(0, 1, 0).Add(lateEvents); meta.NumPending == 0 || meta.Timestamp.After(over) {
			return ordered(sums), nil
		}
	}
}

func ordered(sums map[Sum]int) []Sum {
	all := []Sum{}
	for s, n := range sums {
		s.Count, s.Cents = n, n*s.Product.UnitPriceCents()
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Product, b.Product))
	})
	return all
}
