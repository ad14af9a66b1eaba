package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// A claim that holds two backups and the one that is being written must not fill with those that failed.
func TestABackupThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	e, dir := deployment(t), t.TempDir()
	must(t, e, "provision", "--first")
	const abandoned, running, whole, other = "20260101T000000Z", "20260102T000000Z", "20260103T000000Z", "notes"
	for _, name := range []string{abandoned, running, other} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(must(t, e, "backup", dir), filepath.Join(dir, whole)); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-25 * time.Hour)
	for _, name := range []string{abandoned, whole, other} {
		if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	conn, js, err := connect(t.Context(), &console{environ: e})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := js.DeleteStream(t.Context(), contracts.FilesStream(contracts.Test).Name); err != nil { // the last one
		t.Fatal(err)
	}
	code, _, errs := run(t, e, "backup", dir, "--keep", "1")
	if code != exitFailure || !strings.Contains(errs, "no backup was made") {
		t.Errorf("exit %d: %s", code, errs)
	}
	wantFolders(t, dir, running, whole, other)

	must(t, e, "provision", "--accept-loss", contracts.FilesStream(contracts.Test).Name)
	wantFolders(t, dir, running, filepath.Base(must(t, e, "backup", dir, "--keep", "1")), other)
}

// The sum of a month in which usage was restored says what may be missing; that of another one does not.
func TestABillOfRestoredUsageSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	e := deployment(t)
	must(t, e, "provision", "--first")
	folder := must(t, e, "backup", t.TempDir())
	conn, js, err := connect(t.Context(), &console{environ: e})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := js.DeleteStream(t.Context(), contracts.UsageStream.Name); err != nil {
		t.Fatal(err)
	}
	must(t, e, "restore", folder, contracts.UsageStream.Name)
	if _, _, errs := run(t, e, "usage"); !strings.Contains(errs, "the usage was restored from a backup") {
		t.Errorf("it says %q", errs)
	}
	if _, _, errs := run(t, e, "usage", "--month", "2026-01"); errs != "" {
		t.Errorf("of another month it says %q", errs)
	}
}

// A clock that was ahead leaves backups of the future: the new one stays beside them, and they wait for a person.
func TestABackupOfTheFutureDoesNotCount(t *testing.T) {
	t.Parallel()
	e, dir := deployment(t), t.TempDir()
	must(t, e, "provision", "--first")
	const old, ahead, further = "20260101T000000Z", "29990101T000000Z", "29990102T000000Z"
	for _, name := range []string{old, ahead, further} {
		if err := os.Rename(must(t, e, "backup", dir), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := run(t, e, "backup", dir, "--keep", "1")
	if code != 0 || !strings.Contains(errs, ahead) || !strings.Contains(errs, further) {
		t.Errorf("exit %d: %s", code, errs)
	}
	wantFolders(t, dir, filepath.Base(strings.TrimSpace(out)), ahead, further)
}

// An assay up that was killed leaves the address of its server, at which nobody answers.
func TestARestoreAfterAKillStartsItsServer(t *testing.T) {
	t.Parallel()
	e, data := deployment(t), t.TempDir()
	must(t, e, "provision", "--first")
	folder := must(t, e, "backup", t.TempDir())
	if err := os.WriteFile(filepath.Join(data, "nats-url"), []byte("nats://127.0.0.1:1"), 0o600); err != nil {
		t.Fatal(err)
	}
	delete(e, "ASSAY_NATS_URL")
	e["ASSAY_DATA"] = data
	must(t, e, "restore", folder, contracts.KeysBucket.Stream())
}

func wantFolders(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folders are %v, %v; want %v", got, err, want)
	}
}

// Who copied a backup to another place can tell whether all of it came.
func TestACopyOfABackupIsChecked(t *testing.T) {
	t.Parallel()
	e := deployment(t)
	must(t, e, "provision", "--first")
	folder := must(t, e, "backup", t.TempDir())
	delete(e, "ASSAY_NATS_URL") // no system is asked
	if out := must(t, e, "check", "--backup", folder); !strings.Contains(out, "whole") {
		t.Errorf("it says %q", out)
	}
	file := filepath.Join(folder, contracts.KeysBucket.Stream()+".jsonl.gz")
	text, err := os.ReadFile(file)
	if err := errors.Join(err, os.WriteFile(file, text[:len(text)-1], 0o600)); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := run(t, e, "check", "--backup", folder); code != exitFailure || !strings.Contains(errs, filepath.Base(file)) {
		t.Errorf("a file that was cut: exit %d, %s", code, errs)
	}
}

// A second restore beside one that runs says so, and not that an `assay up` is to be started.
func TestARestoreBesideAnotherSaysSo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, stop, err := system.StartNATS(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	code, _, errs := run(t, daemon.Environ{"ASSAY_DATA": dir}, "restore", t.TempDir())
	if code == 0 || !strings.Contains(errs, "`assay restore` uses this directory") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
