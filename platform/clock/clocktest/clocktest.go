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
	// pause is the time between the first looks: most conditions hold within milliseconds. It doubles up to maxPause,
	// to leave the processor to the work that is waited for.
	pause    = 2 * time.Millisecond
	maxPause = 32 * time.Millisecond
	// looks is how often [Stays] looks, at maxPause apart.
	looks = 12
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

// Stays returns true when condition holds at a dozen looks in a row, and false at the first at which it does not: what
// comes once too often comes right behind what was awaited. A busy machine may hide it, and never fails what is right.
func Stays(condition func() bool) bool {
	for range looks {
		if !condition() {
			return false
		}
		time.Sleep(maxPause)
	}
	return condition()
}
