package provision_test

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/provision"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProvisionIsIdempotentAndRepairs(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	limits := bucketStream(t, js, contracts.LimitsBucket)
	changed := limits
	changed.AllowDirect, changed.MaxBytes = true, 1<<20
	if _, err := js.UpdateStream(ctx, changed); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := provision.All(ctx, js, provision.Options{Replicas: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if got := bucketStream(t, js, contracts.LimitsBucket); got.AllowDirect || got.MaxBytes != contracts.LimitsBucket.MaxBytes {
		t.Errorf("got %+v", got)
	}
	for _, b := range contracts.Buckets {
		if got := bucketStream(t, js, b); got.AllowDirect == b.Exact || got.MaxAge != b.TTL || got.AllowMsgTTL != b.PerKeyTTL {
			t.Errorf("%s: %+v", b.Name, got)
		}
	}
}

func bucketStream(t *testing.T, js jetstream.JetStream, b contracts.Bucket) jetstream.StreamConfig {
	t.Helper()
	s, err := js.Stream(t.Context(), b.Stream())
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().Config
}
