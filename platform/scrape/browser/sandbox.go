package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Sandbox says whether Chromium confines its renderers by the means of the kernel. It needs user namespaces, or
// Debian's package chromium-sandbox, and a user other than root.
type Sandbox string

// Sandboxes. The empty one is SandboxAuto.
const (
	SandboxOn   Sandbox = "on"   // Chromium does not start where it is not possible
	SandboxOff  Sandbox = "off"  // never
	SandboxAuto Sandbox = "auto" // where it is possible
)

// UnmarshalText refuses what is no Sandbox. true and false are what the setting had before.
func (s *Sandbox) UnmarshalText(text []byte) error {
	switch word := string(text); word {
	case "", "auto":
		*s = SandboxAuto
	case "on", "true":
		*s = SandboxOn
	case "off", "false":
		*s = SandboxOff
	default:
		return fmt.Errorf("%q is not on, off or auto", word)
	}
	return nil
}

// launch starts a Chromium with its sandbox as it is configured. With auto the first refusal is a warning, and is
// remembered: the machine will not allow it later either.
func (b *Browser) launch(ctx context.Context, bin string) (*process, error) {
	start := func(sandbox bool) (*process, error) {
		return launch(ctx, bin, b.cfg.Memory, sandbox, b.fetcher.UserAgent())
	}
	if b.cfg.Sandbox == SandboxOn || b.cfg.Sandbox == SandboxOff {
		return start(b.cfg.Sandbox == SandboxOn)
	}
	if b.unsandboxed.Load() {
		return start(false)
	}
	err := errRoot
	if os.Geteuid() != 0 {
		var p *process
		if p, err = start(true); err == nil || !sandboxRefused(err) {
			return p, err
		}
	}
	if !b.unsandboxed.Swap(true) {
		b.log.WarnContext(ctx, "Chromium runs without its own sandbox, which this machine does not allow; "+
			"ASSAY_CHROMIUM_SANDBOX=off accepts that", "error", err)
	}
	return start(false)
}

var errRoot = errors.New("the user is root, for whom Chromium has no sandbox")

// sandboxRefused tells a Chromium that did not start for want of a sandbox by what it says, such as "No usable
// sandbox!".
func sandboxRefused(err error) bool { return strings.Contains(err.Error(), "sandbox") }
