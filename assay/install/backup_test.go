package install_test

import (
	"io"
	"path/filepath"
	"testing"

	"assay.dev/assay/backup"
	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/access"
	"assay.dev/platform/kv"
	"assay.dev/platform/provision"
)

// A backup is made with its user's permissions, and put back on servers that lost everything with those of the user restore.
func TestABackupAndARestoreNeedNoMoreThanTheyMay(t *testing.T) {
	dir := makeBackup(t)
	to := startNATS(t)
	if _, err := backup.Restore(t.Context(), to.connect(t, access.Restore), dir, nil, 1, io.Discard); err != nil {
		t.Fatal(err)
	}
	checkRestored(t, to)
}

// Streams that were made empty by mistake are removed and put back with the permissions of the user restore.
func TestStreamsThatStandAreReplacedByTheUserRestore(t *testing.T) {
	dir := makeBackup(t)
	to := startNATS(t)
	to.provision(t)
	m, err := backup.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	conn := to.connect(t, access.Restore)
	if _, err := backup.Restore(t.Context(), conn, dir, nil, 1, io.Discard); err == nil {
		t.Fatal("streams that stand were restored over")
	}
	js := to.jetStream(t, access.Restore)
	for _, s := range m.Stores {
		if err := js.DeleteStream(t.Context(), s.Stream); err != nil {
			t.Fatalf("%s: %v", s.Stream, err)
		}
	}
	if _, err := backup.Restore(t.Context(), conn, dir, nil, 1, io.Discard); err != nil {
		t.Fatal(err)
	}
	checkRestored(t, to)
}

// makeBackup writes a backup of a system with one key and one usage event, and returns its folder.
func makeBackup(t *testing.T) string {
	t.Helper()
	from := startNATS(t)
	from.provision(t)
	store, err := keys.OpenStore(t.Context(), from.jetStream(t, access.Operator))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Create(t.Context(), keys.Record{Tenant: "acme", Environment: contracts.Live, Products: contracts.Products}); err != nil {
		t.Fatal(err)
	}
	usage := contracts.UsageSubject(contracts.LTL).Name
	if _, err := from.jetStream(t, contracts.Gateway).Publish(t.Context(), usage, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "backup")
	if _, err := backup.Write(t.Context(), from.connect(t, access.Backup), dir, io.Discard); err != nil {
		t.Fatal(err)
	}
	return dir
}

// checkRestored wants the rest to be made by the Job, and what [makeBackup] made to be there.
func checkRestored(t *testing.T, to deployment) {
	t.Helper()
	// The Job goes on from there without a word: what stands is recorded, the rest is made.
	if err := provision.All(t.Context(), to.jetStream(t, access.Provision), provision.Options{Replicas: 1}); err != nil {
		t.Fatal(err)
	}
	store, err := keys.OpenStore(t.Context(), to.jetStream(t, access.Operator))
	if err != nil {
		t.Fatal(err)
	}
	if listed, err := store.List(t.Context()); err != nil || len(listed) != 1 || listed[0].Tenant != "acme" {
		t.Errorf("the keys are %v, %v", listed, err)
	}
	if err := store.Confirm(t.Context()); err != nil {
		t.Error(err)
	}
	js := to.jetStream(t, contracts.Gateway)
	if err := kv.CheckStream(t.Context(), js, contracts.UsageStream.Name); err != nil {
		t.Error(err)
	}
	if usage, err := js.Stream(t.Context(), contracts.UsageStream.Name); err != nil || usage.CachedInfo().State.Msgs != 1 {
		t.Errorf("the usage is not what it was: %v", err)
	}
}
