package contracts

import "fmt"

// Environment tells real data from the sandbox's. The two never mix.
type Environment string

const (
	// Live is answered from the real sites.
	Live Environment = "live"
	// Test is answered from the sandbox.
	Test Environment = "test"
)

// Environments lists both, live first.
var Environments = []Environment{Live, Test}

// ParseEnvironment accepts "live" and "test" exactly.
func ParseEnvironment(s string) (Environment, error) {
	switch e := Environment(s); e {
	case Live, Test:
		return e, nil
	}
	return "", fmt.Errorf("environment %q: want live or test", s)
}

// UnmarshalText makes an Environment a setting that is refused when misspelt.
func (e *Environment) UnmarshalText(text []byte) error {
	parsed, err := ParseEnvironment(string(text))
	if err != nil {
		return err
	}
	*e = parsed
	return nil
}
