package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/platform/daemon"
)

// Other secrets than those of the installation that stands end it, so whoever makes some must see what was made.
func TestSecretsThatAreMadeAreNamed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "generated")
	code, out, errs := run(t, daemon.Environ{}, "secrets", dir)
	if code != 0 || !strings.Contains(out, "made nkeys/gateway.nk\n") || !strings.Contains(errs, "an installation that stands has others") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if err := os.Remove(filepath.Join(dir, "nkeys", "courier.nk")); err != nil {
		t.Fatal(err)
	}
	if code, out, errs = run(t, daemon.Environ{}, "secrets", dir); code != 0 || errs != "" || out != "made nkeys/courier.nk\n" {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if out = must(t, daemon.Environ{}, "secrets", dir); !strings.Contains(out, "nothing was missing") {
		t.Error(out)
	}
}
