package kv_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

// However many change a key at once, no change is lost; a deleted key is like one that never was.
func TestChangesAreNotLost(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ctx := within(t, clocktest.Patience)
	bucket, err := kv.Open(ctx, js, contracts.CreditsBucket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bucket.Put(ctx, "n", []byte("1000")); err != nil {
		t.Fatal(err)
	}
	if err := bucket.Delete(ctx, "n"); err != nil {
		t.Fatal(err)
	}
	const writers, changes = 8, 10
	var running sync.WaitGroup
	for range writers {
		running.Go(func() {
			for range changes {
				err := kv.Change(ctx, bucket, "n", func(old []byte) ([]byte, error) {
					if old == nil {
						return []byte("1"), nil
					}
					n, err := strconv.Atoi(string(old))
					return strconv.AppendInt(nil, int64(n+1), 10), err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	if value, _, err := kv.Get(ctx, bucket, "n"); err != nil || string(value) != strconv.Itoa(writers*changes) {
		t.Errorf("%s, %v", value, err)
	}
	no := errors.New("no")
	if err := kv.Change(ctx, bucket, "n", func([]byte) ([]byte, error) { return nil, no }); !errors.Is(err, no) {
		t.Errorf("an edit that fails: %v", err)
	}
}

// A change that is stored, and whose acknowledgement is lost, is made once.
func TestAChangeIsMadeOnceThoughItsAcknowledgementIsLost(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ctx := within(t, clocktest.Patience)
	bucket, err := kv.Open(ctx, js, contracts.CreditsBucket)
	if err != nil {
		t.Fatal(err)
	}
	acknowledge := func(is bool) (written uint64) {
		stream, err := js.Stream(ctx, contracts.CreditsBucket.Stream())
		if err != nil {
			t.Fatal(err)
		}
		cfg := stream.CachedInfo().Config
		cfg.NoAck = !is
		if _, err := js.UpdateStream(ctx, cfg); err != nil {
			t.Fatal(err)
		}
		return stream.CachedInfo().State.LastSeq
	}
	for n, want := range []string{"x", "xx"} { // one that is new, and one that is there
		acknowledge(false)
		changed := make(chan error, 1)
		go func() {
			changed <- kv.Change(ctx, bucket, "k", func(old []byte) ([]byte, error) { return append(old, 'x'), nil })
		}()
		clocktest.Await(t, "it is written", func() bool { return acknowledge(false) == uint64(n+1) })
		acknowledge(true)
		if err := <-changed; err != nil {
			t.Fatal(err)
		}
		if value, _, err := kv.Get(ctx, bucket, "k"); err != nil || string(value) != want {
			t.Errorf("%q, want %q, %v", value, want, err)
		}
	}
}

// behind is a bucket whose first update is carried out and not acknowledged, and whose next reading then is of before.
type behind struct {
	jetstream.KeyValue
	before jetstream.KeyValueEntry
	isLost bool
}

func (b *behind) Update(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	revision, err := b.KeyValue.Update(ctx, key, value, last)
	if !b.isLost {
		b.isLost, err = true, nats.ErrTimeout
	}
	return revision, err
}

func (b *behind) Get(ctx context.Context, key string) (e jetstream.KeyValueEntry, err error) {
	if e = b.before; b.isLost && e != nil {
		b.before = nil
		return e, nil
	}
	return b.KeyValue.Get(ctx, key)
}

// A change whose acknowledgement is lost is made once, also where a replica answers that does not have it yet.
func TestAChangeIsMadeOnceThoughAReplicaIsBehind(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ctx := within(t, clocktest.Patience)
	bucket, err := kv.Open(ctx, js, contracts.CreditsBucket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bucket.PutString(ctx, "k", "x"); err != nil {
		t.Fatal(err)
	}
	before, err := bucket.Get(ctx, "k")
	if err != nil {
		t.Fatal(err)
	}
	err = kv.Change(ctx, &behind{KeyValue: bucket, before: before}, "k", func(old []byte) ([]byte, error) {
		return append(old, 'x'), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if value, _, err := kv.Get(ctx, bucket, "k"); err != nil || string(value) != "xx" {
		t.Errorf("%q, %v", value, err)
	}
}
