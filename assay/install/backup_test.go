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
	to := startNATS(t)
	if _, err := backup.Restore(t.Context(), to.connect(t, access.Restore), dir, nil, 1, io.Discard); err != nil {
		t.Fatal(err)
	}
	// The Job goes on from there without a word: what stands is recorded, the rest is made.
	if err := provision.All(t.Context(), to.jetStream(t, access.Provision), provision.Options{Replicas: 1}); err != nil {
		t.Fatal(err)
	}
	store, err = keys.OpenStore(t.Context(), to.jetStream(t, access.Operator))
	if err != nil {
		t.Fatal(err)
	}
	if listed, err := store.List(t.Context()); err != nil || len(listed) != 1 || listed[0].Tenant != "acme" {
		t.Errorf("the keys are %v, %v", listed, err)
	}
	if err := store.Confirm(t.Context()); err != nil {
		t.Error(err)
	}
	if err := kv.CheckStream(t.Context(), to.jetStream(t, contracts.Gateway), contracts.UsageStream.Name); err != nil {
		t.Error(err)
	}
}
