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

// A key that we issue consists of "live_" or "test_", 32 URL-safe characters, which are 24 random bytes, and 6
// characters of checksum. A key that the marketplace made has 16 to 128 visible characters of any kind.
const (
	randomLength   = 32
	checksumLength = 6
	minForeign     = 16
	maxForeign     = 128
)

// Hash is the SHA-256 of a key. The key itself is not stored.
type Hash [sha256.Size]byte

// String returns the name of the key's record in the bucket, 64 hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ID returns the first 12 hexadecimal digits, by which operators name a key, such as "3f9a0c51d27e".
func (h Hash) ID() string { return hex.EncodeToString(h[:idLength/2]) }

const idLength = 12

func hashOf(key string) Hash {
	var buffer [maxForeign]byte // on the stack, so that a look-up allocates nothing
	return sha256.Sum256(append(buffer[:0], key...))
}

// generate makes a key of random bytes from crypto/rand.
func generate(env contracts.Environment) string {
	var random [randomLength * 3 / 4]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand
	body := string(env) + "_" + base64.RawURLEncoding.EncodeToString(random[:])
	sum := checksum(body)
	return body + string(sum[:])
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// checksum returns the CRC-32 of body in base 62.
func checksum(body string) (out [checksumLength]byte) {
	sum := crc32.ChecksumIEEE([]byte(body))
	for i := range out {
		out[checksumLength-1-i] = base62[sum%62]
		sum /= 62
	}
	return out
}

// Parse returns the hash of a key that a caller sent. It returns [ErrMalformed] for text that cannot be a key. It
// checks the checksum of a key in our form, so that most wrong keys need no look-up.
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
