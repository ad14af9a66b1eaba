package backup

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/jsm.go"
	"github.com/nats-io/jsm.go/api"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// Restore puts the named streams back, or all of the backup when none is named, each as many times as replicas says. It
// changes nothing when one of them stands already, or when a file of the backup is damaged. A stream that an earlier
// restore left in part is put back anew. Keys and ledgers that were put back wait for an operator: see [kv.Forget].
func Restore(ctx context.Context, conn *nats.Conn, dir string, names []string, replicas int,
	progress io.Writer) (*Manifest, error) {
	m, err := Read(dir)
	if err != nil {
		return nil, err
	}
	stores, err := m.choose(names)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	if err := nothingStands(ctx, js, stores); err != nil {
		return nil, err
	}
	if _, err := kv.Open(ctx, js, contracts.WitnessesBucket); errors.Is(err, jetstream.ErrBucketNotFound) {
		err = kv.Provision(ctx, js, contracts.WitnessesBucket, jetstream.StreamConfig{Replicas: replicas})
		if err != nil {
			return nil, err
		}
	}
	for _, s := range slices.Backward(stores) {
		began := time.Now()
		if err := s.restore(ctx, conn, js, dir, replicas); err != nil {
			return nil, fmt.Errorf("stream %s: %w", s.Stream, err)
		}
		if err := kv.Forget(ctx, js, s.Stream, m.witness(s.Stream)); err != nil {
			return nil, err
		}
		fmt.Fprintf(progress, "%-22s %8d messages, %.2f s\n", s.Stream, s.Messages, time.Since(began).Seconds())
	}
	return m, nil
}

// choose returns the stores of that names, all for none.
func (m *Manifest) choose(names []string) ([]Store, error) {
	for _, name := range names {
		if !slices.ContainsFunc(m.Stores, func(s Store) bool { return s.Stream == name }) {
			return nil, fmt.Errorf("the backup holds no stream %s", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(m.Stores), func(s Store) bool {
		return len(names) > 0 && !slices.Contains(names, s.Stream)
	}), nil
}

// witness is what is known of a stream that was put back just now: some an operator must confirm, and of usage bills
// tell what is missing.
func (m *Manifest) witness(stream string) (w kv.Witness) {
	switch stream {
	case contracts.KeysBucket.Stream(), contracts.CreditsBucket.Stream():
		w.Restored = m.Began
	case contracts.UsageStream.Name:
		w.Gap = kv.Gap{From: m.Began, To: time.Now()}
	}
	return w
}

func nothingStands(ctx context.Context, js jetstream.JetStream, stores []Store) error {
	var standing, wanted []string
	for _, s := range stores {
		_, err := js.Stream(ctx, s.Stream)
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("stream %s: %w", s.Stream, err)
		}
		if seen, unread := kv.ReadWitness(ctx, js, s.Stream); err != nil || unread == nil && seen.Half {
			wanted = append(wanted, s.Stream)
		} else {
			standing = append(standing, s.Stream)
		}
	}
	if len(standing) > 0 {
		return fmt.Errorf("%s: there already, and nothing was changed; name the streams that are to be put back: %s",
			strings.Join(standing, ", "), cmp.Or(strings.Join(wanted, " "), "none is missing"))
	}
	return nil
}

func (s Store) restore(ctx context.Context, conn *nats.Conn, js jetstream.JetStream, dir string, replicas int) error {
	seen, err := kv.ReadWitness(ctx, js, s.Stream)
	if err != nil {
		return err
	}
	if seen.Half {
		if err := js.DeleteStream(ctx, s.Stream); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	b, isBucket := bucketOf(s.Stream)
	first := uint64(0) // a snapshot has its own
	if isBucket {
		first = kv.NextLife(max(s.Last, seen.Last.Sequence))
	}
	if err := kv.BeginRestore(ctx, js, s.Stream, first); err != nil {
		return err
	}
	if isBucket {
		return s.restoreBucket(ctx, js, dir, b, jetstream.StreamConfig{Replicas: replicas, FirstSeq: first})
	}
	return s.restoreSnapshot(ctx, conn, js, dir, replicas)
}

func (s Store) restoreBucket(ctx context.Context, js jetstream.JetStream, dir string, b contracts.Bucket,
	how jetstream.StreamConfig) error {
	if err := kv.Provision(ctx, js, b, how); err != nil {
		return err
	}
	if s.Messages > 0 {
		if err := writeEntries(ctx, js, dir, b); err != nil {
			return err
		}
	}
	stream, err := js.Stream(ctx, s.Stream)
	if err != nil {
		return err
	}
	if keys := stream.CachedInfo().State.NumSubjects; keys < s.Keys && b.TTL == 0 && !b.PerKeyTTL {
		return fmt.Errorf("%d of %d keys were put back", keys, s.Keys)
	}
	return nil
}

// restoreTries is how often a snapshot is sent: a server gives a restore up, and leaves nothing of it, when it was too
// busy to get on within five seconds.
const restoreTries = 3

func (s Store) restoreSnapshot(ctx context.Context, conn *nats.Conn, js jetstream.JetStream, dir string,
	replicas int) error {
	folder := filepath.Join(dir, s.Stream)
	text, err := os.ReadFile(filepath.Join(folder, jsm.SnapshotMetaFile))
	if err != nil {
		return err
	}
	var meta struct {
		Config api.StreamConfig `json:"config"`
	}
	if err := json.Unmarshal(text, &meta); err != nil {
		return err
	}
	meta.Config.Replicas = replicas
	if meta.Config.Metadata[contracts.EpochKey] != "" {
		meta.Config.Metadata[contracts.EpochKey] = rand.Text()
		meta.Config.Metadata[contracts.RestoredKey] = strconv.FormatUint(s.Last, 10)
	}
	manager, err := jsm.New(conn, jsm.WithTimeout(exchangeTime))
	if err != nil {
		return err
	}
	for range restoreTries {
		_, _, err = manager.RestoreSnapshotFromDirectory(ctx, s.Stream, folder, jsm.RestoreConfiguration(meta.Config))
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return err
	}
	stream, err := js.Stream(ctx, s.Stream)
	if err != nil {
		return err
	}
	if last := stream.CachedInfo().State.LastSeq; last < s.Last {
		return fmt.Errorf("it ends with message %d, and the backup with %d", last, s.Last)
	}
	return nil
}
