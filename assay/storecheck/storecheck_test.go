package storecheck_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/storecheck"
	"assay.dev/platform/clock/clocktest"
)

// serve runs a NATS server on dir while f works on it.
func serve(t *testing.T, dir string, f func(context.Context, jetstream.JetStream)) {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: dir,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	conn, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
	defer cancel()
	f(ctx, js)
}

// filled is a store directory with a stream, and a bucket whose keys were overwritten and deleted.
func filled(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	serve(t, dir, func(ctx context.Context, js jetstream.JetStream) {
		if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "EVENTS", Subjects: []string{"events.*"}}); err != nil {
			t.Fatal(err)
		}
		kv, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "values", LimitMarkerTTL: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			if _, err := js.Publish(ctx, "events.one", fmt.Appendf(nil, `{"n":%d}`, i), jetstream.WithMsgID(fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
			if _, err := kv.Put(ctx, fmt.Sprintf("test.%d", i%40), fmt.Appendf(nil, `{"n":%d}`, i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(kv.Delete(ctx, "test.7"), kv.Purge(ctx, "test.8")); err != nil {
			t.Fatal(err)
		}
	})
	return dir
}

func verify(t *testing.T, dir, name string) error {
	t.Helper()
	streams, err := storecheck.Streams(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range streams {
		if s.Name == name {
			_, err := s.Verify(context.Background(), true)
			return err
		}
	}
	t.Fatalf("no stream %s in %v", name, streams)
	return nil
}

func block(dir, stream string) string {
	return filepath.Join(dir, filepath.FromSlash(storecheck.Account), stream, "msgs", "1.blk")
}

func TestAWholeStoreIsWhole(t *testing.T) {
	dir := filled(t)
	for range 2 {
		for _, name := range []string{"EVENTS", "KV_values"} {
			if err := verify(t, dir, name); err != nil {
				t.Error(err)
			}
		}
		serve(t, dir, func(context.Context, jetstream.JetStream) {}) // another start and stop
	}
}

func TestNoStoreIsNoDamage(t *testing.T) {
	if streams, err := storecheck.Streams(t.TempDir()); err != nil || len(streams) > 0 {
		t.Error(streams, err)
	}
}

// Every bit of a block counts: also those that the server's checksum leaves out, and those of the last record, which must
// not pass for a write that was interrupted.
func TestEveryFlippedBitOfABlockIsSeen(t *testing.T) {
	dir := filled(t)
	random := rand.New(rand.NewPCG(11, 5))
	for _, name := range []string{"EVENTS", "KV_values"} {
		file := block(dir, name)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		places := []int{}
		for at := max(0, len(whole)-200); at < len(whole); at++ {
			places = append(places, at)
		}
		for range 500 {
			places = append(places, random.IntN(len(whole)))
		}
		for _, at := range places {
			damaged := append([]byte(nil), whole...)
			damaged[at] ^= 1 << random.IntN(8)
			if err := os.WriteFile(file, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			var damage *storecheck.Damage
			if err := verify(t, dir, name); !errors.As(err, &damage) || damage.Stream != name {
				t.Errorf("%s: byte %d of %d, %08b for %08b: %v", name, at, len(whole), damaged[at], whole[at], err)
			}
		}
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDamage(t *testing.T) {
	for name, tt := range map[string]struct {
		harm func(dir string) error
		want string // "" for no damage
	}{
		"no description": {func(dir string) error { return os.Remove(filepath.Join(dir, "meta.inf")) }, "meta.inf: it cannot be read"},
		"no checksum":    {func(dir string) error { return os.Remove(filepath.Join(dir, "meta.sum")) }, "meta.sum: it cannot be read"},
		"another description": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "meta.inf"), []byte("{}"), 0o600)
		}, "meta.inf: its checksum is wrong"},
		"the newest messages are cut off": {func(dir string) error { return cut(dir, 24) }, "the messages 277 to 300"},
		"all blocks are gone": {func(dir string) error {
			return os.Remove(filepath.Join(dir, "msgs", "1.blk"))
		}, "the messages 1 to 300"},
		"a damaged index is made anew": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "msgs", "index.db"), []byte(strings.Repeat("x", 99)), 0o600)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filled(t)
			if err := tt.harm(filepath.Join(dir, filepath.FromSlash(storecheck.Account), "EVENTS")); err != nil {
				t.Fatal(err)
			}
			err := verify(t, dir, "EVENTS")
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v", err)
			}
		})
	}
}

// cut takes the last records off, which are found by their sequence: each record is as long as the one before it or a bit
// longer.
func cut(dir string, records int) error {
	file := filepath.Join(dir, "msgs", "1.blk")
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var starts []int
	for at := 0; at < len(content); {
		starts = append(starts, at)
		at += int(uint32(content[at]) | uint32(content[at+1])<<8 | uint32(content[at+2])<<16)
	}
	return os.WriteFile(file, content[:starts[len(starts)-records]], 0o600)
}

// A write that a power cut interrupted was told to nobody as stored.
func TestAnInterruptedWriteIsNoDamage(t *testing.T) {
	dir := filled(t)
	file := block(dir, "EVENTS")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	record := append([]byte(nil), whole[:90]...) // longer than the first record, of the form of a next one
	for length := 1; length < 40; length++ {
		if err := os.WriteFile(file, append(append([]byte(nil), whole...), record[:length]...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := verify(t, dir, "EVENTS"); err != nil {
			t.Errorf("%d bytes of a record: %v", length, err)
		}
		events := storecheck.Stream{Name: "EVENTS", Dir: filepath.Dir(filepath.Dir(file))}
		torn, err := events.Verify(t.Context(), true)
		if err == nil {
			err = torn.Cut()
		}
		if left, _ := os.ReadFile(file); err != nil || !bytes.Equal(left, whole) {
			t.Errorf("%d bytes of a record: %d of %d are left, %v", length, len(left), len(whole), err)
		}
	}
}
