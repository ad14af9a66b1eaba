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

func TestAddressesAsPeopleWriteThem(t *testing.T) {
	for name, tt := range map[string]struct {
		address, zip, filter string
		want                 bool
	}{
		"suffix and ordinal written out":    {"3314 2ND ST SAN RAFAEL", "94901", "3314 Second Street", true},
		"the other way":                     {"3314 SECOND STREET", "94901", "3314 2nd St.", true},
		"as the register has it":            {"3314 SECOND ST", "94901", "3314 Second Street", true},
		"direction":                         {"12 N MAIN ST", "", "12 North Main", true},
		"direction, abbreviated":            {"12 NORTHWEST MAIN", "", "nw main", true},
		"another direction":                 {"12 S MAIN ST", "", "12 North Main", false},
		"unit":                              {"1 OAK AVE STE 4", "", "1 Oak Avenue, Suite 4", true},
		"saint":                             {"1 OAK AVE ST PETERSBURG", "", "Saint Petersburg", true},
		"a street is no saint":              {"1 OAK AVE SAINT PETERSBURG", "", "1 Oak Street", false},
		"a spelling is a word, not a piece": {"1 STONE AVE", "", "1 Street", false},
		"a part is a piece of text":         {"1 STONE AVE", "", "1 ton", true},
		"ZIP code":                          {"1 OAK AVE", "94901-1234", "oak 94901", true},
		"number of a house":                 {"94901 OAK AVE", "10001", "94901 oak", true},
		"neither":                           {"1 OAK AVE", "10001", "94901 oak", false},
		"four digits are no ZIP code":       {"1 OAK AVE", "94901", "9490 oak", false},
		"another ordinal":                   {"3314 3RD ST", "", "3314 Second Street", false},
	} {
		if got := fold.HoldsAddress(fold.String(tt.address), tt.zip, fold.Parts(tt.filter)); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for filter, want := range map[string]string{
		"3314 Second Street": "3314", "Second Street": "SECOND 2ND", "Main Street": "MAIN", "Boulevard": "BL BOUL", "94901": "", "94901 Oak": "OAK",
	} {
		got := ""
		for i, spellings := range fold.SearchTexts(filter) {
			if i == 0 {
				got = strings.Join(spellings, " ")
			}
		}
		if got != want {
			t.Errorf("a form is asked %q for %q, want %q", got, filter, want)
		}
	}
}
