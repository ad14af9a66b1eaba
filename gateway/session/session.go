// Package session keeps a person logged in at the console with a cookie that names their API key and holds no key. The
// gateways keep nothing: each of them opens what another one has sealed with the same secret.
package session

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/seal"
)

const (
	// Life is how long a session lasts.
	Life = 12 * time.Hour
	// purpose separates this use of the secret, and this form of a session, from others.
	purpose = "assay console session v1"
	// clockSkew is by how much the clocks of two gateways may differ.
	clockSkew = 5 * time.Minute
)

// ErrEnded is said of a session that is over, was sealed with another secret, or is none.
var ErrEnded = errors.New("the session has ended")

// ErrNone tells that a request has no cookie of a session.
var ErrNone = errors.New("there is no session")

// Sealer seals and opens sessions.
type Sealer struct {
	aead cipher.AEAD
	// Ended are the sessions that were ended before their time; nil remembers none.
	Ended *Ended
	// OnlyTLS: browsers have TLS, whatever address a request names.
	OnlyTLS bool
}

// NewSealer takes the secret that all gateways share.
func NewSealer(secret string) (*Sealer, error) {
	aead, err := seal.New(secret, purpose)
	return &Sealer{aead: aead}, err
}

// Seal is a session of the key with that hash, which begins now, as text for a cookie.
func (s *Sealer) Seal(h keys.Hash, now time.Time) string {
	plain := binary.BigEndian.AppendUint64(nil, uint64(now.Unix()))
	sealed := s.aead.Seal(nil, nil, append(plain, h[:]...), []byte(purpose)) //nolint:gosec // the nonce is random: see package seal
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// Open unseals a session and gives the hash of its key. A session that has ended, or that was not sealed by us, is
// [ErrEnded].
func (s *Sealer) Open(sealed string, now time.Time) (h keys.Hash, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	if err != nil {
		return h, ErrEnded
	}
	plain, err := s.aead.Open(nil, nil, raw, []byte(purpose))
	if err != nil || len(plain) != 8+len(h) {
		return h, ErrEnded
	}
	age := now.Sub(time.Unix(int64(binary.BigEndian.Uint64(plain)), 0))
	if age > Life || age < -clockSkew {
		return h, ErrEnded
	}
	copy(h[:], plain[8:])
	return h, nil
}

// OfRequest is the session of a request: the first of its cookies that opens, was not ended and so names a key. The
// error is [ErrNone] without a cookie, [ErrEnded] when none is good, else that it cannot be told.
func (s *Sealer) OfRequest(r *http.Request, now time.Time) (sealed string, h keys.Hash, err error) {
	err = ErrNone
	for _, c := range r.CookiesNamed(s.cookieName(r)) {
		opened, failed := s.Open(c.Value, now)
		if failed == nil && s.Ended != nil {
			var ended bool
			if ended, failed = s.Ended.has(r.Context(), c.Value); ended {
				failed = ErrEnded
			}
		}
		if failed == nil {
			return c.Value, opened, nil
		}
		err = failed
	}
	return "", h, err
}

// End ends the sessions of a request for good, at all gateways.
func (s *Sealer) End(r *http.Request, now time.Time) error {
	for _, c := range r.CookiesNamed(s.cookieName(r)) {
		if _, err := s.Open(c.Value, now); err != nil || s.Ended == nil {
			continue
		}
		if err := s.Ended.addSession(r.Context(), c.Value); err != nil {
			return contracts.Wrap(err, contracts.SourceUnavailable,
				"the session cannot be ended at the moment; try again").After(askAgain)
		}
	}
	return nil
}

// NewSecret is a secret from the system's random source.
func NewSecret() string { return rand.Text() + rand.Text() }
