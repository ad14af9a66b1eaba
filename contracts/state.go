package contracts

import (
	"errors"
	"strings"
	"time"
)

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

// stateNames are the states as people write them, in lower case and without dots.
var stateNames = map[string]State{
	"california": CA, "calif": CA, "texas": TX, "tex": TX, "new york": NY, "florida": FL, "fla": FL,
	"illinois": IL, "ill": IL,
}

// ParseState accepts a code in any case, and what people write for it, such as Texas, N.Y. or Fla. The error is
// NOT_FOUND and names the code.
func ParseState(s string) (State, error) {
	plain := strings.ReplaceAll(s, ".", "")
	if state, ok := FindCode(plain, States); ok {
		return state, nil
	}
	if state, ok := stateNames[strings.ToLower(plain)]; ok {
		return state, nil
	}
	return "", Missing(StateNotServed, "state %q is not supported; GET /v1/abc/states lists the valid codes", Printable(s))
}

// zones are where the states' days begin: those of their regulators.
var zones = map[State]*time.Location{
	CA: mustLoadZone("America/Los_Angeles"), TX: mustLoadZone("America/Chicago"), NY: NewYork, FL: NewYork,
	IL: mustLoadZone("America/Chicago"),
}

// Zone is where the state's days begin.
func (s State) Zone() *time.Location {
	if zone := zones[s]; zone != nil {
		return zone
	}
	return time.UTC
}

// Today is the date in the state at t.
func (s State) Today(t time.Time) Date { return DateOf(t.In(s.Zone())) }

// ParseMoment reads a time as RFC 3339 has it, or a date, which stands for its end in the state.
func (s State) ParseMoment(text string) (time.Time, error) {
	if d, err := ParseDate(text); err == nil {
		return s.midnight(d).AddDate(0, 0, 1), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, errors.New("this is neither a date (2026-03-17) nor a time with its zone (2026-03-17T12:00:00Z); in a " +
			"URL a + in it is written %2B")
	}
	return t, nil
}

// midnight is when a day begins in the state.
func (s State) midnight(d Date) time.Time {
	t := d.Time()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, s.Zone())
}
