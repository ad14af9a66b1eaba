package system

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
)

// visitPast fills the archive of the test environment with the past weeks of TFORCE, when the archive has none.
// TFORCE shows the current week only, so a new system would know one week. visitPast starts a second sandbox, sets
// its clock to each of the past weeks in turn, and reads the page of that week as a worker does. The real site
// cannot be read in the past.
func visitPast(ctx context.Context, js jetstream.JetStream) error {
	weeks, err := js.KeyValue(ctx, contracts.WeeksBucket.Name)
	if err != nil {
		return err
	}
	known, err := kv.Entries(ctx, js, weeks, string(contracts.Test)+"."+string(contracts.TFORCE)+".*")
	if err != nil || len(known) > 0 {
		return err
	}
	var clock atomic.Pointer[time.Time]
	now := time.Now()
	clock.Store(&now)
	past, err := sandbox.Start(sandbox.Options{Clock: func() time.Time { return *clock.Load() }})
	if err != nil {
		return err
	}
	defer func() { _ = past.Close() }()
	var moments []time.Time
	for week := contracts.MaxWeeks - 1; week > 0; week-- {
		moments = append(moments, now.AddDate(0, 0, -7*week))
	}
	cfg := ltlworker.Config{Environment: contracts.Test, ScrapeConfig: Sandboxed(scrape.Config{}, past)}
	if err := ltlworker.Observe(ctx, cfg, js, contracts.TFORCE, moments, func(at time.Time) { clock.Store(&at) }); err != nil {
		return fmt.Errorf("the sandbox's past: %w", err)
	}
	return nil
}
