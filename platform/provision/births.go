package provision

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// Births is the record of the streams that were made and must last, with the moment at which that was first noticed.
type Births interface {
	// Read returns nil when there is no record at all.
	Read(ctx context.Context) (map[string]time.Time, error)
	// Write replaces the record as a whole or not at all.
	Write(ctx context.Context, born map[string]time.Time) error
}

// FileBirths keeps the record in a file of that name, beside the data of a server that stands alone.
type FileBirths string

// Read reads the file.
func (f FileBirths) Read(context.Context) (map[string]time.Time, error) {
	text, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return decodeBirths(text, string(f))
}

// Write writes another file, syncs it to the disk and puts it in the place of the old one.
func (f FileBirths) Write(_ context.Context, born map[string]time.Time) error {
	text, err := json.MarshalIndent(born, "", "  ")
	if err != nil {
		return err
	}
	next := string(f) + ".next"
	if err := writeSynced(next, append(text, '\n')); err != nil {
		return err
	}
	if err := os.Rename(next, string(f)); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(string(f)))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func writeSynced(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}

func decodeBirths(text []byte, where string) (map[string]time.Time, error) {
	born := map[string]time.Time{}
	if err := json.Unmarshal(text, &born); err != nil {
		return nil, fmt.Errorf("the record of births, %s, cannot be read: %w", where, err)
	}
	return born, nil
}

// bucketBirths keeps the record in [contracts.BirthsBucket], which only the NATS user "provision" may write.
type bucketBirths struct {
	js       jetstream.JetStream
	replicas int
	known    map[string]time.Time // as it was read; nil where there was none
}

// birthsKey is the only key of the bucket: the record is replaced as a whole.
const birthsKey = "streams"

// Read returns nil when there is no bucket, or when nothing was ever written to it.
func (b *bucketBirths) Read(ctx context.Context) (map[string]time.Time, error) {
	bucket, err := b.js.KeyValue(ctx, contracts.BirthsBucket.Name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, _, err := kv.Get(ctx, bucket, birthsKey)
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, kv.Absent(ctx, b.js, bucket, birthsKey)
	}
	b.known, err = decodeBirths(text, "bucket "+contracts.BirthsBucket.Name)
	return b.known, err
}

// Write makes the bucket when it is missing, and gives it its copies. It writes only what is new: another run, of a newer
// version, may have written more meanwhile.
func (b *bucketBirths) Write(ctx context.Context, born map[string]time.Time) error {
	if err := kv.Provision(ctx, b.js, contracts.BirthsBucket, jetstream.StreamConfig{Replicas: b.replicas}); err != nil {
		return err
	}
	if b.known != nil && maps.Equal(b.known, born) {
		return nil
	}
	bucket, err := b.js.KeyValue(ctx, contracts.BirthsBucket.Name)
	if err != nil {
		return err
	}
	text, err := json.Marshal(born)
	if err != nil {
		return err
	}
	return kv.Retry(ctx, func(ctx context.Context) error {
		_, err := bucket.Put(ctx, birthsKey, text)
		return err
	})
}
