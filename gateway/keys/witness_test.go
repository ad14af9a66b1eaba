package keys_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
	"assay.dev/platform/provision"
)

// A bucket that was made anew behind the gateways' backs is whole by its own numbers. No key is unknown for it: the keys that
// a gateway knows go on as when the bucket does not answer, and a gateway that starts knows none. Where an operator accepts the
// loss, the bucket is right again, and what was in it is unknown.
func TestKeysThatWereLostAreNotUnknown(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	_, running, key := openDirectory(t, srv)
	follow(t, running)
	name := contracts.KeysBucket.Stream()
	if err := js.DeleteStream(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	// as somebody with another tool might
	if err := kv.Provision(t.Context(), js, contracts.KeysBucket, jetstream.StreamConfig{Replicas: 1}); err != nil {
		t.Fatal(err)
	}
	var damage *kv.Damaged
	clocktest.Await(t, "the running gateway sees it", func() bool { return errors.As(running.Damage(), &damage) })
	started, err := keys.OpenDirectory(t.Context(), js, clocktest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = started.Follow(t.Context()) }()
	clocktest.Await(t, "the gateway that starts sees it", func() bool { return errors.As(started.Damage(), &damage) })
	stranger := hashed(t, key)
	stranger[0]++
	for _, c := range []struct {
		name string
		d    *keys.Directory
		h    keys.Hash
		want error
	}{
		{"a known key", running, hashed(t, key), nil},
		{"an unknown key", running, stranger, keys.ErrUnverifiable},
		{"a known key after a start", started, hashed(t, key), keys.ErrUnverifiable},
	} {
		if _, err := c.d.Lookup(t.Context(), c.h, anyone); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := keys.OpenStore(t.Context(), js); !errors.As(err, &damage) {
		t.Errorf("an operator may work on: %v", err)
	}

	if err := js.DeleteStream(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	if err := provision.All(t.Context(), js, provision.Options{Replicas: 1, AcceptLoss: []string{name}}); err != nil {
		t.Fatal(err)
	}
	for _, d := range []*keys.Directory{running, started} {
		clocktest.Await(t, "the loss is accepted", func() bool {
			_, err := d.Lookup(t.Context(), hashed(t, key), anyone)
			return d.Damage() == nil && errors.Is(err, keys.ErrUnknown)
		})
	}
}

// The files of NATS come back as they were before, with all that was seen of them: the keys do too, and what is revoked then is.
func TestKeysThatCameBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct{ lost, made int }{
		"with fewer changes than were lost": {6, 0},
		"with as many":                      {2, 1},
		"with more":                         {2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keysCameBack(t, of.lost, of.made)
		})
	}
}

// keysCameBack loses changes, revokes the key, makes others, and wants the revocation.
func keysCameBack(t *testing.T, lost, made int) {
	srv := bustest.Server(t)
	store, d, key := openDirectory(t, srv)
	opts, saved := bustest.Stop(srv), t.TempDir()
	if err := os.CopyFS(saved, os.DirFS(opts.StoreDir)); err != nil {
		t.Fatal(err)
	}
	srv = bustest.Start(t, opts)
	for range lost / 2 { // each gives the key a new revision, and makes one
		if _, err := store.Rotate(t.Context(), key, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	follow(t, d)
	opts = bustest.Stop(srv)
	if err := os.RemoveAll(opts.StoreDir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(opts.StoreDir, os.DirFS(saved)); err != nil {
		t.Fatal(err)
	}
	bustest.Start(t, opts)
	if err := store.Revoke(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	for range made {
		if _, err := store.Create(t.Context(), acme()); err != nil {
			t.Fatal(err)
		}
	}
	clocktest.Await(t, "the revocation arrives", func() bool {
		_, err := d.Lookup(t.Context(), hashed(t, key), anyone)
		return errors.Is(err, keys.ErrRevoked)
	})
	clocktest.Await(t, "the copy is current", func() bool { return d.Age() < 2*time.Second })
}
