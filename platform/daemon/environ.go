package daemon

import (
	"maps"
	"os"

	"github.com/caarlos0/env/v11"
)

// Environ holds environment variables by name.
type Environ map[string]string

// OSEnviron is the environment of the process.
func OSEnviron() Environ { return env.ToMap(os.Environ()) }

// With returns a copy of e in which name has the value.
func (e Environ) With(name, value string) Environ {
	c := maps.Clone(e)
	c[name] = value
	return c
}

// WithDefault returns e when name has a value in it, else a copy in which name has the value given.
func (e Environ) WithDefault(name, value string) Environ {
	if e[name] != "" {
		return e
	}
	return e.With(name, value)
}
