package storecheck

import (
	"crypto/sha256"
	"hash"

	"github.com/minio/highwayhash"
)

// checksum is the keyed hash that NATS writes behind what it stores.
type checksum struct{ hash.Hash }

// newChecksum makes the hash of what name names: a stream, one of its blocks, one of its consumers.
func newChecksum(name string) checksum {
	key := sha256.Sum256([]byte(name))
	h, _ := highwayhash.New64(key[:]) // fails for a key of another length only
	return checksum{h}
}

// of returns the checksum of the parts, one behind the other.
func (c checksum) of(parts ...[]byte) []byte {
	c.Reset()
	for _, p := range parts {
		_, _ = c.Write(p) // a hash does not fail
	}
	return c.Sum(nil)
}
