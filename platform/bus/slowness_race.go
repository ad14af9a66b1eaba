//go:build race

package bus

// slowness makes waits for a server longer under the race detector, which makes the server in the same process slower
// by as much.
const slowness = 4
