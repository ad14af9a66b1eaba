package kv_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"assay.dev/platform/kv"
	"assay.dev/platform/provision"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

func TestStreamDamage(t *testing.T) {
	t.Parallel()
	state := func(msgs, first, last uint64, deleted int, subjects uint64) jetstream.StreamState {
		return jetstream.StreamState{Msgs: msgs, FirstSeq: first, LastSeq: last, NumDeleted: deleted, NumSubjects: subjects}
	}
	for name, tt := range map[string]struct {
		stream  string
		state   jetstream.StreamState
		damaged bool
	}{
		"empty":                         {contracts.UsageStream.Name, state(0, 0, 0, 0, 0), false},
		"whole":                         {contracts.UsageStream.Name, state(2001, 1, 2001, 0, 2), false},
		"old ones dropped":              {contracts.UsageStream.Name, state(1000, 1002, 2001, 0, 2), false},
		"all dropped by age":            {contracts.UsageStream.Name, state(0, 2002, 2001, 0, 0), false},
		"half is gone":                  {contracts.UsageStream.Name, state(1002, 1, 2001, 999, 2), true},
		"half is gone, untold":          {contracts.EventsStream.Name, state(1002, 1, 2001, 0, 2), true},
		"all are gone":                  {contracts.UsageStream.Name, state(0, 1, 2001, 0, 0), true},
		"a work queue loses by right":   {contracts.JobsStream.Name, state(1, 1, 9, 7, 1), false},
		"overwritten entries":           {contracts.KeysBucket.Stream(), state(3, 1, 9, 6, 3), false},
		"a key without its entry":       {contracts.KeysBucket.Stream(), state(2, 1, 9, 6, 3), true},
		"two entries of one key":        {contracts.KeysBucket.Stream(), state(4, 1, 9, 5, 3), true},
		"history":                       {contracts.WeeksBucket.Stream(), state(16, 1, 20, 4, 1), false},
		"more than the history":         {contracts.WeeksBucket.Stream(), state(17, 1, 20, 3, 1), true},
		"a stream that is none of ours": {"OTHER", state(1, 1, 9, 7, 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			info := &jetstream.StreamInfo{Config: jetstream.StreamConfig{Name: tt.stream}, State: tt.state}
			var damage *kv.Damaged
			if err := kv.StreamDamage(info); (err != nil) != tt.damaged || err != nil && !errors.As(err, &damage) {
				t.Errorf("%v", err)
			}
		})
	}
}

// damagedServer stores n messages or entries by write, stops, harms the first block of the stream and starts again:
// NATS then cuts away what follows.
func damagedServer(t *testing.T, stream string, write func(jetstream.JetStream)) jetstream.JetStream {
	t.Helper()
	dir := t.TempDir()
	serve := func() *server.Server {
		srv, err := server.NewServer(&server.Options{
			Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: dir,
			JetStreamMaxStore: 64 << 30,
		})
		if err != nil {
			t.Fatal(err)
		}
		srv.Start()
		t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
		return srv
	}
	srv := serve()
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	if err := provision.All(within(t, clocktest.Patience), js, provision.Options{Replicas: 1, First: true}); err != nil {
		t.Fatal(err)
	}
	write(js)
	srv.Shutdown()
	srv.WaitForShutdown()
	messages := filepath.Join(dir, "jetstream", "$G", "streams", stream, "msgs")
	content, err := os.ReadFile(filepath.Join(messages, "1.blk"))
	if err != nil {
		t.Fatal(err)
	}
	content[bytes.LastIndex(content, []byte("harm-me"))]++
	if err := errors.Join(os.WriteFile(filepath.Join(messages, "1.blk"), content, 0o600),
		os.Remove(filepath.Join(messages, "index.db"))); err != nil {
		t.Fatal(err)
	}
	return bustest.JetStream(t, bustest.Connect(t, serve()))
}

// The server itself says that it lost something: the numbers of a bucket alone would not show it.
func TestABucketThatLostEntriesIsDamaged(t *testing.T) {
	t.Parallel()
	js := damagedServer(t, contracts.KeysBucket.Stream(), func(js jetstream.JetStream) {
		bucket, err := js.KeyValue(t.Context(), contracts.KeysBucket.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			value := "good"
			if i == 10 {
				value = "harm-me"
			}
			if _, err := bucket.PutString(t.Context(), fmt.Sprintf("key%d", i), value); err != nil {
				t.Fatal(err)
			}
		}
	})
	var damage *kv.Damaged
	if err := kv.CheckLasting(within(t, clocktest.Patience), js); !errors.As(err, &damage) ||
		damage.Stream != contracts.KeysBucket.Stream() {
		t.Errorf("%v", err)
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ctx := within(t, clocktest.Patience)
	bucket, err := js.KeyValue(ctx, contracts.WeeksBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		if _, err := bucket.PutString(ctx, fmt.Sprintf("live.%d.week", i%3), "value"); err != nil {
			t.Fatal(err)
		}
	}
	if err := bucket.Delete(ctx, "live.2.week"); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]int{jetstream.AllKeys: 3, "live.1.*": 1, "test.*.*": 0} {
		if got, err := kv.Entries(ctx, js, bucket, pattern); err != nil || len(got) != want {
			t.Errorf("%s: %d entries, want %d: %v", pattern, len(got), want, err)
		}
	}
	for _, key := range []string{"live.2.week", "live.9.week"} {
		if err := kv.Absent(ctx, js, bucket, key); err != nil {
			t.Errorf("%s is absent: %v", key, err)
		}
	}
}
