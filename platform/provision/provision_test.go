package provision_test

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
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
	changed.AllowDirect, changed.MaxBytes, changed.AllowRollup = true, 1<<20, true // as 1.0.0 made it
	if _, err := js.UpdateStream(ctx, changed); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := provision.All(ctx, js, provision.Options{Replicas: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if got := bucketStream(t, js, contracts.LimitsBucket); got.AllowDirect || got.AllowRollup || got.MaxBytes != contracts.LimitsBucket.MaxBytes {
		t.Errorf("got %+v", got)
	}
	for _, b := range contracts.Buckets {
		if got := bucketStream(t, js, b); got.AllowDirect == b.Exact || got.MaxAge != b.TTL || got.AllowMsgTTL != b.PerKeyTTL ||
			got.AllowRollup != (b.Purged || b.PerKeyTTL) {
			t.Errorf("%s: %+v", b.Name, got)
		}
	}
}

// Who may write one key of a bucket that must last cannot empty the bucket by it, where nothing is purged.
func TestNoKeyEmptiesABucket(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	for _, b := range contracts.Buckets {
		if b.Purged || b.PerKeyTTL {
			continue
		}
		bucket, err := js.KeyValue(t.Context(), b.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"live.x", "live.y"} {
			if _, err := bucket.Put(t.Context(), key, []byte("{}")); err != nil {
				t.Fatal(err)
			}
		}
		msg := nats.NewMsg(b.Subject("test.x"))
		msg.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupAll)
		_, refused := js.PublishMsg(t.Context(), msg)
		if keys, err := bucket.Keys(t.Context()); refused == nil || err != nil || len(keys) != 2 {
			t.Errorf("%s: %v, %v, %v", b.Name, refused, keys, err)
		}
	}
}

// A run without numbers leaves those that an operator gave before: fewer copies or bytes would throw data away.
func TestWhatNobodyNamesStaysAsItStands(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Cluster(t)[0]))
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	evidence := contracts.EvidenceStream(contracts.Live)
	more := provision.Retention{EvidenceAge: 2 * evidence.MaxAge, EvidenceBytes: evidence.MaxBytes + 1<<30}
	streams := []string{evidence.Name, contracts.MirrorsStream, contracts.KeysBucket.Stream(), contracts.BirthsBucket.Stream()}
	run := func(o provision.Options) {
		t.Helper()
		if err := provision.All(ctx, js, o); err != nil {
			t.Fatal(err)
		}
	}
	check := func(step string, replicas int, age time.Duration, bytes int64) {
		t.Helper()
		for _, name := range streams {
			if got := streamConfig(t, js, name); got.Replicas != replicas {
				t.Errorf("%s: %s has %d copies, want %d", step, name, got.Replicas, replicas)
			}
		}
		if got := streamConfig(t, js, evidence.Name); got.MaxAge != age || got.MaxBytes != bytes {
			t.Errorf("%s: evidence is kept for %s, up to %d bytes, want %s and %d", step, got.MaxAge, got.MaxBytes, age, bytes)
		}
	}
	run(provision.Options{First: true})
	check("new", 1, evidence.MaxAge, evidence.MaxBytes)
	for _, name := range streams { // all streams with three copies would take the processor seconds
		cfg := streamConfig(t, js, name)
		cfg.Replicas = 3
		if _, err := js.UpdateStream(ctx, cfg); err != nil {
			t.Fatal(err)
		}
	}
	run(provision.Options{Retention: more})
	check("limits are named", 3, more.EvidenceAge, more.EvidenceBytes)
	run(provision.Options{})
	check("nothing is named", 3, more.EvidenceAge, more.EvidenceBytes)
	run(provision.Options{Replicas: 1, Retention: provision.Retention{EvidenceBytes: evidence.MaxBytes}})
	check("other numbers are named", 1, more.EvidenceAge, evidence.MaxBytes)
}

func bucketStream(t *testing.T, js jetstream.JetStream, b contracts.Bucket) jetstream.StreamConfig {
	t.Helper()
	return streamConfig(t, js, b.Stream())
}

func streamConfig(t *testing.T, js jetstream.JetStream, name string) jetstream.StreamConfig {
	t.Helper()
	s, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().Config
}
