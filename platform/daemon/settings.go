package daemon

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
)

// Setting describes one environment variable of a service.
type Setting struct {
	// Group is the package that reads it.
	Group    string
	Variable string
	Default  string
	Help     string
	Secret   bool
	field    []int  // index path in the Config
	path     string // of Go names, such as Config.SolverConfig.Key
	// no variable can set it: it or a struct around it is unexported, or a struct around it is a pointer
	sealed bool
}

const secretFile = "_FILE"

// Settings lists the settings of C, a Config struct with env, envDefault and help tags: the service's own first. The
// settings of a struct within C are those of C, whatever the names of their fields.
func Settings[C any]() []Setting {
	t := reflect.TypeFor[C]()
	all := settingsIn(t, Setting{path: t.Name()}, nil)
	slices.SortStableFunc(all, func(a, b Setting) int { return min(len(a.field), 2) - min(len(b.field), 2) })
	return all
}

// settingsIn lists the settings of the struct t, which is at the place at. around holds the structs that contain t: a
// pointer in t may lead back to one of them.
func settingsIn(t reflect.Type, at Setting, around []reflect.Type) []Setting {
	if slices.Contains(around, t) {
		return nil
	}
	around = append(slices.Clone(around), t)
	var all []Setting
	for i := range t.NumField() {
		f := t.Field(i)
		variable, _, _ := strings.Cut(f.Tag.Get("env"), ",")
		inner, isStruct := structOf(f.Type)
		s := Setting{
			Group: path.Base(t.PkgPath()), Variable: variable, Default: f.Tag.Get("envDefault"), Help: f.Tag.Get("help"),
			Secret: f.Type == reflect.TypeFor[Secret](), field: append(slices.Clone(at.field), i), path: at.path + "." +
				f.Name,
			sealed: at.sealed || !f.IsExported(),
		}
		switch {
		case variable == "-":
		case variable != "":
			all = append(all, s)
		case isStruct:
			s.sealed = s.sealed || f.Type.Kind() == reflect.Pointer
			all = append(all, settingsIn(inner, s, around)...)
		}
	}
	return all
}

// structOf returns t, or the type that t points to, and whether it is a struct.
func structOf(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t, t.Kind() == reflect.Struct
}

// checkSettings returns an error for each programming mistake in a Config: two fields read one variable, a variable
// cannot set its field, or a setting has no help.
func checkSettings(settings []Setting) error {
	var errs []error
	seen := map[string]string{}
	for _, s := range settings {
		if s.sealed {
			errs = append(errs, fmt.Errorf("%s cannot be set: %s or a struct around it is unexported or a pointer",
				s.Variable,
				s.path))
		}
		if other, twice := seen[s.Variable]; twice {
			errs = append(errs, fmt.Errorf("%s is read by two fields, %s and %s", s.Variable, other, s.path))
		}
		if s.Help == "" {
			errs = append(errs, fmt.Errorf("%s has no help: %s", s.Variable, s.path))
		}
		seen[s.Variable] = s.path
	}
	return errors.Join(errs...)
}
