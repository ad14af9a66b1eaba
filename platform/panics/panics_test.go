package panics_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"assay.dev/platform/panics"
)

func TestCatch(t *testing.T) {
	down := errors.New("down")
	for name, c := range map[string]struct {
		f      func() error
		want   string
		logged string
	}{
		"success": {func() error { return nil }, "", ""},
		"failure": {func() error { return down }, "down", ""},
		"panic":   {func() error { panic("a map is nil") }, "panic: a map is nil", "panics_test.go"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			before := panics.Caught()
			err := panics.Catch(t.Context(), slog.New(slog.NewTextHandler(&log, nil)), c.f)
			if err == nil && c.want != "" || err != nil && err.Error() != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if (log.Len() > 0) != (c.logged != "") || !strings.Contains(log.String(), c.logged) {
				t.Errorf("logged %q, want %q in it", log.String(), c.logged)
			}
			if counted := panics.Caught() > before; counted != (c.logged != "") {
				t.Errorf("counted: %t", counted)
			}
		})
	}
}
