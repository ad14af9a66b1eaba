package backup

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/jsm.go"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// Write backs up every stream that must last to dir, which must not exist. Only its owner may read it: it holds all
// that is known of keys, and the tenants' usage. It fails, and removes dir, when a stream is damaged: the backup before
// is better. Progress is told a line for each stream.
func Write(ctx context.Context, conn *nats.Conn, dir string, progress io.Writer) (m *Manifest, err error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	m = &Manifest{Form: form, Began: time.Now().UTC(), Lost: lost}
	for _, name := range order {
		began := time.Now()
		s, err := writeStore(ctx, conn, js, dir, name)
		if err != nil {
			return nil, fmt.Errorf("stream %s: %w", name, err)
		}
		s.Seconds = time.Since(began).Seconds()
		fmt.Fprintf(progress, "%-22s %8d messages, up to %d, %.2f s\n", name, s.Messages, s.Last, s.Seconds)
		m.Stores = append(m.Stores, s)
	}
	m.Ended = time.Now().UTC()
	return m, m.writeFile(dir)
}

// Whole tells whether a backup in dir was written to its end.
func Whole(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifestFile))
	return err == nil
}

func writeStore(ctx context.Context, conn *nats.Conn, js jetstream.JetStream, dir, name string) (s Store, err error) {
	isSound := func(ctx context.Context) error { return kv.CheckStream(ctx, js, name) }
	if err := kv.RetryAtStart(ctx, isSound); err != nil {
		return s, err
	}
	if b, ok := bucketOf(name); ok {
		s, err = writeBucket(ctx, js, dir, b)
	} else {
		s, err = writeSnapshot(ctx, conn, js, dir, name)
	}
	if err != nil {
		return s, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return s, err
	}
	defer root.Close()
	s.Files = map[string]string{}
	for _, file := range filesOf(name) {
		if err := root.Chmod(filepath.FromSlash(file), 0o600); err != nil { // the snapshot's may be read by everybody
			return s, err
		}
		if s.Files[file], err = hashFile(root, file); err != nil {
			return s, err
		}
	}
	return s, nil
}

func entriesFile(b contracts.Bucket) string { return b.Stream() + ".jsonl.gz" }

func writeBucket(ctx context.Context, js jetstream.JetStream, dir string, b contracts.Bucket) (Store, error) {
	f, err := os.OpenFile(filepath.Join(dir, entriesFile(b)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return Store{}, err
	}
	zipped := gzip.NewWriter(f)
	s, err := readEntries(ctx, js, b, zipped)
	return s, errors.Join(err, zipped.Close(), f.Sync(), f.Close())
}

// exchangeTime bounds one exchange of a snapshot.
const exchangeTime = 30 * time.Second

// writeSnapshot lets the server write the stream to a folder of its name. A stream that is damaged in the middle fails
// the server's own check of its messages.
func writeSnapshot(ctx context.Context, conn *nats.Conn, js jetstream.JetStream, dir, name string) (Store, error) {
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return Store{}, err
	}
	before := stream.CachedInfo().State // what the snapshot holds at least
	s := Store{Stream: name, Messages: before.Msgs, First: before.FirstSeq, Last: before.LastSeq, LastAt: before.LastTime}
	manager, err := jsm.New(conn, jsm.WithTimeout(exchangeTime))
	if err != nil {
		return s, err
	}
	source, err := manager.LoadStream(name)
	if err != nil {
		return s, err
	}
	if _, err := source.SnapshotToDirectory(ctx, filepath.Join(dir, name), jsm.SnapshotHealthCheck()); err != nil {
		return s, err
	}
	return s, nil
}
