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
	for _, tt := range []struct {
		text, filter string
		want         bool
	}{
		{"CAFÉ CIGÜEÑA", "ciguen fe", true}, {"CAFE", "cafes", false}, {"", "", true}, {"7-ELEVEN #12", "eleven, 12", true},
		{"O'BRIEN'S", "O’Brien", true}, {"OBRIEN", "O'Brien", true}, {"BRIAN", "O'Brien", false},
	} {
		if got := fold.HasParts(fold.String(tt.text), fold.Parts(tt.filter)); got != tt.want {
			t.Errorf("%q in %q: %v", tt.filter, tt.text, got)
		}
	}
	if fold.LongestPart("The O'Briens & Co") != "BRIENS" || fold.LongestPart("%_%") != "" {
		t.Error("the longest part")
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
