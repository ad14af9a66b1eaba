package webhook

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"

	"assay.dev/platform/seal"
)

const (
	// purpose separates this use of the key from others.
	purpose = "assay webhook secrets v1"
	// prefix begins a secret as its owner sees it (Standard Webhooks 1.0).
	prefix     = "whsec_"
	secretSize = 32
)

// Sealer seals and opens secrets by a key that the gateways and the courier share.
type Sealer struct{ aead cipher.AEAD }

// NewSealer takes the key.
func NewSealer(key string) (*Sealer, error) {
	aead, err := seal.New(key, purpose)
	return &Sealer{aead}, err
}

// New makes a secret for the endpoint of a key of [contracts.EndpointsBucket]: as its owner is told it, once, and as it
// is kept.
func (s *Sealer) New(endpoint string) (text string, kept Sealed) {
	secret := make([]byte, secretSize)
	_, _ = rand.Read(secret)                               // it never fails
	box := s.aead.Seal(nil, nil, secret, []byte(endpoint)) //nolint:gosec // the nonce is random: see package seal
	return prefix + base64.StdEncoding.EncodeToString(secret), Sealed{Box: box}
}

// Open gives the secret itself. One that was sealed for another endpoint, or by another key, is an error.
func (s *Sealer) Open(endpoint string, kept Sealed) ([]byte, error) {
	secret, err := s.aead.Open(nil, nil, kept.Box, []byte(endpoint))
	if err != nil {
		return nil, errors.New("a secret was sealed by another key than ASSAY_WEBHOOK_KEY")
	}
	return secret, nil
}
