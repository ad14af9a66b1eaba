package system_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/backup"
	"assay.dev/assay/storecheck"
	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/provision"
)

// A stream of many small messages is put back on a data directory. A server that syncs each of them would give that up.
func TestManyMessagesAreRestored(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const many = 60_000
	kept := filepath.Join(t.TempDir(), "backup")
	onData(t, func(ctx context.Context, conn *nats.Conn, js jetstream.JetStream) error {
		if err := provision.All(ctx, js, provision.Options{Replicas: 1, First: true}); err != nil {
			return err
		}
		for range many {
			_, err := js.PublishAsync(contracts.UsageSubject(contracts.LTL).Name, []byte("{}"), jetstream.WithStallWait(clocktest.Patience))
			if err != nil {
				return err
			}
		}
		<-js.PublishAsyncComplete()
		_, err := backup.Write(ctx, conn, kept, io.Discard)
		return err
	})
	onData(t, func(ctx context.Context, conn *nats.Conn, js jetstream.JetStream) error {
		if _, err := backup.Restore(ctx, conn, kept, nil, 1, io.Discard); err != nil {
			return err
		}
		stream, err := js.Stream(ctx, contracts.UsageStream.Name)
		if err == nil && stream.CachedInfo().State.Msgs != many {
			t.Errorf("%d of %d messages were put back", stream.CachedInfo().State.Msgs, many)
		}
		return err
	})
}

// A restore starts NATS on whole files alone: the server would cut a damaged one in silence. Where one runs, it says so.
func TestARestoreStartsNoServerOnDamage(t *testing.T) {
	t.Parallel()
	dir, events := t.TempDir(), contracts.EventsStream.Name
	conn, stop, err := system.StartNATS(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := system.StartNATS(t.Context(), dir); !errors.Is(err, system.ErrRunning) {
		t.Errorf("another one on the same data: %v", err)
	}
	js, err := jetstream.New(conn)
	if err == nil {
		_, err = js.CreateStream(t.Context(), jetstream.StreamConfig{Name: events, Subjects: []string{"events.>"}})
	}
	for range 3 {
		if err == nil {
			_, err = js.Publish(t.Context(), "events.one", []byte("{}"))
		}
	}
	if ended := stop(); err != nil || ended != nil {
		t.Fatal(err, ended)
	}
	block := filepath.Join(dir, "nats", filepath.FromSlash(storecheck.Account), events, "msgs", "1.blk")
	whole, err := os.ReadFile(block)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(block, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err = system.StartNATS(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "`assay restore BACKUP "+events+"`") {
		t.Errorf("started on a flipped byte: %v", err)
	}
	if now, err := os.ReadFile(block); err != nil || !bytes.Equal(now, whole) {
		t.Errorf("the damaged file was changed: %v", err)
	}
}

// onData works with the NATS server of a new data directory, as a restore does.
func onData(t *testing.T, work func(context.Context, *nats.Conn, jetstream.JetStream) error) {
	t.Helper()
	conn, stop, err := system.StartNATS(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(1000))
	if err == nil {
		err = work(t.Context(), conn, js)
	}
	if ended := stop(); err != nil || ended != nil {
		t.Fatal(err, ended)
	}
}
