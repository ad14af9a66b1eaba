package credits

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/kv"
)

// A ledger that is gone is not one of which nothing was spent, and one from a backup does not know what was spent since.
func TestALedgerThatShowsLessGrantsNothing(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	js, b := bustest.JetStream(t, bustest.Connect(t, srv)), contracts.CreditsBucket
	ledger := open(t, srv, 10, false)
	spend := func(id string) error { _, _, err := ledger.Reserve(t.Context(), id, 4); return err }
	for _, err := range []error{spend("a"), ledger.Attest(t.Context()), kv.Attest(t.Context(), js, b.Stream(), nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	made := func(first uint64) {
		t.Helper()
		how := jetstream.StreamConfig{Replicas: 1, FirstSeq: first}
		if err := errors.Join(js.DeleteStream(t.Context(), b.Stream()), kv.Provision(t.Context(), js, b, how)); err != nil {
			t.Fatal(err)
		}
	}
	var damage *kv.Damaged
	made(0)
	if err := spend("b"); !errors.As(err, &damage) {
		t.Errorf("a bucket that begins anew: %v", err)
	}
	made(100)
	if err := spend("b"); !errors.As(err, &damage) {
		t.Errorf("a bucket without this month: %v", err)
	}
	if err := kv.Forget(t.Context(), js, b.Stream(), kv.Witness{Restored: time.Now()}); err != nil {
		t.Fatal(err)
	}
	if err := spend("b"); !errors.Is(err, ErrUncounted) {
		t.Errorf("a restored ledger: %v", err)
	}
	if err := Confirm(t.Context(), js); err != nil {
		t.Fatal(err)
	}
	if err := spend("b"); err != nil {
		t.Errorf("a confirmed ledger: %v", err)
	}
}
