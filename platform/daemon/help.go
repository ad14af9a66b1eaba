package daemon

import (
	"fmt"
	"io"
	"net/url"
	"reflect"
)

// PrintSettings writes each setting with its default and its meaning, grouped by the package that reads it.
func PrintSettings(w io.Writer, settings []Setting) {
	group := ""
	for _, s := range settings {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(w, "\nSettings of %s:\n", group)
		}
		fmt.Fprintf(w, "  %s", s.Variable)
		if s.Default != "" {
			fmt.Fprintf(w, " (default %s)", s.Default)
		}
		fmt.Fprintf(w, "\n      %s", s.Help)
		if s.Secret {
			fmt.Fprintf(w, ". Or %s%s, a file that holds it", s.Variable, secretFile)
		}
		fmt.Fprintln(w)
	}
}

// Values lists each setting of cfg as VARIABLE=value. Secrets, and passwords in URLs, are redacted.
func Values[C any](cfg C) []string {
	var lines []string
	for _, s := range Settings[C]() {
		if s.sealed {
			continue
		}
		lines = append(lines, s.Variable+"="+showValue(reflect.ValueOf(cfg).FieldByIndex(s.field)))
	}
	return lines
}

func showValue(v reflect.Value) string {
	text := fmt.Sprint(v.Interface())
	if u, err := url.Parse(text); err == nil && u.User != nil {
		return u.Redacted()
	}
	return text
}
