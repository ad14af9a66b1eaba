//go:build !race

package registertest

// Volume is how many licenses a test goes through: whole, or raced under the race detector, which makes it ten times slower to
// read texts. `make test` runs tests of much volume both ways.
func Volume(whole, _ int) int { return whole }
