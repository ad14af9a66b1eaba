package kv_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// A bucket that somebody deleted is not an empty one.
func TestOpenNeverMakesABucket(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	if err := js.DeleteKeyValue(within(t, clocktest.Patience), contracts.KeysBucket.Name); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := kv.Open(within(t, clocktest.Patience), js, contracts.KeysBucket); !errors.Is(err, jetstream.ErrBucketNotFound) {
			t.Fatalf("opened: %v", err)
		}
	}
}

// A bucket whose entries are purged is the stream that the library would make of it.
func TestABucketIsAsTheLibraryMakesIt(t *testing.T) {
	t.Parallel()
	ctx, js := within(t, clocktest.Patience), bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ours := contracts.Bucket{Name: "ours", TTL: time.Hour, MaxBytes: 1 << 20, History: 3, PerKeyTTL: true, Purged: true}
	if err := kv.Provision(ctx, js, ours, jetstream.StreamConfig{Replicas: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: "theirs", TTL: time.Hour, MaxBytes: 1 << 20, History: 3, LimitMarkerTTL: time.Second,
	}); err != nil {
		t.Fatal(err)
	}
	var configs []jetstream.StreamConfig
	for _, name := range []string{"ours", "theirs"} {
		stream, err := js.Stream(ctx, "KV_"+name)
		if err != nil {
			t.Fatal(err)
		}
		cfg := stream.CachedInfo().Config
		cfg.Name, cfg.Subjects, cfg.Metadata = "", nil, nil
		configs = append(configs, cfg)
	}
	if !reflect.DeepEqual(configs[0], configs[1]) {
		t.Errorf("ours\n%+v, theirs\n%+v", configs[0], configs[1])
	}
}

func FuzzExpand(f *testing.F) {
	f.Add([]byte(`{"a":1}`))
	for _, size := range []int{1_000, 2_000, 100_000} { // stored as it is, compressed in two ways
		f.Add(kv.Compress([]byte(`"` + strings.Repeat("x", size) + `"`)))
	}
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := kv.Expand(data)
		if err != nil {
			return
		}
		again, err := kv.Expand(kv.Compress(doc))
		if strings.HasPrefix(string(doc), "\x1f\x8b") { // no JSON document
			return
		}
		if err != nil || string(again) != string(doc) {
			t.Errorf("%q became %q, %v", doc, again, err)
		}
	})
}
