package backup_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/assay/backup"
	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/kv"
)

// A stream of changes that is put back has another epoch, and says up to where its sequences mean what they did: a webhook whose place lies
// behind goes on there, and passes nothing.
func TestARestoredStreamSaysHowFarItIsTheSame(t *testing.T) {
	t.Parallel()
	conn := bustest.Connect(t, bustest.Server(t))
	js := bustest.JetStream(t, conn)
	publish := func(n int) {
		for range n {
			if _, err := js.Publish(t.Context(), contracts.ChangeSubject(contracts.Live, contracts.ABC, "CA", contracts.StatusChanged).Name, []byte("{}")); err != nil {
				t.Fatal(err)
			}
		}
	}
	metadata := func() map[string]string {
		stream, err := js.Stream(t.Context(), contracts.ChangesStream.Name)
		if err != nil {
			t.Fatal(err)
		}
		return stream.CachedInfo().Config.Metadata
	}
	publish(3)
	dir, before := filepath.Join(t.TempDir(), "backup"), metadata()
	if _, err := backup.Write(t.Context(), conn, dir, io.Discard); err != nil {
		t.Fatal(err)
	}
	publish(2)
	if err := js.DeleteStream(t.Context(), contracts.ChangesStream.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), conn, dir, []string{contracts.ChangesStream.Name}, 1, io.Discard); err != nil {
		t.Fatal(err)
	}
	after := metadata()
	if after[contracts.EpochKey] == before[contracts.EpochKey] || before[contracts.RestoredKey] != "" || after[contracts.RestoredKey] != "3" {
		t.Errorf("before %v, after %v", before, after)
	}
}

// A restore that ends in the middle of a bucket leaves a damaged one, and the same command puts it back.
func TestABucketThatWasPutBackInPartIsDamaged(t *testing.T) {
	t.Parallel()
	conn := bustest.Connect(t, bustest.Server(t))
	js, keys := bustest.JetStream(t, conn), contracts.KeysBucket
	for _, key := range []string{"a", "b"} {
		if _, err := js.Publish(t.Context(), keys.Subject(key), []byte("1")); err != nil {
			t.Fatal(err)
		}
	}
	good, cut := filepath.Join(t.TempDir(), "good"), filepath.Join(t.TempDir(), "cut")
	if _, err := backup.Write(t.Context(), conn, good, io.Discard); err != nil {
		t.Fatal(err)
	}
	m, err := backup.Write(t.Context(), conn, cut, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	lose(t.Context(), t, js, keys.Stream())
	rewrite(t, m, cut, `{"subject":"$KV.assay_keys.a","data":"MQ=="}`+"\n"+`{"subject":"ends.here"}`+"\n")
	text, err := json.Marshal(m)
	if err := errors.Join(err, os.WriteFile(filepath.Join(cut, "manifest.json"), text, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), conn, cut, []string{keys.Stream()}, 1, io.Discard); err == nil {
		t.Fatal("a bucket was put back in part, without an error")
	}
	var damage *kv.Damaged
	if err := kv.CheckStream(t.Context(), js, keys.Stream()); !errors.As(err, &damage) {
		t.Errorf("half of the keys: %v", err)
	}
	_, err = backup.Restore(t.Context(), conn, good, nil, 1, io.Discard)
	if want := "put back: " + keys.Stream(); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %q at its end", err, want)
	}
	putBack(t.Context(), t, conn, good, keys.Stream())
	holds(t.Context(), t, js, keys.Stream(), map[string]int{keys.Subject("a"): 1, keys.Subject("b"): 1})
	if w, err := kv.ReadWitness(t.Context(), js, keys.Stream()); err != nil || w.Restored.IsZero() {
		t.Errorf("put back, and nobody is asked: %+v, %v", w, err)
	}
}

// Entries that were written together are put back one by one.
func TestWhatWasWrittenTogetherIsPutBack(t *testing.T) {
	t.Parallel()
	conn := bustest.Connect(t, bustest.Server(t))
	js := bustest.JetStream(t, conn)
	weeks := []kv.Write{{Key: "test.ODFL.2026-09-09", Value: []byte("1")}, {Key: "test.ODFL.2026-09-16", Value: []byte("2")}}
	if _, err := kv.SwapTogether(t.Context(), js, contracts.WeeksBucket, weeks); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "backup")
	if _, err := backup.Write(t.Context(), conn, dir, io.Discard); err != nil {
		t.Fatal(err)
	}
	lose(t.Context(), t, js, contracts.WeeksBucket.Stream())
	putBack(t.Context(), t, conn, dir, contracts.WeeksBucket.Stream())
	bucket, err := js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range weeks {
		if entry, err := bucket.Get(t.Context(), w.Key); err != nil || string(entry.Value()) != string(w.Value) {
			t.Errorf("%s is %v, %v", w.Key, entry, err)
		}
	}
}
