package backup_test

import (
	"io"
	"path/filepath"
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
