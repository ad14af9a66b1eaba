package system_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/assay/storecheck"
	"assay.dev/assay/system"
	"assay.dev/contracts"
)

// A write that a full disk or a power cut interrupted was acknowledged to nobody: it is no damage.
func TestAStartGoesOnBehindAnInterruptedWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, environ(dir))
	first.stop(t)
	blocks := filepath.Join(dir, "nats", filepath.FromSlash(storecheck.Account), contracts.KeysBucket.Stream(), "msgs")
	whole, err := os.ReadFile(filepath.Join(blocks, "1.blk"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(blocks, "1.blk"), append(whole, whole[:90]...), 0o600),
		os.Remove(filepath.Join(blocks, "index.db"))); err != nil { // as after a kill
		t.Fatal(err)
	}
	second := start(t, environ(dir))
	if status, _, body := second.get(t, second.base+"/v1/ltl/carriers", first.keys["test"]); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	if _, _, body := second.get(t, second.admin+"/readyz", ""); strings.Contains(string(body), "damaged") {
		t.Errorf("%s", body)
	}
}

// What the message about a damaged store says is pasted into a shell: the folder of NATS has a $ in its name, and where it goes is not there yet.
func TestADamagedStoreIsMovedAwayByTheCommandThatIsTold(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "the operator's data")
	first := start(t, environ(dir))
	first.stop(t)
	stream := filepath.Join(dir, "nats", filepath.FromSlash(storecheck.Account), contracts.KeysBucket.Stream())
	block := filepath.Join(stream, "msgs", "1.blk")
	whole, err := os.ReadFile(block)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(block, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := system.Load(environ(dir))
	if err != nil {
		t.Fatal(err)
	}
	err = system.Run(t.Context(), cfg, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "a store is damaged") {
		t.Fatalf("started on a flipped byte: %v", err)
	}
	_, said, _ := strings.Cut(err.Error(), "by `")
	command, _, _ := strings.Cut(said, "`")
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v %s", command, err, out)
	}
	moved, err := filepath.Glob(filepath.Join(dir, "damaged", contracts.KeysBucket.Stream()+"-*", "msgs", "1.blk"))
	if _, gone := os.Stat(stream); err != nil || len(moved) != 1 || !os.IsNotExist(gone) {
		t.Errorf("%v, %v, %v", moved, err, gone)
	}
}
