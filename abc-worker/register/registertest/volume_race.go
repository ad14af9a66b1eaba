//go:build race

package registertest

// Volume is how many licenses a test goes through: raced, under the race detector.
func Volume(_, raced int) int { return raced }
