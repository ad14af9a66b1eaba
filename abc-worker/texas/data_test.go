package texas_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/abc-worker/texas"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The sources here are written by hand in the shapes that the real ones are known to have, not by the sandbox.

const dataRow = `[{"license_id":"100001159.0","legacy_clp":"BG571927","license_type":"BG","primary_status":"Active","license_status":"Active",
"secondary_status":"None","expiration_date":"2028-01-25T00:00:00.000","status_change_date":"2026-01-10T00:00:00.000",
"original_issue_date":"2003-01-25T00:00:00.000","trade_name":"QUELTON'S  ICE HOUSE","owner":"QUELTON & DAUGHTERS LLC","address":"4512 DUVAL ST",
"city":"Austin","state":"TX","zip":"787511412","county":"Travis","tier":"Retail","master_file_id":"100001160.0"}]`

func TestDataRows(t *testing.T) {
	deps := registertest.Deps(t, map[string]http.Handler{"data.texas.gov": registertest.Table(map[string]string{
		"license_id=100001159&": dataRow, "upper(legacy_clp)='BG571927'": dataRow, "like '%QUELTON%' and": dataRow,
		"license_id=100000001&": strings.Replace(strings.Replace(dataRow, "100001159.0", "100000001.0", 1),
			`"Active","license_status"`, `"Expired - Renewal Pending","license_status"`, 1),
		"license_id=100000002&": strings.Replace(strings.Replace(dataRow, "100001159.0", "100000002.0", 1),
			`"Active","license_status"`, `"Under Review","license_status"`, 1),
		"license_id=100000003&": dataRow,
		"license_id=100000005&": strings.Replace(strings.Replace(dataRow, "100001159.0", "100000005.0", 1), `"None"`, `"Suspended - Summary"`, 1),
		"license_id=100000006&": strings.Replace(strings.Replace(dataRow, "100001159.0", "100000006.0", 1),
			`"license_status":"Active"`, `"license_status":"Cancelled"`, 1),
		"license_id=100000004&": `[{"license_id":"100000004.0","license_type":"P","primary_status":"Cancelled","owner":"X","address":"1 A ST","city":"WACO","zip":"76701"}]`,
	})})
	recipe := texas.Recipe(deps)
	want := contracts.LicenseRecord{
		LicenseNumber: "100001159", LicenseTypeCode: "BG", DBAName: "QUELTON'S ICE HOUSE",
		OwnerName:      "QUELTON & DAUGHTERS LLC",
		ExpirationDate: "2028-01-25", Status: contracts.Active, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{Street: "4512 DUVAL ST", City: "Austin", State: "TX", ZipCode: "78751-1412",
			County: "Travis", Raw: "4512 DUVAL ST, Austin, TX, 787511412"},
	}
	for _, number := range []string{"100001159", "BG571927"} {
		got, err := recipe.Paths(register.Lookup)[1].Read(t.Context(), registertest.Number(number))
		if err != nil || !registertest.Same(registertest.Found(got), &want) || got.Confidence() != 0.88 ||
			!strings.HasPrefix(got.EvidenceURL, "https://data.texas.gov/resource/7hf9-qc9f.json?$where=") {
			t.Errorf("%s: %s, %v, confidence %v, %s", number, registertest.Show(got.Value), err, got.Confidence(),
				got.EvidenceURL)
		}
	}
	if got, err := recipe.Paths(register.Lookup)[1].Read(t.Context(), registertest.Number("100000001")); err != nil || registertest.Found(got).Status != contracts.Expired {
		t.Errorf("a renewal is pending: %s, %v", registertest.Show(got.Value), err)
	}
	if got, err := recipe.Paths(register.Lookup)[1].Read(t.Context(), registertest.Number("100000004")); err != nil ||
		registertest.Found(got).Status != contracts.Revoked || registertest.Found(got).ExpirationDate != "" || got.Confidence() == 1 {
		t.Errorf("few columns: %s, %v", registertest.Show(got.Value), err)
	}
	for number, want := range map[string]scrape.Kind{"100000002": scrape.Unclear, // a word that is not known
		"100000005": scrape.Unclear, "100000006": scrape.Unclear, // another status beside it
		"100000003": scrape.Changed} { // a row of another license
		if got, err := recipe.Paths(register.Lookup)[1].Read(t.Context(), registertest.Number(number)); scrape.KindOf(err) != want {
			t.Errorf("%s: %s, %v", number, registertest.Show(got.Value), err)
		}
	}
	if got, err := recipe.Paths(register.Lookup)[1].Read(t.Context(), registertest.Number("100009999")); scrape.KindOf(err) != scrape.Unavailable {
		t.Errorf("not in the data: %s, %v", registertest.Show(got.Value), err)
	}
	got, err := recipe.Paths(register.Search)[2].Read(t.Context(), registertest.Query(contracts.Query{DBAName: "quelton's ice"}))
	if err != nil || got.Value.Total != 1 || !registertest.Same(&got.Value.Records[0], &want) {
		t.Errorf("search: %s, %v", registertest.Show(got.Value), err)
	}
}

// A service that takes no longer condition still answers; the confidence tells.
func TestSearchWithoutAccents(t *testing.T) {
	deps := registertest.Deps(t, map[string]http.Handler{"data.texas.gov": registertest.Table(map[string]string{
		" and ":            `{"message":"cannot parse","errorCode":"query.compiler.malformed","data":{}}`,
		"like '%QUELTON%'": dataRow,
	})})
	got, err := texas.Recipe(deps).Paths(register.Search)[2].Read(t.Context(), registertest.Query(contracts.Query{DBAName: "quelton"}))
	if err != nil || got.Value.Total != 1 || got.Confidence() == 1 || got.Confidence() < 0.8 {
		t.Errorf("%s, %v, confidence %v", registertest.Show(got.Value), err, got.Confidence())
	}
}

// Of several rows of a license the newest counts in the copy too, and one that may be as new makes it unclear.
func TestRowsOfOneNumberInTheCopy(t *testing.T) {
	const head = "license_id,legacy_clp,license_type,primary_status,expiration_date,trade_name,owner,address,city,state,zip,county,license_status,secondary_status,original_issue_date\n"
	row := func(status, further, issued string) string {
		return "100001159.0,,BG," + status + ",2028-01-25T00:00:00.000,,QUELTON LLC,1 A ST,WACO,TX,76701,," + further + ",," + issued + "\n"
	}
	active, canceled := row("Active", "Active", "2003-01-25T00:00:00.000"), row("Cancelled", "Cancelled", "2020-01-25T00:00:00.000")
	for name, tt := range map[string]struct {
		rows string
		want contracts.Status // "" for a license that is not understood
	}{
		"one":                       {active, contracts.Active},
		"the same twice":            {active + active, contracts.Active},
		"a newer one":               {active + canceled, contracts.Revoked},
		"an older one":              {canceled + active, contracts.Revoked},
		"another of no day":         {active + row("Cancelled", "Cancelled", ""), contracts.Revoked},
		"another of the same day":   {active + row("Cancelled", "", "2003-01-25T00:00:00.000"), ""},
		"one not understood":        {active + row("Under Review", "", "2003-01-25T00:00:00.000"), ""},
		"another status beside it":  {row("Active", "Suspended", ""), ""},
		"expired by another status": {row("Active", "Expired", ""), contracts.Active},
		"a newer one, other forms": {strings.ReplaceAll(strings.ReplaceAll(active, "2003-01-25T00:00:00.000", "12/25/2019"), "2028-01-25T00:00:00.000", "2028-01-25T00:00:00.000Z") +
			strings.ReplaceAll(canceled, "2020-01-25T00:00:00.000", "01/25/2020"), contracts.Revoked},
	} {
		for i := range 30 { // of which one may be not understood
			tt.rows += strings.NewReplacer("100001159", strconv.Itoa(100002000+i), "QUELTON", "X").Replace(active)
		}
		deps := registertest.Deps(t, map[string]http.Handler{"data.texas.gov": registertest.Table(map[string]string{
			"7hf9-qc9f.csv": head + tt.rows, "$select=count(*)": `[{"matches":"` + strconv.Itoa(strings.Count(tt.rows, "\n")) + `"}]`,
		})})
		got, err := texas.Recipe(deps).Paths(register.Search)[1].Read(t.Context(), registertest.Query(contracts.Query{OwnerName: "quelton"}))
		if l := registertest.Found(got); l != nil && l.ExpirationDate != "2028-01-25" || tt.want == "" && scrape.KindOf(err) != scrape.Unclear || tt.want != "" && (l == nil || l.Status != tt.want) {
			t.Errorf("%s: %s, %v", name, registertest.Show(got.Value), err)
		}
	}
}
