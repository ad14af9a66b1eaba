package scrape

import (
	"errors"
	"fmt"
	"time"
)

// Kind says why a source did not answer.
type Kind string

// The closed set of kinds.
const (
	// Unreachable: no connection, a reset, a time-out, a 5xx.
	Unreachable Kind = "unreachable"
	// Blocked: the site took us for a robot.
	Blocked Kind = "blocked"
	// Throttled: the site asked for fewer requests.
	Throttled Kind = "throttled"
	// Changed: the site answered, but not with what its recipe expects.
	Changed Kind = "changed"
	// Unclear: the site answered with what its recipe expects, and what it says of the one thing that was asked for is
	// not understood.
	Unclear Kind = "unclear"
	// Refused: our own guard or politeness did not let the request out; the site is not to blame.
	Refused Kind = "refused"
	// Unavailable: the path is not set up here, such as a browser that is not installed.
	Unavailable Kind = "unavailable"
)

// Failure is why a fetch, a render or a path failed. Find it with errors.As.
type Failure struct {
	Kind Kind
	// Reason is for logs and operators. It holds no secret: URLs are printed without query.
	Reason string
	// RetryAfter is what the site asked for; 0 when it did not.
	RetryAfter time.Duration
	// Page is what the site answered, when it answered at all.
	Page *Page

	cause error
}

// Failf makes a Failure; %w keeps a cause.
func Failf(kind Kind, format string, args ...any) *Failure {
	err := fmt.Errorf(format, args...)
	return &Failure{Kind: kind, Reason: err.Error(), cause: errors.Unwrap(err)}
}

func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Reason }

// Unwrap returns the cause, if any.
func (f *Failure) Unwrap() error { return f.cause }

// KindOf is the kind of the Failure in err's chain; empty when there is none.
func KindOf(err error) Kind {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f.Kind
	}
	return ""
}
