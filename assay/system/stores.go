package system

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"assay.dev/assay/storecheck"
	"assay.dev/contracts"
)

// damagedDir is the folder of ASSAY_DATA into which damaged stores are moved.
const damagedDir = "damaged"

// checkingTime is after how long a log line says that the check still runs. A store of several gigabytes takes a
// while.
const checkingTime = 5 * time.Second

// checkStores reads all that an earlier run stored, before the NATS server does: the server would cut damaged parts
// away without a word. A damaged store that can be made anew, such as the cache, is moved away. Damage to any other
// store, such as the keys, is an error that ends the start.
func (d *data) checkStores(ctx context.Context, log *slog.Logger) error {
	dir := d.path("nats")
	streams, err := storecheck.Streams(dir)
	if err != nil {
		return fmt.Errorf("reading the stores: %w", err)
	}
	var bytes int64
	for _, stream := range streams {
		bytes += stream.Bytes
	}
	slow := time.AfterFunc(checkingTime, func() {
		log.Warn("the stores are still being checked", "directory", dir, "megabytes", bytes>>20)
	})
	defer slow.Stop()
	damage := make([]error, len(streams))
	var checks sync.WaitGroup
	for i, stream := range streams {
		checks.Go(func() { damage[i] = checkStore(ctx, stream) })
	}
	checks.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, stream := range streams {
		damage[i] = d.putAside(log, stream, damage[i])
	}
	return errors.Join(damage...)
}

// quoted is a path as a shell takes it, which would put the value of a variable in the place of NATS's folder $G.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// timers is the file in which NATS keeps when each entry with a TTL of its own ends. It has no checksum, and a
// damaged one could end the wrong entries. NATS makes it anew from the messages.
const timers = "msgs/thw.db"

// checkStore verifies one store, cuts off a write at its end that was interrupted, and removes its timers.
func checkStore(ctx context.Context, stream storecheck.Stream) error {
	torn, err := stream.Verify(ctx, !contracts.Disposable(stream.Name))
	if err != nil {
		return err
	}
	if err := torn.Cut(); err != nil {
		return err
	}
	return removeIfThere(filepath.Join(stream.Dir, timers))
}

// putAside moves a damaged store away when all that it holds can be made anew. For any other store it changes
// nothing, and the error says what to do.
func (d *data) putAside(log *slog.Logger, stream storecheck.Stream, damage error) error {
	if damage == nil {
		return nil
	}
	aside := filepath.Join(d.path(damagedDir), stream.Name+"-"+time.Now().UTC().Format("20060102T150405"))
	if !contracts.Disposable(stream.Name) {
		return fmt.Errorf("a store is damaged: %w\n"+
			"Nothing was changed. Move its folder away by `mkdir -p %s && mv %s %s`, and put the stream back by "+
			"`assay restore BACKUP %s`. Without a backup say `assay up --accept-loss %[5]s`: that begins with an "+
			"empty store, and what it held is lost",
			damage, quoted(filepath.Dir(aside)), quoted(stream.Dir), quoted(aside), stream.Name)
	}
	if err := os.MkdirAll(filepath.Dir(aside), 0o700); err != nil {
		return err
	}
	if err := os.Rename(stream.Dir, aside); err != nil {
		return err
	}
	log.Warn("a damaged store was put aside and begins anew", "stream", stream.Name, "error", damage, "folder", aside)
	return nil
}
