package contracts

// State is one of the closed set of states whose licenses are read (contract §1).
type State string

// The states.
const (
	CA State = "CA"
	TX State = "TX"
	NY State = "NY"
	FL State = "FL"
	IL State = "IL"
)

// States lists all, in the contract's order.
var States = []State{CA, TX, NY, FL, IL}

// ParseState accepts a code in any case. The error is NOT_FOUND and names the code.
func ParseState(s string) (State, error) {
	if state, ok := findCode(s, States); ok {
		return state, nil
	}
	return "", Errorf(NotFound, "state %q is not supported; GET /v1/abc/states lists the valid codes", Printable(s))
}
