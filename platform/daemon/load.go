package daemon

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Load reads a Config from e and validates it and every Config embedded in it. The error names each variable that is
// wrong and what it wants.
func Load[C any](e Environ) (C, error) {
	var cfg C
	settings := Settings[C]()
	if err := checkSettings(settings); err != nil {
		return cfg, err
	}
	e, err := readSecretFiles(e, settings)
	if err != nil {
		return cfg, err
	}
	if err := env.ParseWithOptions(&cfg, env.Options{Environment: e}); err != nil {
		return cfg, errors.Join(wrongValues[C](e, settings, err)...)
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

// wrongValues names the variables whose values cannot be parsed. The parser itself names Go fields, and two structs
// may have a field of the same name, so wrongValues parses each variable alone.
func wrongValues[C any](e Environ, settings []Setting, failure error) []error {
	var errs []error
	for _, s := range settings {
		value, set := e[s.Variable]
		if !set {
			continue
		}
		var cfg C
		var parse env.ParseError
		if err := env.ParseWithOptions(&cfg, env.Options{Environment: Environ{s.Variable: value}}); errors.As(err,
			&parse) {
			errs = append(errs, fmt.Errorf("%s: %w", s.Variable, parse.Err))
		}
	}
	if errs == nil {
		return []error{failure}
	}
	return errs
}

// validate calls Validate of v and of the structs that are embedded in it. Go promotes the method of an embedded
// struct to the struct around it, so validate may see a complaint twice; it returns each once.
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
