package system_test

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/backup"
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
