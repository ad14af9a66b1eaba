package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
)

// manyEvents is how many usage events a month is to bear.
const manyEvents = 10_000_000

// measureEvents sums the usage events of a month.
func measureEvents(ctx context.Context, _ options, s *store) ([]figure, error) {
	var took [2]time.Duration
	stored := 0
	for i, number := range []int{manyEvents / 10, manyEvents} {
		began := time.Now()
		if err := publishEvents(ctx, s.js, stored, number); err != nil {
			return nil, err
		}
		published := time.Since(began)
		stored = number
		began = time.Now()
		sums, err := usage.Sums(ctx, s.js, time.Now())
		if err != nil {
			return nil, err
		}
		took[i] = time.Since(began)
		counted := 0
		for _, sum := range sums {
			counted += sum.Count
		}
		if counted != number {
			return nil, fmt.Errorf("%d of %d events were summed", counted, number)
		}
		fmt.Printf("growth    %d usage events: stored in %s, summed in %s, %d sums\n", number, published, took[i], len(sums))
	}
	return []figure{{
		name: "10 million usage events, summed", value: took[1].Seconds(), unit: "s",
		detail: fmt.Sprintf("%.0f events/s; %s", manyEvents/took[1].Seconds(), grown(took[0].Seconds(), took[1].Seconds(), "s")),
	}}, nil
}

// publishEvents stores the events from a number to another, of 1,000 tenants.
func publishEvents(ctx context.Context, js jetstream.JetStream, from, to int) error {
	for i := from; i < to; i++ {
		product := contracts.Products[i%len(contracts.Products)]
		event, err := json.Marshal(usage.Event{
			ID: fmt.Sprintf("%016x", i), Tenant: fmt.Sprint("rapidapi:tenant-", i%1000), Product: product,
			Route: "/v1/abc/license/{license_number}", RequestID: fmt.Sprintf("%032x", i), At: time.Now().UTC(),
		})
		if err != nil {
			return err
		}
		if _, err := js.PublishAsync(contracts.UsageSubject(product).Name, event, jetstream.WithStallWait(publishPatience)); err != nil {
			return err
		}
	}
	return awaitPublished(ctx, js)
}
