package session

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
)

// formPurpose separates tokens of forms from sessions, which are sealed with the same key.
const formPurpose = "assay console form v1"

// FormToken is a token for a form of a page that a session saw. session is what the cookie holds. Each call makes
// another token, so that compressed pages do not tell it bit by bit.
func (s *Sealer) FormToken(session string) string {
	sum := sha256.Sum256([]byte(session))
	sealed := s.aead.Seal(nil, nil, sum[:], []byte(formPurpose)) //nolint:gosec // the nonce is random: see NewSealer
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// IsFormToken tells whether a token was made for a session, by any gateway with the same secret.
func (s *Sealer) IsFormToken(session, token string) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return false
	}
	plain, err := s.aead.Open(nil, nil, raw, []byte(formPurpose))
	sum := sha256.Sum256([]byte(session))
	return err == nil && subtle.ConstantTimeCompare(plain, sum[:]) == 1
}
