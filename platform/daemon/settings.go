package daemon

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Environ holds environment variables by name.
type Environ map[string]string

// OSEnviron is the environment of the process.
func OSEnviron() Environ { return env.ToMap(os.Environ()) }

// With is a copy of e in which name has the value.
func (e Environ) With(name, value string) Environ {
	c := maps.Clone(e)
	c[name] = value
	return c
}

// WithDefault is a copy of e in which name has the value unless it has one.
func (e Environ) WithDefault(name, value string) Environ {
	if e[name] != "" {
		return e
	}
	return e.With(name, value)
}

// Setting describes one environment variable of a service.
type Setting struct {
	// Group is the package that reads it.
	Group    string
	Variable string
	Default  string
	Help     string
	Secret   bool
	field    []int // index path in the Config
	name     string
}

const secretFile = "_FILE"

// Settings lists the settings of C, a Config struct with env, envDefault and help tags: the service's own first.
func Settings[C any]() []Setting {
	var own, embedded []Setting
	t := reflect.TypeFor[C]()
	for _, f := range reflect.VisibleFields(t) {
		variable, _, _ := strings.Cut(f.Tag.Get("env"), ",")
		if variable == "" || variable == "-" {
			continue
		}
		s := Setting{
			Group: groupOf(t, f.Index), Variable: variable, Default: f.Tag.Get("envDefault"), Help: f.Tag.Get("help"),
			Secret: f.Type == reflect.TypeFor[Secret](), field: f.Index, name: f.Name,
		}
		if len(f.Index) == 1 {
			own = append(own, s)
		} else {
			embedded = append(embedded, s)
		}
	}
	return append(own, embedded...)
}

// groupOf is the last element of the path of the package that declares the struct around the field.
func groupOf(t reflect.Type, index []int) string {
	if len(index) > 1 {
		t = t.FieldByIndex(index[:len(index)-1]).Type
	}
	return path.Base(t.PkgPath())
}

// Load reads a Config from e and validates it and every Config embedded in it. The error names each variable that is
// wrong and what it wants.
func Load[C any](e Environ) (C, error) {
	var cfg C
	settings := Settings[C]()
	e, err := readSecretFiles(e, settings)
	if err != nil {
		return cfg, err
	}
	if err := env.ParseWithOptions(&cfg, env.Options{Environment: e}); err != nil {
		return cfg, nameVariables(err, settings)
	}
	return cfg, validate(reflect.ValueOf(cfg))
}

func readSecretFiles(e Environ, settings []Setting) (Environ, error) {
	var errs []error
	for _, s := range settings {
		file := e[s.Variable+secretFile]
		if !s.Secret || file == "" {
			continue
		}
		if e[s.Variable] != "" {
			errs = append(errs, fmt.Errorf("%s and %s%s are both set: want one", s.Variable, s.Variable, secretFile))
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s%s: %w", s.Variable, secretFile, err))
			continue
		}
		e = e.With(s.Variable, strings.TrimSpace(string(text)))
	}
	return e, errors.Join(errs...)
}

// nameVariables replaces the names of Go fields in err by those of their variables.
func nameVariables(err error, settings []Setting) error {
	var aggregate env.AggregateError
	if !errors.As(err, &aggregate) {
		return err
	}
	var errs []error
	for _, e := range aggregate.Errors {
		var parse env.ParseError
		if i := slices.IndexFunc(settings, func(s Setting) bool { return errors.As(e, &parse) && s.name == parse.Name }); i >= 0 {
			e = fmt.Errorf("%s: %w", settings[i].Variable, parse.Err)
		}
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// validate calls Validate of v and of the structs embedded in it. An embedded Validate may be promoted: each complaint
// counts once.
func validate(v reflect.Value) error {
	var errs []error
	add := func(err error) {
		if err != nil && !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == err.Error() }) {
			errs = append(errs, err)
		}
	}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Anonymous && f.IsExported() && f.Type.Kind() == reflect.Struct {
			add(validate(v.Field(i)))
		}
	}
	if c, ok := v.Interface().(interface{ Validate() error }); ok {
		add(c.Validate())
	}
	return errors.Join(errs...)
}

// Unknown lists the variables of e that begin with ASSAY_ and that none of the settings reads: likely misspelt.
func Unknown(e Environ, settings ...[]Setting) []string {
	known := map[string]bool{}
	for _, s := range slices.Concat(settings...) {
		known[s.Variable] = true
		known[s.Variable+secretFile] = s.Secret || known[s.Variable+secretFile]
	}
	var unknown []string
	for name := range e {
		if strings.HasPrefix(name, "ASSAY_") && !known[name] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}
