package renderer

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
)

// Kind says what to do after a failure. It is the root of every error of this package that tells of one.
type Kind string

func (k Kind) Error() string { return "renderer: " + string(k) }

const (
	// AccountRefused: the key is refused or the credits are out.
	AccountRefused Kind = "account"
	// TooDear: the render would have cost more than allowed.
	TooDear Kind = "too_dear"
	// Blocked: the site did not let the service in.
	Blocked Kind = "blocked"
	// Missing: the site answered 404. This is charged for.
	Missing Kind = "missing"
	// Busy: too many renders at once; wait.
	Busy Kind = "busy"
	// Unreachable: the service said that it failed; it charges nothing for that.
	Unreachable Kind = "unreachable"
	// Lost: the call went out and no answer came back. Whether it was charged is not known.
	Lost Kind = "lost"
)

// KindOf is the kind in err's chain; empty when there is none.
func KindOf(err error) (k Kind) {
	errors.As(err, &k)
	return k
}

// failureOf reads the body where the status alone does not tell: 403 is three things.
func failureOf(status int, body []byte) error {
	kind := Unreachable
	switch status {
	case http.StatusUnauthorized:
		kind = AccountRefused
	case http.StatusForbidden:
		kind = forbidden(bytes.ToLower(body))
	case http.StatusNotFound:
		kind = Missing
	case http.StatusTooManyRequests:
		kind = Busy
	}
	return fmt.Errorf("%w: HTTP %d", kind, status)
}

func forbidden(body []byte) Kind {
	switch {
	case bytes.Contains(body, []byte("max_cost")):
		return TooDear
	case bytes.Contains(body, []byte("credit")), bytes.Contains(body, []byte("exhausted")):
		return AccountRefused
	}
	return Blocked
}
