package bus_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bus/bustest"
)

func TestProvisionIsIdempotentAndRepairs(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	ctx := within(t, 20*time.Second)
	limits := bucketStream(t, js, contracts.LimitsBucket)
	changed := limits
	changed.AllowDirect, changed.MaxBytes = true, 1<<20
	if _, err := js.UpdateStream(ctx, changed); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := bus.Provision(ctx, js, 1); err != nil {
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
	s, err := js.Stream(within(t, time.Second), b.Stream())
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().Config
}

func TestOpenBucketMakesWhatIsMissing(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	missing := contracts.Bucket{Name: "assay_missing", History: 1, MaxBytes: 1 << 20, Exact: true}
	for range 2 {
		if _, err := bus.OpenBucket(within(t, 5*time.Second), js, missing); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPublishOnce(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ctx := within(t, 5*time.Second)
	for range 3 {
		if err := bus.Publish(ctx, js, contracts.UsageSubject(contracts.LTL), "usage-1", map[string]int{"n": 1}); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := js.Stream(ctx, contracts.UsageStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Msgs; n != 1 {
		t.Errorf("%d events", n)
	}
}

// A service may start before its server.
func TestConnectWaits(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	url := srv.ClientURL()
	opts := bustest.Stop(srv)
	time.AfterFunc(200*time.Millisecond, func() { bustest.Start(t, opts) })
	conn, err := bus.Connect(within(t, 10*time.Second), bus.ConnectOptions{URL: url, Name: "early"})
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Close(within(t, time.Second), conn); err != nil || conn.Status() != nats.CLOSED {
		t.Errorf("%v, %s", err, conn.Status())
	}
	if err := bus.Close(within(t, time.Second), conn); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

func TestConnectGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	if _, err := bus.Connect(within(t, 100*time.Millisecond), bus.ConnectOptions{URL: "nats://127.0.0.1:1", Name: "lost"}); err == nil {
		t.Error("connected to nobody")
	}
	if _, err := bus.Connect(within(t, time.Second), bus.ConnectOptions{Name: "x", NKeySeed: "SUsecret"}); err == nil {
		t.Error("a bad seed is taken")
	}
}
