package cache_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
)

// A worker does not look for an entry that its caller found expired a moment ago. That the entry was replaced since, it learns from
// the record of the flight, and so the source is read once.
func TestWhatTheCallerFoundIsNotLookedForAgain(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	all := stores(t, srv, 1)
	fetches := atomic.Int64{}
	subject := contracts.Subject{Name: "assay.v1.test.replaces", Template: "assay.v1.{env}.replaces"}
	worker, err := bus.Serve(bus.Deps{Conn: bustest.Connect(t, srv)}, bus.Service{
		Name: "replaces", Version: "1.0.0", Capacity: 1, MaxTime: patient,
		Endpoints: []bus.Endpoint{bus.Handle("replaces", subject, func(ctx context.Context, _ struct{}) (page, error) {
			return cache.Fill(ctx, all[0], key, func(context.Context) (page, error) {
				fetches.Add(1)
				return newPage("new", time.Hour), nil
			})
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Stop(within(t, patient)) }()
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv)})
	ask := func(what string, ctx context.Context, text string, fetched int64) {
		t.Helper()
		got, err := bus.Call[page](ctx, client, subject, struct{}{})
		if err != nil || got.Text != text || fetches.Load() != fetched {
			t.Errorf("%s: %q, %v, fetched %d times", what, got.Text, err, fetches.Load())
		}
	}
	revision, err := answersBucket(t, srv).PutString(within(t, patient), string(key),
		`{"schema":4,"read_at":"2020-01-01T00:00:00Z","expires_at":"2999-01-02T00:00:00Z","text":"old"}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx := within(t, patient)
	ask("nothing was found", ctx, "old", 0)
	ask("another key's entry was found", cache.Replaces(ctx, key+".other", revision), "old", 0)
	ask("the entry was found expired", cache.Replaces(ctx, key, revision), "new", 1)
	ask("it was replaced since", cache.Replaces(ctx, key, revision), "new", 1)
}
