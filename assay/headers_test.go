package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A publish that expects another last message id than a replicated stream has ends that stream's leader for good
// (nats-server 2.15): nothing of ours may expect one, be it by an option of nats.go or by the header itself.
func TestNobodyExpectsALastMessageID(t *testing.T) {
	expects := regexp.MustCompile(`(?i)expect(ed)?-?last-?msg-?id\b`)
	for _, name := range []string{"jetstream.WithExpectLastMsgID(id)", `"Nats-Expected-Last-Msg-Id"`, "nats.ExpectLastMsgId(id)"} {
		if !expects.MatchString(name) {
			t.Fatalf("%s is not found", name)
		}
	}
	read := 0
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || strings.HasPrefix(e.Name(), ".") && path != ".."):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		read++
		if found := expects.Find(text); found != nil {
			t.Errorf("%s has %s", path, found)
		}
		return err
	})
	if err != nil || read < 300 {
		t.Errorf("%d files were read: %v", read, err)
	}
}
