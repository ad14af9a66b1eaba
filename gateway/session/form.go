package session

import (
	"crypto/subtle"
	"encoding/base64"

	"assay.dev/gateway/keys"
)

// formPurpose separates tokens of forms from sessions, which are sealed with the same key.
const formPurpose = "assay console form v2"

// FormToken is a token for a form of a page that a session of a key saw: who logs in anew with the key still sends what
// stands in other tabs. Each call makes another token, so that compressed pages do not tell it bit by bit.
func (s *Sealer) FormToken(key keys.Hash) string {
	sealed := s.aead.Seal(nil, nil, key[:], []byte(formPurpose)) //nolint:gosec // the nonce is random: see NewSealer
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// IsFormToken tells whether a token was made for a session of a key, by any gateway with the same secret.
func (s *Sealer) IsFormToken(key keys.Hash, token string) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return false
	}
	plain, err := s.aead.Open(nil, nil, raw, []byte(formPurpose))
	return err == nil && subtle.ConstantTimeCompare(plain, key[:]) == 1
}
