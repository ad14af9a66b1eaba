package browser

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Chromium says nothing about a switch that it does not know, so its binary is searched for each.
func TestChromiumKnowsItsSwitches(t *testing.T) {
	for _, tc := range []struct {
		name, bin string
		unknown   []string // in some versions at least
	}{
		{"chromium", chromium, []string{"force-webrtc-ip-handling-policy"}},
		{"headless shell", headlessShell, slices.Concat([]string{"webrtc-ip-handling-policy"}, notInTheShell)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			known := findNames(t, executable(t, installed(t, tc.bin)), slices.Concat(switchNames(), featureNames(), controls))
			for _, name := range slices.Concat(switchNames(), featureNames()) {
				if !known[name] && !slices.Contains(tc.unknown, name) {
					t.Errorf("%s is not known", name)
				}
			}
			for _, name := range controls {
				if known[name] {
					t.Errorf("%s is no switch, so this test finds anything", name)
				}
			}
		})
	}
}

// executable is the program behind a name, which may be a script that starts it.
func executable(t *testing.T, bin string) string {
	t.Helper()
	b, _ := start(t, nil)
	b.cfg.Bin = bin
	p, release, err := b.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return fmt.Sprintf("/proc/%d/exe", p.cmd.Process.Pid)
}

// notInTheShell are switches of the parts of Chromium that its headless shell is built without: windows, profiles, extensions,
// updates and reports. What they turn off is not there.
var notInTheShell = []string{
	"no-startup-window", "no-first-run", "disable-background-networking", "disable-component-update", "disable-domain-reliability",
	"no-pings", "metrics-recording-only", "disable-sync", "disable-default-apps", "disable-extensions",
	"disable-component-extensions-with-background-pages", "disable-prompt-on-repost", "disable-hang-monitor",
	"Translate", "DialMediaRouteProvider",
}

// controls are not to be found, since they never were.
var controls = []string{"no-network-at-all", "force-no-network"}

// switchNames are the names of all that we pass, and those values that are names themselves.
func switchNames() []string {
	names := []string{"disable_non_proxied_udp", "<-loopback>", "imagesEnabled"}
	for _, s := range switches("profile", false, "Mozilla/5.0") {
		name, _, _ := strings.Cut(strings.TrimPrefix(s, "--"), "=")
		names = append(names, name)
	}
	return names
}

func featureNames() []string {
	for _, s := range renderOnly {
		if list, ok := strings.CutPrefix(s, "--disable-features="); ok {
			return strings.Split(list, ",")
		}
	}
	return nil
}

// findNames tells which names stand in the binary as texts of their own, with a NUL before and behind. A feature's may
// have a k before it.
func findNames(t *testing.T, path string, names []string) map[string]bool {
	t.Helper()
	binary, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range names {
		found[name], found["k"+name] = false, false
	}
	for text := range bytes.SplitSeq(binary, []byte{0}) {
		if _, wanted := found[string(text)]; wanted {
			found[strings.TrimPrefix(string(text), "k")] = true
		}
	}
	return found
}
