package fold_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"assay.dev/abc-worker/fold"
)

func TestString(t *testing.T) {
	for in, want := range map[string]string{
		"Café Cigüeña":                       "CAFE CIGUENA",
		"RAMOS , FRANCISCO JAVIER":           "RAMOS FRANCISCO JAVIER",
		"10892 CEDAR AVE , BLOOMINGTON":      "10892 CEDAR AVE BLOOMINGTON",
		"  O’Brien\t& Sons\r\n":              "O'BRIEN & SONS",
		"Søren Łódź ﬁne straße":              "SOREN LODZ FINE STRASSE",
		"A\u00a0B":                           "A B",
		"CAFE\u0301":                         "CAFE",
		"bad \xff bytes":                     "BAD BYTES",
		"":                                   "",
		" , ":                                "",
		"100% <RM> \"THE SPOT\" under_score": "100% <RM> \"THE SPOT\" UNDER_SCORE",
	} {
		if got := fold.String(in); got != want {
			t.Errorf("%q → %q, want %q", in, got, want)
		}
	}
	if !fold.Contains("CAFÉ CIGÜEÑA", "fe ciguen") || fold.Contains("CAFE", "cafes") || !fold.Contains("", "") {
		t.Error("Contains")
	}
}

func FuzzString(f *testing.F) {
	f.Add("Café , ß\x00ﬁ")
	f.Fuzz(func(t *testing.T, s string) {
		once := fold.String(s)
		if fold.String(once) != once {
			t.Errorf("%q → %q → %q", s, once, fold.String(once))
		}
		if !utf8.ValidString(once) || strings.ContainsAny(once, "\n,") || strings.Contains(once, "  ") {
			t.Errorf("%q → %q", s, once)
		}
	})
}
