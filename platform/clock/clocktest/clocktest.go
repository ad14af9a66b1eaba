// Package clocktest waits, in tests, for what other goroutines and processes do.
package clocktest

import (
	"testing"
	"time"
)

const (
	// Patience is how long a test waits for what must come, before it says that it hangs. It is no measure: a machine with
	// ten times the work that it has cores for takes less.
	Patience = 5 * time.Minute
	// pause lies between the first looks, because most conditions hold within milliseconds. It doubles up to maxPause: who
	// waits for longer leaves the machine to those that are waited for.
	pause    = 2 * time.Millisecond
	maxPause = 32 * time.Millisecond
)

// Await returns as soon as condition holds, and ends the test when it does not hold within [Patience]. what names the
// condition in the failure, such as "the directory is loaded". Call it from the test's own goroutine; others call
// [Holds].
func Await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	if !Holds(condition) {
		t.Fatalf("not within %s: %s", Patience, what)
	}
}

// Holds returns true as soon as condition holds, and false when it does not hold within [Patience].
func Holds(condition func() bool) bool {
	wait := pause
	for end := time.Now().Add(Patience); !condition(); wait = min(2*wait, maxPause) {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(wait)
	}
	return true
}
