package kv_test

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

// A conflict is told as one however it was met, over one server and over three: their codes differ.
func TestConflict(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) *server.Server{
		"one server":    bustest.Server,
		"three servers": func(t testing.TB) *server.Server { return bustest.Cluster(t, contracts.LimitsBucket)[0] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			js := bustest.JetStream(t, bustest.Connect(t, start(t)))
			ctx := within(t, clocktest.Patience)
			bucket, err := kv.Open(ctx, js, contracts.LimitsBucket)
			if err != nil {
				t.Fatal(err)
			}
			revision, err := bucket.Create(ctx, "a", []byte("1"))
			if err != nil || kv.Conflict(err) {
				t.Fatal(err)
			}
			_, created := bucket.Create(ctx, "a", nil)
			_, updated := bucket.Update(ctx, "a", nil, revision+1)
			_, swapped := kv.Swap(ctx, js, contracts.LimitsBucket, "a", nil, revision+1)
			for how, err := range map[string]error{"create": created, "update": updated, "swap": swapped} {
				if !kv.Conflict(err) {
					t.Errorf("%s: %v", how, err)
				}
			}
			if _, err := bucket.Get(ctx, "b"); kv.Conflict(err) {
				t.Errorf("an absent key: %v", err)
			}
		})
	}
}
