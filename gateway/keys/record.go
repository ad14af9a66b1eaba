package keys

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
)

// DefaultLimit is how many requests a tenant may make in any minute (contract §8).
const DefaultLimit = 60

// Why a key is not accepted.
var (
	ErrMalformed = errors.New("not in the form of a key")
	ErrUnknown   = errors.New("no such key")
	ErrExpired   = errors.New("the key has expired")
	ErrRevoked   = errors.New("the key was revoked")
	// ErrShared means that two keys have this ID, so it names neither.
	ErrShared = errors.New("two keys have this id: give the key itself")
	// ErrUnverifiable means that the key is not in the copy, and that the bucket does not answer or is damaged.
	ErrUnverifiable = errors.New("the key cannot be verified now")
)

// Record is what a key permits.
type Record struct {
	Tenant      string                `json:"tenant"`
	Environment contracts.Environment `json:"environment"`
	Products    []contracts.Product   `json:"products"`
	// Limit is how many requests the tenant may make in any minute.
	Limit int `json:"limit"`
	// Last4 are the key's last characters, for people to tell keys apart.
	Last4 string `json:"last4"`
	// Imported says that the marketplace made the key.
	Imported  bool      `json:"imported,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is zero for a key that does not expire.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

// Allows tells whether the key's tenant subscribes to p.
func (r *Record) Allows(p contracts.Product) bool { return slices.Contains(r.Products, p) }

// Usable returns [ErrRevoked], [ErrExpired] or nil, as of now.
func (r *Record) Usable() error {
	switch {
	case !r.RevokedAt.IsZero():
		return ErrRevoked
	case !r.ExpiresAt.IsZero() && !time.Now().Before(r.ExpiresAt):
		return ErrExpired
	}
	return nil
}

// ValidTenant tells whether s can name a tenant, such as "rapidapi:mona": 1 to 100 letters, digits and . _ : @ - of
// which the first is a letter or a digit. Such names are safe in logs, in subjects of mail and on command lines. It is
// no regular expression, because a gateway that starts asks it of each key.
func ValidTenant(s string) bool {
	if len(s) < 1 || len(s) > 100 {
		return false
	}
	for i, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case i > 0 && strings.IndexByte("._:@-", c) >= 0:
		default:
			return false
		}
	}
	return true
}

func (r *Record) validate() error {
	if !ValidTenant(r.Tenant) {
		return fmt.Errorf("tenant %q: want 1 to 100 letters, digits and . _ : @ -", contracts.Printable(r.Tenant))
	}
	if _, err := contracts.ParseEnvironment(string(r.Environment)); err != nil {
		return err
	}
	if len(r.Products) == 0 {
		return errors.New("a key needs at least one product: ltl, abc")
	}
	for _, p := range r.Products {
		if _, err := contracts.ParseProduct(string(p)); err != nil {
			return err
		}
	}
	if r.Limit < 1 {
		return fmt.Errorf("limit %d: want at least 1 request a minute", r.Limit)
	}
	return nil
}
