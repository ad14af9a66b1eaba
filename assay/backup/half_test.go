package backup_test

import (
	"encoding/json"
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

// A stream of which a restore left a part is damaged until the restore is repeated.
func TestASnapshotThatWasRestoredInPartIsRestoredAnew(t *testing.T) {
	t.Parallel()
	conn := bustest.Connect(t, bustest.Server(t))
	js := bustest.JetStream(t, conn)
	usage := contracts.UsageStream.Name
	if _, err := js.Publish(t.Context(), contracts.UsageSubject(contracts.LTL).Name, []byte("1")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "backup")
	if _, err := backup.Write(t.Context(), conn, dir, io.Discard); err != nil {
		t.Fatal(err)
	}
	lose(t.Context(), t, js, usage)

	file := filepath.Join(dir, "manifest.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var m backup.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	for i := range m.Stores {
		m.Stores[i].Last += 5
	}
	more, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		manifest       []byte
		fails, damaged string
	}{{more, "it ends with message", "a restore of it has not ended"}, {text, "", ""}} {
		if err := os.WriteFile(file, c.manifest, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := backup.Restore(t.Context(), conn, dir, []string{usage}, 1, io.Discard)
		if !says(err, c.fails) {
			t.Errorf("the restore: %v, want %q", err, c.fails)
		}
		if err := kv.CheckStream(t.Context(), js, usage); !says(err, c.damaged) {
			t.Errorf("the stream: %v, want %q", err, c.damaged)
		}
	}
}

// says tells whether err has the text; nil says nothing.
func says(err error, text string) bool {
	if err == nil || text == "" {
		return err == nil && text == ""
	}
	return strings.Contains(err.Error(), text)
}
