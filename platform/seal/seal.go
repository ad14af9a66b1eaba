// Package seal has the cipher of what services keep or hand out and nobody else may read or change, such as a session
// or the secret of a webhook.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// MinSecret is how many characters a secret has at least.
const MinSecret = 32

// New is AES-256-GCM with a random nonce before each sealed text, so that Seal and Open take none. Its key is made by
// HKDF (RFC 5869) of a secret that all processes share and of a purpose, which separates the uses of one secret.
func New(secret, purpose string) (cipher.AEAD, error) {
	if len(secret) < MinSecret {
		return nil, fmt.Errorf("the secret has %d characters: want at least %d", len(secret), MinSecret)
	}
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, purpose, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
