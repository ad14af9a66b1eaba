package browser

import (
	"bytes"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"assay.dev/platform/scrape"
)

// With auto a page is rendered on every machine, and a Chromium without its sandbox is said in the log. With on there is no
// such Chromium; root, who runs most tests in containers, has none.
func TestSandboxIsGivenUpAloud(t *testing.T) {
	for _, bin := range []string{chromium, headlessShell} {
		t.Run(bin, func(t *testing.T) { givesItsSandboxUpAloud(t, installed(t, bin)) })
	}
}

func givesItsSandboxUpAloud(t *testing.T, bin string) {
	b, _ := start(t, map[string]http.Handler{"site.example.com": serve(map[string]string{"/": "<table><td>x</td></table>"})})
	b.cfg.Bin = bin
	var log bytes.Buffer
	b.log = slog.New(slog.NewTextHandler(&log, nil))
	if _, err := b.Render(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	warned, sandboxed := strings.Contains(log.String(), "without its own sandbox"), b.idle[0].sandboxed
	if warned == sandboxed || sandboxed && os.Geteuid() == 0 {
		t.Errorf("sandboxed: %v, the log: %s", sandboxed, &log)
	}
	strict := New(Config{Bin: bin, Sandbox: SandboxOn}, b.fetcher, scrape.Deps{})
	_, err := strict.Render(t.Context(), site)
	if err := strict.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if sandboxed != (err == nil) || err != nil && !strings.Contains(err.Error(), "sandbox") {
		t.Errorf("with on: %v", err)
	}
}
