package register_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
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

// A name that no register keeps, or a date that none gives, lowers the confidence below 0.90; a name of more than 16 KB
// is no answer.
func TestOverlongNames(t *testing.T) {
	for name, c := range map[string]struct {
		dba, owner int
		expires    contracts.Date
		sure       bool
		fails      bool
	}{
		"a name of 1 KB":         {dba: 1 << 10, owner: 9, sure: true},
		"in ten years":           {owner: 9, expires: "2036-11-27", sure: true},
		"a day later":            {owner: 9, expires: "2036-11-28"},
		"for ever":               {owner: 9, expires: "9999-12-31"},
		"a longer trade name":    {dba: 1<<10 + 1, owner: 9},
		"a longer owner":         {dba: 0, owner: 1<<10 + 1},
		"more than 16 KB":        {dba: 16<<10 + 1, owner: 9, fails: true},
		"an owner of more of it": {dba: 0, owner: 3 << 20, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			record := register.Record{LicenseRecord: contracts.LicenseRecord{
				LicenseNumber: "1", LicenseTypeCode: "20", DBAName: strings.Repeat("D", c.dba), OwnerName: strings.Repeat("O", c.owner),
				ExpirationDate: cmp.Or(c.expires, "2027-01-01"), Status: contracts.Active, Address: contracts.Address{Street: "1 MAIN ST", City: "FRESNO", ZipCode: "93650"},
			}}
			path := register.Path{Name: "page", Noun: "the page", Read: func(context.Context, register.Question) (register.Reading, error) {
				return register.Reading{Records: []register.Record{record}}, nil
			}}
			recipe := register.Recipe{
				Required: map[register.Operation]contracts.Members{register.Lookup: register.Common},
				Lookup:   []register.Path{path}, Zone: time.UTC,
				Clock: func() time.Time { return time.Date(2026, time.November, 27, 12, 0, 0, 0, time.UTC) },
			}
			r, err := recipe.Paths(register.Lookup)[0].Read(t.Context(), register.Question{})
			if (err != nil) != c.fails {
				t.Fatal(err)
			}
			if !c.fails && (r.Tally.Confidence() >= 0.90) != c.sure {
				t.Errorf("the confidence is %v", r.Tally.Confidence())
			}
		})
	}
}

// The age of data counts in days of the state's zone: nothing was missed while its offices were closed.
func TestTheAgeOfData(t *testing.T) {
	at := func(text string) time.Time {
		at, err := time.ParseInLocation("2006-01-02 15:04", text, contracts.CA.Zone())
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for name, c := range map[string]struct {
		published, since, now string
		schedule              int
		old, fails            bool
	}{
		"the Monday after Thanksgiving": {published: "2026-11-25 03:50", now: "2026-11-30 23:59", schedule: register.BusinessDays},
		"the Tuesday after it":          {published: "2026-11-25 03:50", now: "2026-12-01 00:00", schedule: register.BusinessDays, old: true},
		"a Monday that is a holiday":    {published: "2026-09-04 03:50", now: "2026-09-09 07:00", schedule: register.BusinessDays},
		"a day without its time":        {published: "2026-12-23 00:00", now: "2026-12-28 12:00", schedule: register.BusinessDays},
		"over the end of summer time":   {published: "2026-10-30 00:00", now: "2026-11-02 23:59", schedule: register.Daily},
		"a day later":                   {published: "2026-10-30 23:59", now: "2026-11-03 00:00", schedule: register.Daily, old: true},
		"thirty days":                   {published: "2026-10-31 00:00", now: "2026-11-30 23:59", schedule: register.Daily, old: true},
		"no date, the same for days":    {since: "2026-10-26 12:00", now: "2026-10-30 12:00", schedule: register.Daily, old: true},
		"no date, the same for long":    {since: "2026-09-29 12:00", now: "2026-10-30 12:00", schedule: register.Daily, fails: true},
		"no date, and new":              {since: "2026-10-29 12:00", now: "2026-10-30 12:00", schedule: register.Daily},
		"one file of two has a date":    {published: "2026-10-30 03:50", since: "2026-10-26 12:00", now: "2026-10-30 12:00", schedule: register.Daily, old: true},
		"thirty-one":                    {published: "2026-10-30 23:59", now: "2026-11-30 00:00", schedule: register.Daily, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			recipe := register.Recipe{
				Zone: contracts.CA.Zone(), Clock: func() time.Time { return at(c.now).UTC() },
				Lookup: []register.Path{{Noun: "the file", Schedule: c.schedule,
					Read: func(context.Context, register.Question) (register.Reading, error) {
						r := register.Reading{Records: make([]register.Record, 1), ReadAt: at(c.now)}
						if c.published != "" {
							r.PublishedAt = at(c.published).UTC()
						}
						if c.since != "" {
							r.DataDate = at(c.since).UTC()
						}
						return r, nil
					}}},
			}
			r, err := recipe.Paths(register.Lookup)[0].Read(t.Context(), register.Question{})
			isOld := slices.ContainsFunc(r.Value.Notes, func(n contracts.Note) bool { return n.Code == contracts.NoteSourceOld })
			if (err != nil) != c.fails || isOld != c.old {
				t.Errorf("old is %v, %v", isOld, err)
			}
		})
	}
}
