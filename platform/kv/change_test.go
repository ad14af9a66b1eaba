package kv_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"

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
