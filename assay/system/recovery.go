package system

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"assay.dev/assay/storecheck"
)

const (
	// maxRecoveryHeap is far more than a recovery needs: about 300 bytes for each key. On damaged files a recovery took
	// 5.5 GB.
	maxRecoveryHeap = 2 << 30
	// A recovery may take recoveryTime, and one second more for each recoveryRate bytes of the stores.
	recoveryTime = 10 * time.Second
	recoveryRate = 20 << 20 // bytes a second
	// recoveryLook is the pause between two looks at the memory and the time that a recovery takes.
	recoveryLook = 50 * time.Millisecond
)

// watchRecovery calls start and waits for it. Start reads the stores in dir and cannot be stopped. When it takes too
// much memory or time, watchRecovery returns an error while start still runs: the process must end then.
func watchRecovery(ctx context.Context, dir string, start func()) error {
	streams, err := storecheck.Streams(dir)
	if err != nil {
		return err
	}
	allowed := recoveryTime
	for _, s := range streams {
		allowed += time.Duration(s.Bytes/recoveryRate) * time.Second
	}
	done := make(chan struct{})
	go func() { defer close(done); start() }()
	return watch(ctx, dir, done, time.Now().Add(allowed), maxRecoveryHeap)
}

// watch waits until done is closed. It returns an error when ctx or the time ends before, or the heap grows beyond
// maxHeap.
func watch(ctx context.Context, dir string, done <-chan struct{}, end time.Time, maxHeap uint64) error {
	look := time.NewTicker(recoveryLook)
	defer look.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-look.C:
		}
		switch heap := heapBytes(); {
		case heap > maxHeap:
			return fmt.Errorf("NATS cannot read its stores: it took %d MB of memory; put %s back from a backup",
				heap>>20, dir)
		case time.Now().After(end):
			return fmt.Errorf("NATS cannot read its stores in time; put %s back from a backup", dir)
		}
	}
}

func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
