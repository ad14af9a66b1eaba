package solver

import "errors"

// Kind says what to do after a failure. It is the root of every error of this package that tells of one; beside it
// stands the service's own word.
type Kind string

func (k Kind) Error() string { return "solver: " + string(k) }

const (
	// AccountRefused: the key, the balance or our address is refused. Nothing will be solved until an operator acts.
	AccountRefused Kind = "account"
	// Unsolvable: this image cannot be solved; another may.
	Unsolvable Kind = "unsolvable"
	// Busy: the service is full; wait.
	Busy Kind = "busy"
	// Rejected: the request was wrong; that is our mistake.
	Rejected Kind = "rejected"
	// Unreachable: no sensible answer; wait.
	Unreachable Kind = "unreachable"
	// Lost: the request went out and no answer came back.
	Lost Kind = "lost"
	// Hostile: the answer is not of the protocol.
	Hostile Kind = "hostile"
)

// Kinds lists all.
var Kinds = []Kind{AccountRefused, Unsolvable, Busy, Rejected, Unreachable, Lost, Hostile}

// errorKinds maps the family's error codes. CAPCHA is how they spell it.
var errorKinds = map[string]Kind{
	"ERROR_KEY_DOES_NOT_EXIST":       AccountRefused,
	"ERROR_WRONG_USER_KEY":           AccountRefused,
	"ERROR_ZERO_BALANCE":             AccountRefused,
	"ERROR_IP_NOT_ALLOWED":           AccountRefused,
	"IP_BANNED":                      AccountRefused,
	"ERROR_CAPTCHA_UNSOLVABLE":       Unsolvable,
	"ERROR_BAD_DUPLICATES":           Unsolvable,
	"ERROR_NO_SLOT_AVAILABLE":        Busy,
	"CAPCHA_NOT_READY":               Busy,
	"ERROR_ZERO_CAPTCHA_FILESIZE":    Rejected,
	"ERROR_TOO_BIG_CAPTCHA_FILESIZE": Rejected,
	"ERROR_IMAGE_TYPE_NOT_SUPPORTED": Rejected,
	"ERROR_NO_SUCH_CAPCHA_ID":        Rejected,
}

// kindOf takes an unknown code for an answer that is not of the protocol.
func kindOf(code string) Kind {
	if k, ok := errorKinds[code]; ok {
		return k
	}
	return Hostile
}

// KindOf is the kind in err's chain; empty when there is none.
func KindOf(err error) (k Kind) {
	errors.As(err, &k)
	return k
}
