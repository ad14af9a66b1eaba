package newyork_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/opendata"
)

func TestBothSpellings(t *testing.T) {
	register := license.New("2026-11-21", license.Small())
	soda := opendata.NewSoda(time.Unix(0, 0), newyork.Datasets(register)...)
	newer, _ := register.Case(contracts.NY, "serial of two permits, the newer")
	gone, _ := register.Case(contracts.NY, "inactive")

	var found []map[string]any
	ask(t, soda, "/resource/9s3h-dpkz.json", url.Values{"$where": {"legacyserialnumber='" + newer.Forms[0] + "'"}, "$order": {"effectivedate"}}, &found)
	if len(found) != 2 || found[1]["licensepermitid"] != newer.Number {
		t.Errorf("found %v, want two, %s last", found, newer.Number)
	}
	ask(t, soda, "/resource/6dg3-2z7i.json", url.Values{"license_permit_id": {gone.Number}}, &found)
	if len(found) != 1 || found[0]["class"].(string) != gone.Primary.LicenseTypeCode[1:] {
		t.Errorf("found %v", found)
	}
}

func TestMapKnowsActiveLicensesOnly(t *testing.T) {
	register := license.New("2026-11-21", license.Small())
	var answer struct{ Features []any }
	for name, want := range map[string]int{"plain": 1, "inactive": 0, "additional bar": 1} {
		l, _ := register.Case(contracts.NY, name)
		ask(t, newyork.Map(register), "/kHNnQD79LvY0XnKy/arcgis/rest/services/ActiveLicensesV3/FeatureServer/0/query",
			url.Values{"f": {"json"}, "where": {"LicensePermitID='" + l.Number + "'"}, "outFields": {"*"}}, &answer)
		if len(answer.Features) != want {
			t.Errorf("%s: %d features, want %d", name, len(answer.Features), want)
		}
	}
}

func ask(t *testing.T, h http.Handler, path string, query url.Values, into any) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+"?"+query.Encode(), http.NoBody))
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
}
