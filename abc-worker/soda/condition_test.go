package soda

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/abc-worker/fold"
	"assay.dev/sandbox/opendata"
)

func TestConditions(t *testing.T) {
	for name, tt := range map[string]struct{ got, want string }{
		"equal":     {Equal("legacy_clp", "bg571927"), `upper(legacy_clp)='BG571927'`},
		"quotes":    {Quote("o'brien"), `'o''brien'`},
		"wildcards": {Holds([]string{`100%_\`}, "dba"), `upper(dba) like '%100\%\_\\%'`},
		"two parts": {Holds([]string{"RAMOS", "INES"}, "owner"), `(upper(owner) like '%RAMOS%' and upper(owner) like '%INES%')`},
		"two columns": {Holds([]string{"WACO"}, "address", "city"),
			`(upper(address) like '%WACO%' or upper(city) like '%WACO%')`},
		"no letter to vary": {HoldsAccented([]string{"7", "11", "3"}, "dba"), ""},
		"one letter": {HoldsAccented([]string{"BNY"}, "dba"),
			`((upper(dba) like '%Ñ%' or upper(dba) like '%Ý%') and upper(dba) like '%B__%')`},
		"injection": {Holds([]string{"X' OR '1'='1"}, "dba"), `upper(dba) like '%X'' OR ''1''=''1%'`},
	} {
		if tt.got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", name, tt.got, tt.want)
		}
	}
}

// Whatever is asked, the conditions are well formed, find every row that holds it, and the plain one no other.
func TestConditionsFindWhatIsThere(t *testing.T) {
	letters := rapid.StringOfN(rapid.RuneFrom([]rune(`ABCENOUYabcenou'%_\"()=-&<>ÁÉÑÜÇéñ `)), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		text, before, after := letters.Draw(t, "text"), letters.Draw(t, "before"), letters.Draw(t, "after")
		value := strings.Join(strings.Fields(before+text+after), " ")
		if rapid.Bool().Draw(t, "another") {
			value = letters.Draw(t, "value")
		}
		parts := fold.Parts(text)
		if len(parts) == 0 {
			t.Skip("nothing is asked for")
		}
		known, row := []string{"dba"}, opendata.Row{value}
		plain := parse(t, Holds(parts, "dba"), known)(row)
		accented := false
		if condition := HoldsAccented(parts, "dba"); condition != "" {
			accented = parse(t, condition, known)(row)
		}
		holds := fold.HasParts(fold.String(value), parts)
		if holds && !plain && !accented {
			t.Errorf("%q is in %q and not found", text, value)
		}
		if plain && !holds {
			t.Errorf("%q is not in %q and found", text, value)
		}
	})
}

// The same of addresses: with the condition for other spellings every row is found that holds the filter.
func TestConditionsFindAddresses(t *testing.T) {
	word := rapid.SampledFrom([]string{"3314", "Second", "2nd", "St.", "STREET", "N", "north", "Peña", "94901", "o'x", "boulevard", "BLVD", "Saint"})
	words := rapid.SliceOfN(word, 1, 4)
	rapid.Check(t, func(t *rapid.T) {
		parts := fold.Parts(strings.Join(words.Draw(t, "filter"), " "))
		street, city := strings.Join(words.Draw(t, "street"), " "), word.Draw(t, "city")
		zip := rapid.SampledFrom([]string{"", "94901", "949011234"}).Draw(t, "zip")
		known, row := []string{"street", "city", "zip"}, opendata.Row{street, city, zip}
		found := parse(t, Holds(parts, "street", "city"), known)(row)
		if condition := HoldsAddress(parts, "zip", "street", "city"); condition != "" {
			found = found || parse(t, condition, known)(row)
		}
		if !found && fold.HoldsAddress(fold.String(street+" "+city), zip, parts) {
			t.Errorf("%v are in %v and not found", parts, row)
		}
	})
}

func parse(t *rapid.T, condition string, columns []string) opendata.Predicate {
	p, err := opendata.ParsePredicate(condition, columns)
	if err != nil {
		t.Fatalf("%s: %v", condition, err)
	}
	return p
}
