package newyork_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/newyork"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	activeCSV = `"licensepermitid","premisescounty","class","legalname","dba","actualaddressofpremises","city","zipcode","expirationdate","statename","additionaladdressinformation","description"
"0340-22-106125","New York","0340","TORALTON INC","TORALTON'S","1 CANAL ST","NEW YORK","10013","2024-05-31T00:00:00.000","NY","2ND FLOOR","Restaurant"
"0340-22-106126","Kings","0340","TORALTON TWO INC","","3 CANAL ST","BROOKLYN","11201","soon","NY","","Restaurant"
`
	inactiveCSV = `"license_permit_id","premises_county","type","class","description","legalname","dba","actual_address_of_premises","city","zip_code","original_issue_date","expiration_date"
"0240-21-113355","Kings","RW","240","Restaurant Wine","TORALTON & SON LLC","ONE MORE <RM>, CHA CHA","88 N 3RD ST","BROOKLYN","112491234","2012-03-01T00:00:00.000","2023-02-28T00:00:00.000"
`
)

// sets plays the two data sets, as tables that can be taken whole. counted are the rows of the first one by its service.
func sets(t *testing.T, counted string) register.Deps {
	t.Helper()
	return registertest.Deps(t, map[string]http.Handler{"data.ny.gov": registertest.Table(map[string]string{
		"9s3h-dpkz.csv?$select=licensepermitid,": activeCSV, "6dg3-2z7i.csv?$order=:id&": inactiveCSV,
		"9s3h-dpkz.json?$select=count(*)": `[{"matches":"` + counted + `"}]`, "6dg3-2z7i.json?$select=count(*)": `[{"matches":"1"}]`,
	})})
}

func search(t *testing.T, d register.Deps, q register.Question) (scrape.Reading[register.Answer], error) {
	t.Helper()
	return newyork.Recipe(d).Paths(register.Search)[0].Read(t.Context(), q)
}

// Both sets are searched together. Each match is read as a lookup reads it.
func TestSearchInTheCopy(t *testing.T) {
	got, err := search(t, sets(t, "2"), registertest.Query(contracts.Query{OwnerName: "toralton"}))
	if err != nil || got.Value.Total != 3 || len(got.Value.Records) != 3 {
		t.Fatalf("%s, %v", registertest.Show(got.Value), err)
	}
	want := contracts.LicenseRecord{
		LicenseNumber: "0240-21-113355", LicenseTypeCode: "0240", LicenseTypeName: "Restaurant Wine", DBAName: "ONE MORE <RM>, CHA CHA", OwnerName: "TORALTON & SON LLC",
		ExpirationDate: "2023-02-28", Status: contracts.Expired, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{Street: "88 N 3RD ST", City: "BROOKLYN", ZipCode: "11249-1234", County: "Kings", Raw: "88 N 3RD ST, BROOKLYN, 112491234"},
	}
	if !registertest.Same(&got.Value.Records[0], &want) {
		t.Errorf("\n got %s\nwant %s", registertest.Show(got.Value.Records[0]), registertest.Show(want))
	}
	if r := got.Value.Records[1]; r.Status != contracts.Active || r.Address.Raw != "1 CANAL ST, 2ND FLOOR, NEW YORK, NY, 10013" {
		t.Errorf("active: %s", registertest.Show(r))
	}
	notes := registertest.Show(got.Value.Notes)
	for _, part := range []string{"9s3h-dpkz.csv", "6dg3-2z7i.csv", "STATUS_INFERRED", "Of 1 of the matches: The source shows expiration_date in a way"} {
		if !strings.Contains(notes, part) {
			t.Errorf("no %s in %s", part, notes)
		}
	}
	if got, err := search(t, sets(t, "2"), registertest.Query(contracts.Query{DBAName: "no such name"})); err != nil || got.Confidence() != 1 || !got.Value.Complete {
		t.Errorf("both sets prove absence: %s, %v", registertest.Show(got.Value), err)
	}
}

// While a license is renewed it may stand there twice: its newest term counts.
func TestTheNewestTermInTheCopy(t *testing.T) {
	row := strings.Split(activeCSV, "\n")[1]
	renewed := strings.Replace(row, "2024-05-31", "2028-05-31", 1)
	for _, rows := range []string{row + "\n" + renewed, renewed + "\n" + row} {
		d := registertest.Deps(t, map[string]http.Handler{"data.ny.gov": registertest.Table(map[string]string{
			"9s3h-dpkz.csv?$select=licensepermitid,": strings.Split(activeCSV, "\n")[0] + "\n" + rows + "\n", "6dg3-2z7i.csv?$order=:id&": inactiveCSV,
			"9s3h-dpkz.json?$select=count(*)": `[{"matches":"2"}]`, "6dg3-2z7i.json?$select=count(*)": `[{"matches":"1"}]`,
		})})
		got, err := search(t, d, registertest.Query(contracts.Query{DBAName: "toralton's"}))
		if err != nil || got.Value.Total != 1 || got.Value.Records[0].ExpirationDate != "2028-05-31" {
			t.Errorf("%s, %v", registertest.Show(got.Value), err)
		}
	}
}

// What is not whole, not in time, or not what is asked for is left to the data sets themselves.
func TestTheCopyIsNotUsed(t *testing.T) {
	for name, tt := range map[string]struct {
		counted string
		later   time.Duration
		fresh   bool
		kind    scrape.Kind
	}{
		"cut off":                      {counted: "3", kind: scrape.Changed},
		"too old":                      {counted: "2", later: contracts.LicenseTTL + time.Minute, kind: scrape.Unavailable},
		"for what the source says now": {counted: "2", fresh: true, kind: scrape.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			d := sets(t, tt.counted)
			d.Clock = func() time.Time { return time.Now().Add(tt.later) }
			q := registertest.Query(contracts.Query{OwnerName: "toralton"})
			q.Fresh = tt.fresh
			if got, err := search(t, d, q); scrape.KindOf(err) != tt.kind {
				t.Errorf("%s, %v", registertest.Show(got.Value), err)
			}
		})
	}
}

// An answer is verified by what was read, however long ago, and without asking anything else.
func TestTheCopyIsReadAgain(t *testing.T) {
	live, at := sets(t, "2"), time.Now().Add(-90*24*time.Hour)
	recipe := newyork.Recipe(live)
	q := registertest.Query(contracts.Query{OwnerName: "toralton"})
	first, err := recipe.Paths(register.Search)[0].Read(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var pages []*scrape.Page
	for _, part := range strings.Split(first.Value.Notes[0].Message, " ") {
		if address, ok := strings.CutPrefix(part, "https://"); ok {
			body := map[bool]string{true: activeCSV, false: inactiveCSV}[strings.Contains(address, "9s3h")]
			pages = append(pages, &scrape.Page{URL: part, Status: http.StatusOK, Header: http.Header{}, Body: []byte(body), ReadAt: at})
		}
	}
	fetcher := scrape.NewReplay(pages)
	mirrors, err := mirror.Open(t.Context(), mirror.Deps{Environment: contracts.Test, Fetcher: fetcher, Reread: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mirrors.Close(t.Context()) }()
	d := register.Deps{Environment: contracts.Test, Fetcher: fetcher, Mirrors: mirrors, Clock: func() time.Time { return at }}
	again, err := search(t, d, q)
	if err != nil || registertest.Show(again.Value.Records) != registertest.Show(first.Value.Records) || again.EvidenceURL != first.EvidenceURL {
		t.Errorf("%s, %v", registertest.Show(again.Value), err)
	}
}
