package system

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"assay.dev/assay/storecheck"
)

const (
	// maxRecoveryHeap is far more than a recovery needs, which is about 300 bytes a key: 5.5 GB were seen on damaged files.
	maxRecoveryHeap = 2 << 30
	// A recovery may take recoveryTime, and as long as reading the stores at recoveryRate takes.
	recoveryTime = 10 * time.Second
	recoveryRate = 20 << 20 // bytes a second
	recoveryLook = 50 * time.Millisecond
)

// watchRecovery runs start, which reads the stores in dir and says nothing meanwhile, and gives up on it when it takes too
// much memory or time. Start then goes on in its goroutine: the process must end.
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
			return fmt.Errorf("NATS cannot read its stores: it took %d MB of memory; put %s back from a backup", heap>>20, dir)
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
