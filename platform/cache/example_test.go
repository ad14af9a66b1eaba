package cache_test

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
)

// A worker answers from the cache. When nothing servable is stored, one of all callers reads the source.
func ExampleFill() {
	ctx := context.Background()
	var js jetstream.JetStream // of the daemon
	store, err := cache.Open(ctx, js, cache.Deps{MaxFetch: 30 * time.Second})
	if err != nil {
		return
	}
	readSource := func(context.Context) (contracts.SurchargeAnswer, error) {
		now := time.Now()
		return contracts.SurchargeAnswer{
			Provenance: contracts.Provenance{ReadAt: now, ExpiresAt: now.Add(contracts.SurchargeTTL),
				Method: contracts.APIMirror},
			Carrier: contracts.ODFL,
		}, nil
	}
	answer, err := cache.Fill(ctx, store, contracts.SurchargeKey(contracts.Test, contracts.ODFL), readSource)
	if err != nil {
		return
	}
	fmt.Println(answer.Carrier, answer.ReadAt)
}
