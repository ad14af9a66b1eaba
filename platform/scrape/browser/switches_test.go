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
	b, _ := start(t, nil)
	p, release, err := b.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	known := findNames(t, fmt.Sprintf("/proc/%d/exe", p.cmd.Process.Pid), slices.Concat(switchNames(), featureNames(), controls))
	for _, name := range switchNames() {
		if !known[name] {
			t.Errorf("this Chromium does not know --%s", name)
		}
	}
	for _, name := range featureNames() {
		if !known[name] && !known["k"+name] {
			t.Errorf("this Chromium does not know the feature %s", name)
		}
	}
	for _, name := range controls {
		if known[name] {
			t.Errorf("%s is no switch, so this test finds anything", name)
		}
	}
}

// controls are not to be found: one that Chromium has given up, and one that never was.
var controls = []string{"force-webrtc-ip-handling-policy", "no-network-at-all"}

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
			found[string(text)] = true
		}
	}
	return found
}
