package renderer

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
)

// Kind says what to do after a failure.
type Kind string

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

// Failure is why nothing was rendered.
type Failure struct {
	Kind   Kind
	Reason string
	// Credits is what the failure cost.
	Credits int
	cause   error
}

func (f *Failure) Error() string {
	if f.cause != nil {
		return "renderer: " + string(f.Kind) + ": " + f.Reason + ": " + f.cause.Error()
	}
	return "renderer: " + string(f.Kind) + ": " + f.Reason
}

// Unwrap returns the cause, if any.
func (f *Failure) Unwrap() error { return f.cause }

// KindOf is the kind of the Failure in err's chain; empty when there is none.
func KindOf(err error) Kind {
	var f *Failure
	if errors.As(err, &f) {
		return f.Kind
	}
	return ""
}

// failureOf reads the body where the status alone does not tell: 403 is three things.
func failureOf(status int, body []byte) *Failure {
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
	return &Failure{Kind: kind, Reason: "HTTP " + strconv.Itoa(status)}
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
