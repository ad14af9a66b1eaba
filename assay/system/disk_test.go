package system_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/assay/storecheck"
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
