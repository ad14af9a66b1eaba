package newyork_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/abc-worker/newyork"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The sources here are written by hand in the shapes that the real ones are known to have, not by the sandbox.

// The inactive set has few columns, and its spellings.
func TestDataSetRows(t *testing.T) {
	const inactive = `[{"license_permit_id":"0240-21-113355","premises_county":"Kings","type":"RW","class":"240","description":"Restaurant Wine",
"legalname":"BRANDOVAR LLC & MAVISKET LLC","dba":"ONE MORE CHA <RM>, CHA CHA","actual_address_of_premises":"88 N 3RD ST","city":"BROOKLYN",
"zip_code":"112491234","original_issue_date":"2012-03-01T00:00:00.000","expiration_date":"2023-02-28T00:00:00.000"}]`
	const active = `{"licensepermitid":"0340-22-%s","premisescounty":"New York","type":"OP","class":"0340","description":"Restaurant","legalname":"TORALTON INC",
"actualaddressofpremises":"1 CANAL ST","city":"NEW YORK","statename":"NY","zipcode":"10013","effectivedate":"%s","expirationdate":"2024-05-31T00:00:00.000",
"legacyserialnumber":"1234567","georeference":{"type":"Point","coordinates":[-73.99,40.71]}}`
	deps := registertest.Deps(t, map[string]http.Handler{"data.ny.gov": registertest.Table(map[string]string{
		"6dg3-2z7i.json?$where=license_permit_id='0240-21-113355'": inactive,
		"9s3h-dpkz.json?$where=licensepermitid='0340-22-106125'": "[" + fmt.Sprintf(active, "106125",
			"2022-06-01T00:00:00.000") + "]",
		"9s3h-dpkz.json?$where=licensepermitid='0340-22-106126'": "[" + strings.Replace(fmt.Sprintf(active, "106126",
			"2022-06-01T00:00:00.000"), `{`, `{"license_status":"Suspended",`, 1) + "]",
		"9s3h-dpkz.json?$where=legacyserialnumber='1234567'": "[" + fmt.Sprintf(active, "106125",
			"2022-06-01T00:00:00.000") + "," +
			fmt.Sprintf(active, "206125", "2024-06-01T00:00:00.000") + "]",
		"6dg3-2z7i.json?$where=legacy_serial_number": `{"message":"No such column: legacy_serial_number","errorCode":"query.soql.no-such-column","data":{}}`,
		"6dg3-2z7i.json?$order=":                     inactive,
		"9s3h-dpkz.json?$order=":                     "[" + fmt.Sprintf(active, "106125", "2022-06-01T00:00:00.000") + "]",
	})})
	read := newyork.Recipe(deps).Paths(register.Lookup)[0].Read
	got, err := read(t.Context(), registertest.Number("0240-21-113355"))
	want := contracts.LicenseRecord{
		LicenseNumber: "0240-21-113355", LicenseTypeCode: "0240", LicenseTypeName: "Restaurant Wine", DBAName: "ONE MORE CHA <RM>, CHA CHA",
		OwnerName:      "BRANDOVAR LLC & MAVISKET LLC",
		ExpirationDate: "2023-02-28", Status: contracts.Expired, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{Street: "88 N 3RD ST", City: "BROOKLYN", ZipCode: "11249-1234", County: "Kings", Raw: "88 N 3RD ST, BROOKLYN, 112491234"},
	}
	if err != nil || !registertest.Same(registertest.Found(got), &want) || got.Confidence() != 0.87 ||
		!strings.Contains(got.EvidenceURL, "6dg3-2z7i") {
		t.Errorf("inactive: %s, %v, %v", registertest.Show(got.Value), err, got.EvidenceURL)
	}
	if got, err = read(t.Context(), registertest.Number("0340-22-106125")); err != nil || registertest.Found(got).Status != contracts.Active ||
		registertest.Found(got).DBAName != "" {
		t.Errorf("active past its date: %s, %v", registertest.Show(got.Value), err)
	}
	if got, err = read(t.Context(), registertest.Number("0340-22-106126")); scrape.KindOf(err) != scrape.Unclear {
		t.Errorf("a status that the set never had: %s, %v", registertest.Show(got.Value), err)
	}
	if got, err = read(t.Context(), registertest.Number("1234567")); err != nil || registertest.Found(got).LicenseNumber != "0340-22-206125" {
		t.Errorf("the newer of two with one serial: %s, %v", registertest.Show(got.Value), err)
	}
	if got, err = read(t.Context(), registertest.Number("0340-22-999999")); err != nil || len(got.Value.Records) != 0 ||
		!strings.Contains(got.EvidenceURL, "0340-22-999999") {
		t.Errorf("in neither set: %s, %v, %s", registertest.Show(got.Value), err, got.EvidenceURL)
	}
	if got, err = read(t.Context(), registertest.Number("7654321")); scrape.KindOf(err) != scrape.Unavailable {
		t.Errorf("a column of former numbers is missing: %s, %v", registertest.Show(got.Value), err)
	}
}

// A set may print its numbers without the zeros before them.
func TestNumbersWithoutZeros(t *testing.T) {
	const active, inactive = `[{"licensepermitid":"340-22-106125","class":"340"}]`, `[{"license_permit_id":"240-21-113355"}]`
	deps := registertest.Deps(t, map[string]http.Handler{"data.ny.gov": registertest.Table(map[string]string{
		"9s3h-dpkz.json?$where=licensepermitid='340-22-106125'": active, "6dg3-2z7i.json?$where=license_permit_id='240-21-113355'": inactive,
		"9s3h-dpkz.json?$order=": active, "6dg3-2z7i.json?$order=": inactive,
		"9s3h-dpkz.json?$where=licensepermitid='0340-22-206125'": `[{"licensepermitid":"0340-22-206125"}]`, // with zeros in one set alone
		"license_permit_id='340-22-206125'":                      `[{"license_permit_id":"340-22-206125"}]`,
	})})
	got, err := newyork.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number("0340-22-206125"))
	if scrape.KindOf(err) != scrape.Unclear {
		t.Errorf("in both sets: %s, %v", registertest.Show(got.Value), err)
	}
	for number, want := range map[string]contracts.Status{"0340-22-106125": contracts.Active, "0240-21-113355": contracts.Expired, "0340-22-999999": ""} {
		got, err := newyork.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number(number))
		if l := registertest.Found(got); err != nil || want == "" && l != nil || want != "" && (l == nil || l.Status != want || l.LicenseNumber != number) {
			t.Errorf("%s: %s, %v", number, registertest.Show(got.Value), err)
		}
	}
}

// A license that stands in both sets is ACTIVE only where the inactive one has an older term of it, and was read. What was read of the
// active set alone, before the other one was asked, is understood as it was.
func TestALicenseInBothSets(t *testing.T) {
	const number, expires = "0340-22-106125", `"expirationdate":"2024-05-31T00:00:00.000"`
	const active = `[{"licensepermitid":"` + number + `","class":"0340",` + expires + `}]`
	var address string
	inactive := strings.NewReplacer("licensepermitid", "license_permit_id", "expirationdate", "expiration_date").Replace(active)
	for name, tt := range map[string]struct {
		inactive string
		want     scrape.Kind
	}{
		"only in the active one": {`[]`, ""},
		"with an older term":     {strings.ReplaceAll(inactive, "2024", "2022"), ""},
		"with the same term":     {inactive, scrape.Unclear},
		"with a later term":      {strings.ReplaceAll(inactive, "2024", "2026"), scrape.Unclear},
		"with no term":           {strings.ReplaceAll(inactive, "2024", "soon"), scrape.Unclear},
		"the other one unread":   {`{"message":"No such column","errorCode":"query.soql.no-such-column","data":{}}`, scrape.Changed},
	} {
		deps := registertest.Deps(t, map[string]http.Handler{"data.ny.gov": registertest.Table(map[string]string{
			"9s3h-dpkz.json?$where=": active, "6dg3-2z7i.json?$where=": tt.inactive,
		})})
		got, err := newyork.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number(number))
		if scrape.KindOf(err) != tt.want || err == nil && registertest.Found(got).Status != contracts.Active {
			t.Errorf("%s: %s, %v", name, registertest.Show(got.Value), err)
		}
		address = cmp.Or(got.EvidenceURL, address)
	}
	deps := registertest.Deps(t, nil)
	deps.Fetcher = scrape.NewReplay([]*scrape.Page{registertest.Page(address, active)})
	got, err := newyork.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number(number))
	if err != nil || registertest.Found(got).Status != contracts.Active {
		t.Errorf("read again: %s, %v", registertest.Show(got.Value), err)
	}
}

// That a license is in neither set is as old as the older one, also where the other one does not say how old it is.
func TestOneOldSetProvesNothing(t *testing.T) {
	for _, old := range []string{"9s3h-dpkz", "6dg3-2z7i"} {
		table := registertest.Table(map[string]string{
			"9s3h-dpkz.json?$order=": `[{"licensepermitid":"0340-22-106125"}]`, "6dg3-2z7i.json?$order=": `[{"license_permit_id":"0240-21-113355"}]`,
		})
		deps := registertest.Deps(t, map[string]http.Handler{"data.ny.gov": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "views/"+old) {
				_, _ = fmt.Fprintf(w, `{"rowsUpdatedAt":%d}`, time.Now().AddDate(0, 0, -20).Unix())
				return
			}
			table(w, r)
		})})
		got, err := newyork.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number("0340-22-999999"))
		if scrape.KindOf(err) != scrape.Unavailable {
			t.Errorf("%s: %s, %v", old, registertest.Show(got.Value), err)
		}
	}
}

func TestProvesNothingByAnEmptySet(t *testing.T) {
	const active, inactive = `[{"licensepermitid":"0340-22-106125"}]`, `[{"license_permit_id":"0240-21-113355"}]`
	for name, tt := range map[string]struct {
		active, inactive string
		want             scrape.Kind
	}{
		"both empty":         {`[]`, `[]`, scrape.Changed},
		"inactive one empty": {active, `[]`, scrape.Changed},
		"other numbers":      {`[{"licensepermitid":"NA-0340-22-106125"}]`, inactive, scrape.Changed},
		"both there":         {active, inactive, ""},
	} {
		deps := registertest.Deps(t, map[string]http.Handler{"data.ny.gov": registertest.Table(map[string]string{
			"9s3h-dpkz.json?$order=": tt.active, "6dg3-2z7i.json?$order=": tt.inactive,
		})})
		got, err := newyork.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number("0340-22-999999"))
		if scrape.KindOf(err) != tt.want {
			t.Errorf("%s: %s, %v", name, registertest.Show(got.Value), err)
		}
	}
}
