package keys

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash/crc32"
	"strings"

	"assay.dev/contracts"
)

// An issued key is "live_" or "test_", randomLength URL-safe characters (24 random bytes) and a checksum of what
// stands before it. A key that the marketplace made has a form of its own.
const (
	randomLength   = 32
	checksumLength = 6
	minForeign     = 16
	maxForeign     = 128
)

// Hash is the SHA-256 of a key: all that is kept of it.
type Hash [sha256.Size]byte

// String is the name of the key's record in the bucket.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ID is how people refer to a key.
func (h Hash) ID() string { return hex.EncodeToString(h[:idLength/2]) }

const idLength = 12

func hashOf(key string) Hash {
	var buffer [maxForeign]byte // keeps the copy off the heap
	return sha256.Sum256(append(buffer[:0], key...))
}

// generate makes a key from the system's random source.
func generate(env contracts.Environment) string {
	var random [randomLength * 3 / 4]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand
	body := string(env) + "_" + base64.RawURLEncoding.EncodeToString(random[:])
	sum := checksum(body)
	return body + string(sum[:])
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// checksum is the CRC-32 of body in base 62.
func checksum(body string) (out [checksumLength]byte) {
	sum := crc32.ChecksumIEEE([]byte(body))
	for i := range out {
		out[checksumLength-1-i] = base62[sum%62]
		sum /= 62
	}
	return out
}

// Parse hashes a key that a caller presents. The error is [ErrMalformed] for what cannot be a key of ours: an issued
// key's checksum must be right, so that most wrong keys cost no look-up.
func Parse(key string) (Hash, error) {
	env, rest, issued := strings.Cut(key, "_")
	if _, err := contracts.ParseEnvironment(env); !issued || err != nil {
		return parseForeign(key)
	}
	if len(rest) != randomLength+checksumLength {
		return Hash{}, ErrMalformed
	}
	body := key[:len(key)-checksumLength]
	if sum := checksum(body); string(sum[:]) != key[len(body):] {
		return Hash{}, ErrMalformed
	}
	return hashOf(key), nil
}

func parseForeign(key string) (Hash, error) {
	if len(key) < minForeign || len(key) > maxForeign {
		return Hash{}, ErrMalformed
	}
	for _, c := range []byte(key) {
		if c <= ' ' || c > '~' {
			return Hash{}, ErrMalformed
		}
	}
	return hashOf(key), nil
}

func parseHash(name string) (h Hash, err error) {
	b, err := hex.DecodeString(name)
	if err != nil || copy(h[:], b) != len(h) || len(b) != len(h) {
		return Hash{}, ErrMalformed
	}
	return h, nil
}
