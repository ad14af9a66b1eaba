package kv

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/clock"
)

// The pause after a conflict is random and doubles each time, from minPause to maxPause at most. Where an attempt
// itself is slow, such as 100 ms on a busy machine, the pause is up to crowd attempts long: otherwise all writers are
// under way at once, each spoils the others' attempts, and of 64 writers one in 64 attempts succeeds.
const (
	minPause  = 4 * time.Millisecond
	maxPause  = 250 * time.Millisecond
	crowd     = 16
	slowPause = 4 * time.Second
)

// RetryConflicts makes a compare-and-set, and makes it again when another writer came first, until ctx ends. Each
// attempt must look at the key anew: a write that was carried out and whose acknowledgement was lost conflicts with its
// own repetition.
func RetryConflicts(ctx context.Context, attempt func() error) error {
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		began := time.Now()
		if err := attempt(); !Conflict(err) {
			return err
		}
		crowded := min(crowd*time.Since(began), slowPause)
		if err := clock.Sleep(ctx, rand.N(max(pause, crowded))); err != nil {
			return err
		}
	}
}

// Change puts what edit makes of a key's value in its place. Edit is given nil when there is no value, and is called
// again when another writer came first: seldom also with its own result in old, when that write's acknowledgement was
// lost and another writer came since. Change ends with ctx, with an error of edit's, or with one that [Retry] gives up
// on.
func Change(ctx context.Context, bucket jetstream.KeyValue, key string, edit func(old []byte) ([]byte, error)) error {
	var unknown []byte // what was written, if at all, whose acknowledgement was lost
	return RetryConflicts(ctx, func() error {
		old, revision, err := Get(ctx, bucket, key)
		if err != nil || unknown != nil && bytes.Equal(old, unknown) {
			return err
		}
		value, err := edit(old)
		if err != nil {
			return err
		}
		return Retry(ctx, func(ctx context.Context) (err error) {
			if revision == 0 {
				_, err = bucket.Create(ctx, key, value)
			} else {
				_, err = bucket.Update(ctx, key, value, revision)
			}
			if err != nil && !Conflict(err) {
				unknown = value
			}
			return err
		})
	})
}

// Get insists on reading a key. It returns nil and revision 0 for a key that is not there; where that decides
// something, ask [Absent] too.
func Get(ctx context.Context, bucket jetstream.KeyValue, key string) (value []byte, revision uint64, err error) {
	err = Retry(ctx, func(ctx context.Context) error {
		entry, err := bucket.Get(ctx, key)
		if err == nil {
			value, revision = entry.Value(), entry.Revision()
		}
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	return value, revision, err
}
