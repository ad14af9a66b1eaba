package kv_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

// All of the writes are there with the revisions that are told, or none is.
func TestSwapTogether(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) *server.Server{
		"one server":    bustest.Server,
		"three servers": func(t testing.TB) *server.Server { return bustest.Cluster(t, contracts.WeeksBucket)[0] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			js := bustest.JetStream(t, bustest.Connect(t, start(t)))
			ctx := within(t, clocktest.Patience)
			bucket, err := kv.Open(ctx, js, contracts.WeeksBucket)
			if err != nil {
				t.Fatal(err)
			}
			before, err := bucket.Put(ctx, "a", []byte("old"))
			if err != nil {
				t.Fatal(err)
			}
			var all []kv.Write
			for i := range kv.MaxTogether - 1 {
				all = append(all, kv.Write{Key: fmt.Sprint("k", i), Value: []byte(fmt.Sprint(i))})
			}
			stale := append(slices.Clone(all[:9]), kv.Write{Key: "a", Value: []byte("new"), Revision: before + 1})
			if last, err := kv.SwapTogether(ctx, js, contracts.WeeksBucket, stale); err == nil {
				t.Errorf("a revision that is not there was replaced by %d", last)
			}
			if _, err := bucket.Get(ctx, "k0"); err == nil {
				t.Error("a part was written")
			}
			all = append(all, kv.Write{Key: "a", Value: []byte("new"), Revision: before})
			last, err := kv.SwapTogether(ctx, js, contracts.WeeksBucket, all)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range all {
				e, err := bucket.Get(ctx, w.Key)
				if err != nil || string(e.Value()) != string(w.Value) || e.Revision() != last-uint64(len(all)-1-i) {
					t.Fatalf("%s: %v %v", w.Key, e, err)
				}
			}
		})
	}
}
