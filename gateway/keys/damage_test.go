package keys_test

import (
	"errors"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/bustest"
	"assay.dev/platform/kv"
)

// A record that cannot be understood is somebody's key: nobody is told that it is unknown, and no list is shorter for
// it.
func TestADamagedRecordIsNotAnUnknownKey(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	store, directory, good := openDirectory(t, srv)
	key, err := store.Create(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := bustest.JetStream(t, bustest.Connect(t, srv)).KeyValue(t.Context(), contracts.KeysBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bucket.PutString(t.Context(), hashed(t, key).String(), `"tenant":"acme"}`); err != nil {
		t.Fatal(err)
	}
	var damage *kv.Damaged
	if listed, err := store.List(t.Context()); !errors.As(err, &damage) {
		t.Errorf("listed %v, %v", listed, err)
	}
	follow(t, directory)
	if err := directory.Damage(); !errors.As(err, &damage) {
		t.Errorf("the copy is not damaged: %v", err)
	}
	if _, err := directory.Lookup(t.Context(), hashed(t, key), anyone); !errors.Is(err, keys.ErrUnverifiable) {
		t.Errorf("the damaged key: %v", err)
	}
	if _, err := directory.Lookup(t.Context(), hashed(t, good), anyone); err != nil {
		t.Errorf("the good key: %v", err)
	}
	unknown := hashed(t, key)
	unknown[0]++
	if _, err := directory.Lookup(t.Context(), unknown, anyone); !errors.Is(err, keys.ErrUnverifiable) {
		t.Errorf("a key that the bucket may have lost: %v", err)
	}
	if _, err := directory.ByID(unknown.ID()); !errors.Is(err, keys.ErrUnverifiable) {
		t.Errorf("the id of a key that the bucket may have lost: %v", err)
	}
}
