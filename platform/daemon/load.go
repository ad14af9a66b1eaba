package daemon

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"

	"assay.dev/contracts"
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
			errs = append(errs, wanted(s, value, parse.Err))
		}
	}
	if errs == nil {
		return []error{failure}
	}
	return errs
}

// wanted says in words for people what a value should be.
func wanted(s Setting, value string, err error) error {
	var what string
	var number *strconv.NumError
	switch {
	case !errors.As(err, &number) && strings.Contains(err.Error(), "duration"):
		what = "a time such as 30s, 5m or 1h30m"
	case number == nil:
		return fmt.Errorf("%s: %w; it is the %s", s.Variable, err, s.Help)
	case number.Func == "ParseBool":
		what = "true or false"
	case errors.Is(number, strconv.ErrRange):
		what = "a smaller number"
	case number.Func == "ParseFloat":
		what = "a number such as 0.05"
	default:
		what = "a whole number"
	}
	if s.Secret {
		return fmt.Errorf("%s: want %s", s.Variable, what)
	}
	return fmt.Errorf("%s: want %s, not %q", s.Variable, what, contracts.Printable(value))
}

// CheckFile fails unless a file can be made at a path, as far as that can be told without making it: its directory is
// there. An empty path names no file.
func CheckFile(setting, path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s=%s: this is a directory, want a file", setting, path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s=%s: there is no directory %s", setting, path, filepath.Dir(path))
	}
	return nil
}

// CheckURL fails unless text is the URL of a web server. An empty text names none.
func CheckURL(setting, text string) error {
	if u, err := url.Parse(text); text != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return fmt.Errorf("%s=%s: want a URL such as https://collector.example.com", setting, contracts.Printable(text))
	}
	return nil
}

// Once is the errors of several Loads as one, each line of them once: services have settings in common.
func Once(all ...error) error {
	err := errors.Join(all...)
	if err == nil {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return errors.New(strings.Join(lines, "\n"))
}

// validate calls Validate of v and of the structs that are embedded in it. Go promotes the method of an embedded
// struct to the struct around it, so validate may see a complaint twice; it returns each once.
func validate(v reflect.Value) error {
	var errs []error
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Anonymous && f.IsExported() && f.Type.Kind() == reflect.Struct {
			errs = append(errs, validate(v.Field(i)))
		}
	}
	if c, ok := v.Interface().(interface{ Validate() error }); ok {
		errs = append(errs, c.Validate())
	}
	return Once(errs...)
}
