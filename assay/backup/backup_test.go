package backup_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/assay/backup"
	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
	"assay.dev/platform/provision"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// written are subjects of each store that must last: of a bucket a hot key, which is overwritten all the time, and many quiet ones.
func written() map[string][]string {
	subjects := map[string][]string{
		contracts.UsageStream.Name:  {contracts.UsageSubject(contracts.LTL).Name},
		contracts.EventsStream.Name: {contracts.EventSubject(contracts.Live, contracts.EventRevision).Name},
	}
	for _, env := range contracts.Environments {
		subjects[contracts.EvidenceStream(env).Name] = []string{contracts.EvidenceSubject(env, contracts.LTL, "ODFL").Name}
		subjects[contracts.FilesStream(env).Name] = []string{contracts.FileSubject(env, contracts.ABC, "CA").Name}
	}
	for _, b := range []contracts.Bucket{
		contracts.KeysBucket, contracts.CreditsBucket, contracts.ReceiptsBucket, contracts.AgreementsBucket, contracts.AuditsBucket, contracts.RepliesBucket, contracts.PortfoliosBucket, contracts.SharesBucket, contracts.WeeksBucket, contracts.TariffsBucket,
		contracts.WordingBucket, contracts.EndpointsBucket,
	} {
		for i := range 200 {
			subjects[b.Stream()] = append(subjects[b.Stream()], b.Subject("live.key."+strconv.Itoa(i)))
		}
	}
	return subjects
}

// writer writes numbers to one store, each larger than the one before, and remembers which were acknowledged.
type writer struct {
	stream   string
	subjects []string
	mu       sync.Mutex
	acked    map[string]int // by subject, the last number
	count    atomic.Int64
}

func (w *writer) write(ctx context.Context, js jetstream.JetStream, number int, subject string) error {
	if _, err := js.Publish(ctx, subject, []byte(strconv.Itoa(number))); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.acked[subject] = number
	w.count.Add(1)
	return nil
}

// run overwrites one quiet key after the other until ctx ends, and a hot one in between.
func (w *writer) run(ctx context.Context, js jetstream.JetStream) {
	for number := 1; ctx.Err() == nil; number++ {
		_ = w.write(ctx, js, number, w.subjects[0])
		_ = w.write(ctx, js, number, w.subjects[number%len(w.subjects)])
	}
}

func (w *writer) known() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	known := map[string]int{}
	for subject, number := range w.acked {
		known[subject] = number
	}
	return known
}

// The drill: a backup is made while every store is written to, then each store is deleted and put back in turn, then all.
func TestWhatWasAcknowledgedBeforeABackupIsInIt(t *testing.T) {
	t.Parallel()
	conn := bustest.Connect(t, bustest.Server(t))
	js := bustest.JetStream(t, conn)
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	var writers []*writer
	for stream, subjects := range written() {
		w := &writer{stream: stream, subjects: subjects, acked: map[string]int{}}
		writers = append(writers, w)
		for _, s := range subjects {
			if err := w.write(ctx, js, 0, s); err != nil {
				t.Fatal(err)
			}
		}
	}
	load, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, w := range writers {
		running.Go(func() { w.run(load, js) })
	}
	before, counts := map[string]map[string]int{}, map[string]int64{}
	for _, w := range writers {
		before[w.stream], counts[w.stream] = w.known(), w.count.Load()
	}
	dir := filepath.Join(t.TempDir(), "backup")
	m, err := backup.Write(ctx, conn, dir, io.Discard)
	stop()
	running.Wait()
	if err != nil {
		t.Fatal(err)
	}
	var during int64
	for _, w := range writers {
		during += w.count.Load() - counts[w.stream]
	}
	t.Logf("backup of %d stores in %.2f s, %d writes meanwhile", len(m.Stores), m.Ended.Sub(m.Began).Seconds(), during)

	if _, err := backup.Restore(ctx, conn, dir, nil, 1, io.Discard); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("put back where something stands: %v", err)
	}
	for _, s := range m.Stores {
		lose(ctx, t, js, s.Stream)
		putBack(ctx, t, conn, dir, s.Stream)
		holds(ctx, t, js, s.Stream, before[s.Stream])
	}
	for _, s := range m.Stores {
		lose(ctx, t, js, s.Stream)
	}
	lose(ctx, t, js, contracts.WitnessesBucket.Stream(), contracts.BirthsBucket.Stream())
	began := time.Now()
	putBack(ctx, t, conn, dir)
	t.Logf("all put back in %.2f s", time.Since(began).Seconds())
	for _, s := range m.Stores {
		holds(ctx, t, js, s.Stream, before[s.Stream])
	}
	if err := provision.All(ctx, js, provision.Options{Replicas: 1}); err != nil {
		t.Errorf("provisioning after the restore: %v", err)
	}
	for _, name := range []string{contracts.KeysBucket.Stream(), contracts.CreditsBucket.Stream()} {
		if w, err := kv.ReadWitness(ctx, js, name); err != nil || !w.Restored.Equal(m.Began) {
			t.Errorf("%s needs nobody to confirm it: %+v, %v", name, w, err)
		}
	}
}

func lose(ctx context.Context, t *testing.T, js jetstream.JetStream, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := js.DeleteStream(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
}

func putBack(ctx context.Context, t *testing.T, conn *nats.Conn, dir string, names ...string) {
	t.Helper()
	if _, err := backup.Restore(ctx, conn, dir, names, 1, io.Discard); err != nil {
		t.Fatal(err)
	}
}

// holds checks that each subject has a number that is at least the one that was acknowledged before the backup. A stream that
// only grows has all of them up to that one.
func holds(ctx context.Context, t *testing.T, js jetstream.JetStream, name string, before map[string]int) {
	t.Helper()
	if err := kv.CheckStream(ctx, js, name); err != nil {
		t.Error(err)
	}
	stream, err := js.Stream(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	missing := 0
	for subject, number := range before {
		msg, err := stream.GetLastMsgForSubject(ctx, subject)
		if err != nil {
			missing++
			continue
		}
		if got, _ := strconv.Atoi(string(msg.Data)); got < number {
			missing++
		}
	}
	if missing > 0 {
		t.Errorf("%s: %d of %d subjects are not as they were acknowledged", name, missing, len(before))
	}
}

// A backup with one wrong byte is not put back.
func TestADamagedBackupIsRefused(t *testing.T) {
	t.Parallel()
	conn := bustest.Connect(t, bustest.Server(t))
	js := bustest.JetStream(t, conn)
	dir := filepath.Join(t.TempDir(), "backup")
	if _, err := js.Publish(t.Context(), contracts.KeysBucket.Subject("a"), []byte("1")); err != nil {
		t.Fatal(err)
	}
	m, err := backup.Write(t.Context(), conn, dir, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	lose(t.Context(), t, js, contracts.KeysBucket.Stream())
	file := filepath.Join(dir, contracts.KeysBucket.Stream()+".jsonl.gz")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = backup.Restore(t.Context(), conn, dir, nil, 1, io.Discard)
	if err == nil || !strings.Contains(err.Error(), filepath.Base(file)) {
		t.Errorf("put back: %v", err)
	}
	if _, err := js.Stream(t.Context(), contracts.KeysBucket.Stream()); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Errorf("refused, and made: %v", err)
	}
	if len(m.Stores) != len(provision.Lasting())-1 { // but for the witnesses
		t.Errorf("%d stores are backed up, want all of %v", len(m.Stores), fmt.Sprint(provision.Lasting()))
	}
}

// A backup may come from anywhere: its manifest names no file of ours, and no other stream's entries stand in it.
func TestAForeignBackupIsRefused(t *testing.T) {
	t.Parallel()
	conn := bustest.Connect(t, bustest.Server(t))
	js := bustest.JetStream(t, conn)
	for _, key := range []string{"a", "b"} {
		if _, err := js.Publish(t.Context(), contracts.KeysBucket.Subject(key), []byte("1")); err != nil {
			t.Fatal(err)
		}
	}
	keys := contracts.KeysBucket.Stream()
	for name, c := range map[string]struct {
		change func(m *backup.Manifest, dir string) // of a manifest and the files
		want   string
	}{
		"another file": {func(m *backup.Manifest, _ string) {
			m.Stores[0].Files = map[string]string{"../../etc/passwd": "0"}
		}, "damaged"},
		"one more file": {func(m *backup.Manifest, _ string) {
			m.Stores[0].Files["../../etc/passwd"] = "0"
		}, "not of a backup"},
		"another stream": {func(m *backup.Manifest, _ string) { m.Stores[0].Stream = "../keys" }, "not of a backup"},
		"a stream twice": {func(m *backup.Manifest, _ string) { m.Stores[1] = m.Stores[0] }, "not of a backup"},
		"a link out of the backup": {func(_ *backup.Manifest, dir string) {
			file := filepath.Join(dir, keys+".jsonl.gz")
			if err := errors.Join(os.Rename(file, dir+".gz"), os.Symlink(dir+".gz", file)); err != nil {
				t.Fatal(err)
			}
		}, "damaged"},
		"another stream's entry": {func(m *backup.Manifest, dir string) {
			rewrite(t, m, dir, `{"subject":"$KV.assay_credits.a","data":"MQ=="}`+"\n")
		}, "of the subject"},
		"a line without an end": {func(m *backup.Manifest, dir string) {
			rewrite(t, m, dir, `{"subject":"`+strings.Repeat("a", 17<<20))
		}, "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "backup")
			m, err := backup.Write(t.Context(), conn, dir, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "manifest.json")
			for _, name := range []string{file, filepath.Join(dir, contracts.UsageStream.Name, "backup.json")} {
				if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("%s: %v, %v", name, info.Mode(), err)
				}
			}
			c.change(m, dir)
			text, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			empty := bustest.Connect(t, bustest.Empty(t))
			if _, err := backup.Restore(t.Context(), empty, dir, []string{keys}, 1, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("put back: %v", err)
			}
		})
	}
}

// rewrite makes the entries of the keys another text, with the hash of it in the manifest.
func rewrite(t *testing.T, m *backup.Manifest, dir, text string) {
	t.Helper()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	name := contracts.KeysBucket.Stream() + ".jsonl.gz"
	if err := errors.Join(w.Close(), os.WriteFile(filepath.Join(dir, name), zipped.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(zipped.Bytes())
	m.Stores[0].Files[name] = hex.EncodeToString(sum[:])
}
