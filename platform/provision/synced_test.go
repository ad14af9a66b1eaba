package provision_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/provision"
)

// Streams that are made anew are acknowledged before they are synced; otherwise they are as Provision makes them.
func TestProvisionSynced(t *testing.T) {
	t.Parallel()
	srv, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true,
		JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 64 << 30, SyncAlways: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	for range 2 {
		if err := provision.All(ctx, js, provision.Options{Replicas: 1, Synced: true, First: true}); err != nil {
			t.Fatal(err)
		}
	}
	usual := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	for _, b := range contracts.Buckets {
		got, want := bucketStream(t, js, b), bucketStream(t, usual, b)
		if (b.Disposable && !b.Momentary) != (got.PersistMode == jetstream.AsyncPersistMode) {
			t.Errorf("%s: disposable %t, persist mode %v", b.Name, b.Disposable, got.PersistMode)
		}
		if b.Momentary != (got.Storage == jetstream.MemoryStorage) {
			t.Errorf("%s: momentary %t, storage %v", b.Name, b.Momentary, got.Storage)
		}
		got.Storage = want.Storage
		got.PersistMode = want.PersistMode
		got.Metadata, want.Metadata = nil, nil // the level of the server's interface that it needs
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%+v, want\n%+v", b.Name, got, want)
		}
	}
}
