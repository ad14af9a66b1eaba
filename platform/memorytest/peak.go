// Package memorytest measures the memory of the process that a test runs in.
package memorytest

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// Peak returns how many MB the process needed at most while run ran, beyond what it needed before. Nothing else may
// run meanwhile. The test is skipped where the system does not tell this, as only Linux does.
func Peak(t testing.TB, run func()) int {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // whatever the tests run with
	debug.FreeOSMemory()
	const resetPeak = "5" // proc_pid_clear_refs(5)
	if err := os.WriteFile("/proc/self/clear_refs", []byte(resetPeak), 0o600); err != nil {
		t.Skip("the system does not tell the peak of memory:", err)
	}
	before := status(t, "VmRSS:")
	run()
	return (status(t, "VmHWM:") - before) >> 10
}

func status(t testing.TB, name string) (kB int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, after, _ := strings.Cut(string(text), name)
	if _, err := fmt.Sscan(after, &kB); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return kB
}
