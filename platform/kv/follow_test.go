package kv_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

// A follower has what its pattern matches, of before and of later, and tells while it cannot follow.
func TestFollower(t *testing.T) {
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	bucket, err := js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	put := func(key, value string) {
		t.Helper()
		if _, err := bucket.PutString(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	held, complete, refuses, failures := map[string]string{}, false, false, 0
	is := func(so func() bool) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return so()
		}
	}
	f := kv.Follower{
		JS: js, KV: bucket, Bucket: contracts.WeeksBucket, Pattern: "live.>",
		Take: func(all ...jetstream.KeyValueEntry) error {
			mu.Lock()
			defer mu.Unlock()
			if refuses {
				refuses = false
				return errors.New("no")
			}
			for _, e := range all {
				held[e.Key()] = string(e.Value())
			}
			return nil
		},
		Complete: func(is bool) { mu.Lock(); defer mu.Unlock(); complete = is },
		Failed:   func(error) { mu.Lock(); defer mu.Unlock(); failures++ },
	}
	put("live.a", "1")
	put("test.a", "1")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Follow(ctx) }()
	clocktest.Await(t, "the copy is complete", is(func() bool { return complete && held["live.a"] == "1" }))
	put("live.a", "2")
	put("live.b", "1")
	clocktest.Await(t, "changes are taken", is(func() bool { return held["live.a"] == "2" && held["live.b"] == "1" }))
	is(func() bool { refuses = true; return true })()
	put("live.b", "2")
	clocktest.Await(t, "it begins anew", is(func() bool { return failures > 0 && complete && held["live.b"] == "2" }))
	stop()
	if err := <-ended; err != nil || complete || len(held) != 2 {
		t.Errorf("%v, complete %t, %v", err, complete, held)
	}
}
