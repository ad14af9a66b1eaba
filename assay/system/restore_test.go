package system_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
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
	dir, events, answers := t.TempDir(), contracts.EventsStream.Name, contracts.AnswersBucket.Stream()
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	conn, stop, err := system.StartNATS(t.Context(), dir, log)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := system.StartNATS(t.Context(), dir, log); !errors.Is(err, system.ErrRunning) {
		t.Errorf("another one on the same data: %v", err)
	}
	js, err := jetstream.New(conn)
	for _, name := range []string{events, answers} {
		if err == nil {
			_, err = js.CreateStream(t.Context(), jetstream.StreamConfig{Name: name, Subjects: []string{name + ".>"}})
		}
		for range 3 {
			if err == nil {
				_, err = js.Publish(t.Context(), name+".one", []byte("{}"))
			}
		}
	}
	if ended := stop(); err != nil || ended != nil {
		t.Fatal(err, ended)
	}
	flip(t, dir, answers)
	block, whole := flip(t, dir, events)
	if _, _, err = system.StartNATS(t.Context(), dir, log); err == nil || !strings.Contains(err.Error(), "`assay restore BACKUP "+events+"`") {
		t.Errorf("started on a flipped byte: %v", err)
	}
	if now, err := os.ReadFile(block); err != nil || !bytes.Equal(now, whole) {
		t.Errorf("the damaged file was changed: %v", err)
	}
	if !strings.Contains(said.String(), "put aside") || !strings.Contains(said.String(), answers) {
		t.Errorf("a store went aside without a word: %s", &said)
	}
}

// flip changes a byte of a stream that is stored in a data directory, and returns the file and what it holds now.
func flip(t *testing.T, dir, stream string) (file string, holds []byte) {
	t.Helper()
	file = filepath.Join(dir, "nats", filepath.FromSlash(storecheck.Account), stream, "msgs", "1.blk")
	holds, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	holds[len(holds)/2] ^= 1
	if err := os.WriteFile(file, holds, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, holds
}

// onData works with the NATS server of a new data directory, as a restore does.
func onData(t *testing.T, work func(context.Context, *nats.Conn, jetstream.JetStream) error) {
	t.Helper()
	conn, stop, err := system.StartNATS(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
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
