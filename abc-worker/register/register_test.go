package register_test

import (
	"fmt"
	"testing"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

func ExampleDate() {
	for _, text := range []string{"15-NOV-2023", "", "soon"} {
		date, clean := register.Date(text, "2-Jan-2006", time.DateOnly)
		fmt.Printf("%q %v\n", date, clean)
	}
	// Output:
	// "2023-11-15" true
	// "" true
	// "" false
}

func ExampleSplitAtTwoBlanks() {
	street, city, ok := register.SplitAtTwoBlanks("4008 RIDGE LN STE 4  ST CHARLES")
	fmt.Printf("%q %q %v\n", street, city, ok)
	// Output: "4008 RIDGE LN STE 4" "ST CHARLES" true
}

func TestZipCode(t *testing.T) {
	for in, want := range map[string]string{
		"923161234": "92316-1234", "92316-": "92316", "92316-1234": "92316-1234", " 92316 ": "92316", "K1A 0B1": "K1A 0B1",
	} {
		if got := register.ZipCode(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestStatusWords(t *testing.T) {
	words := register.StatusWords{"CURRENT, ACTIVE": contracts.Active, "PENDING": register.NoLicense}
	if s, err := words.Status(" Current,  active "); s != contracts.Active || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	if _, err := words.Status("odd"); scrape.KindOf(err) != scrape.Unclear {
		t.Errorf("a word that is not known: %v", err)
	}
}

func TestMatchesLiterally(t *testing.T) {
	r := contracts.LicenseRecord{DBAName: "CAFÉ ROMA", Address: contracts.Address{Street: "1 MAIN ST", City: "FRESNO"}}
	for q, want := range map[contracts.Query][2]bool{ // matches, matches literally
		{DBAName: "roma"}:                  {true, true},
		{DBAName: "cafe"}:                  {true, false},
		{DBAName: "roma", Address: "main"}: {true, true},
		{Address: "fresno main"}:           {true, true}, // street and city together, in any order
		{DBAName: "roma caf"}:              {true, true},
		{DBAName: "napoli"}:                {false, false},
	} {
		if got := [2]bool{register.Matches(q, r), register.MatchesLiterally(q, r)}; got != want {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
	}
}
