//go:build !race

package bus

const slowness = 1
