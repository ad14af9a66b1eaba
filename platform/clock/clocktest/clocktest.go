// Package clocktest waits, in tests, for what other goroutines and processes do.
package clocktest

import (
	"testing"
	"time"
)

const (
	// Patience is how long a test waits for a condition before it says that something hangs. It measures nothing: a
	// machine with ten times too much work still takes less.
	Patience = 5 * time.Minute
	// minPause is the time between the first looks: most conditions hold within milliseconds. Later it is an eighth of
	// what was waited, up to maxPause, to leave the processor to the work that is waited for.
	minPause = 2 * time.Millisecond
	maxPause = 250 * time.Millisecond
	// looks is how often [Stays] looks, at stayPause apart.
	looks     = 12
	stayPause = 32 * time.Millisecond
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
	for begun := time.Now(); !condition(); {
		waited := time.Since(begun)
		if waited > Patience {
			return false
		}
		time.Sleep(min(max(minPause, waited/8), maxPause))
	}
	return true
}

// Stays returns true when condition holds at a dozen looks in a row, and false at the first at which it does not: what
// comes once too often comes right behind what was awaited. A busy machine may hide it, and never fails what is right.
func Stays(condition func() bool) bool {
	for range looks {
		if !condition() {
			return false
		}
		time.Sleep(stayPause)
	}
	return condition()
}
