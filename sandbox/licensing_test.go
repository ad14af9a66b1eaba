package sandbox_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/renderer"
	"assay.dev/sandbox/solver"
)

func licensing(t *testing.T) (*sandbox.Sandbox, *http.Client) {
	t.Helper()
	s, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := s.Client()
	t.Cleanup(func() {
		client.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, client
}

func fetch(t *testing.T, client *http.Client, address string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestStatesUnderTheirRealNames(t *testing.T) {
	s, client := licensing(t)
	register := s.Licensing().Register
	first := func(state contracts.State) license.License { return register.Of(state)[0] }
	for address, want := range map[string]string{
		"https://www.abc.ca.gov/licensing/license-lookup/single-license/?RPTTYPE=12&LICENSE=" +
			first(contracts.CA).Number: first(contracts.CA).Number,
		"https://apps.tabc.texas.gov/publicinquiry/": "__VIEWSTATE",
		"https://data.texas.gov/resource/7hf9-qc9f.json?license_id=" +
			first(contracts.TX).Number: first(contracts.TX).Number + ".0",
		"https://data.ny.gov/resource/9s3h-dpkz.json?licensepermitid=" +
			first(contracts.NY).Number: first(contracts.NY).Number,
		"https://data.ny.gov/api/views/6dg3-2z7i.json": "rowsUpdatedAt",
		"https://services8.arcgis.com/kHNnQD79LvY0XnKy/arcgis/rest/services/ActiveLicensesV3/FeatureServer/0/query?f=json&where=1%3D1": "features",
		"https://www.myfloridalicense.com/wl11.asp":                                                        "SearchType",
		"https://www2.myfloridalicense.com/":                                                               "bd4006lic.csv",
		"https://ilcc.illinois.gov/content/dam/soi/en/web/ilcc/datasources/ilcc-licenses-daily-export.csv": first(contracts.IL).Number,
	} {
		if code, body := fetch(t, client, address); code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d, %q not in %.300s", address, code, want, body)
		}
	}
}

func TestIllinoisThroughTheRenderer(t *testing.T) {
	s, client := licensing(t)
	page := "https://ilcc.illinois.gov/resources/liquor-license-lookup.html"
	if code, _ := fetch(t, client, page); code != http.StatusForbidden {
		t.Errorf("directly: %d", code)
	}
	b := renderer.Usual()
	b.Delay, b.Patience = 0, 50*time.Millisecond
	if err := s.Licensing().Renderer.Behave(b); err != nil {
		t.Fatal(err)
	}
	rendered := "https://" + renderer.Host + "/?" +
		url.Values{"api_key": {renderer.Key}, "render": {"true"}, "url": {page},
			"wait_for_selector": {"span.soi-license-number"}}.Encode()
	if code, body := fetch(t, client, rendered); code != http.StatusOK || strings.Count(body, "License No: ") != 20 {
		t.Errorf("rendered: %d %.300s", code, body)
	}
	if err := s.Fault("ilcc.illinois.gov", "/resources", sandbox.Reset); err != nil {
		t.Fatal(err)
	}
	if code, _ := fetch(t, client, rendered); code != http.StatusInternalServerError {
		t.Errorf("rendered with the site down: %d", code)
	}
	if got := s.Licensing().Renderer.Counts(); got.Credits != 5 || got.Failed != 1 {
		t.Errorf("counts %+v", got)
	}
}

func TestScriptedPagesThroughTheRenderer(t *testing.T) {
	s, client := licensing(t)
	b := renderer.Usual()
	b.Delay = 0
	if err := s.Licensing().Renderer.Behave(b); err != nil {
		t.Fatal(err)
	}
	for page, layout := range map[string]string{
		"https://arcb.com/abf-freight/resources/fuel-surcharge.html":                 "1/02/2006",
		"https://www.estes-express.com/resources/fees-and-surcharges/fuel-surcharge": "01/02/2006",
	} {
		carrier := contracts.ABF
		if strings.Contains(page, "estes") {
			carrier = contracts.ESTES
		}
		week := s.Surcharge(carrier)[0]
		address := "https://" + renderer.Host + "/?" +
			url.Values{"api_key": {renderer.Key}, "render": {"true"}, "url": {page}}.Encode()
		code, body := fetch(t, client, address)
		if code != http.StatusOK || !strings.Contains(body, week.EffectiveDate.Time().Format(layout)) ||
			strings.Contains(body, "{{") || strings.Contains(body, "<script") {
			t.Errorf("%s: %d %s", page, code, body)
		}
		if _, body := fetch(t, client, page); strings.Contains(body, week.EffectiveDate.Time().Format(layout)) {
			t.Errorf("%s shows its figures without scripts", page)
		}
	}
}

func TestLicensingAdmin(t *testing.T) {
	s, _ := licensing(t)
	send := func(method, path, body string, want int) string {
		w := httptest.NewRecorder()
		s.Admin().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
		if w.Code != want {
			t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	ask := func(method, path, body string) string { return send(method, path, body, http.StatusOK) }
	var found []struct {
		Number  string
		Primary *contracts.LicenseRecord
	}
	if err := json.Unmarshal([]byte(ask(http.MethodGet, "/licenses?state=CA&case=canceled&limit=2", "")),
		&found); err != nil || len(found) != 2 || found[0].Primary.Status != contracts.Expired {
		t.Errorf("%v %+v", err, found)
	}
	ask(http.MethodPatch, "/solvers/2captcha/", `{"wrong":0.3,"delay_seconds":0.5}`)
	ask(http.MethodPost, "/solvers/capsolver/failures", `{"failure":"silent","times":1}`)
	ask(http.MethodPatch, "/renderer/", `{"limit":10}`)
	ask(http.MethodPost, "/renderer/failures", `{"failure":"blocked","times":1}`)
	send(http.MethodPost, "/renderer/failures", `{"method":"render","failure":"blocked","times":1}`, http.StatusUnprocessableEntity)
	if got := s.Licensing().Solvers[solver.TwoCaptcha].Behaviour(); got.Wrong != 0.3 || got.Delay != 500*time.Millisecond {
		t.Errorf("behaviour %+v", got)
	}
	if got := s.Licensing().Renderer.Behaviour().Limit; got != 10 {
		t.Errorf("limit %d", got)
	}
}

// A license is changed on its page and in the file of its state, and nothing else is accepted.
func TestALicenseIsChanged(t *testing.T) {
	s, _ := licensing(t)
	admin := httptest.NewServer(s.Admin())
	t.Cleanup(admin.Close)
	for name, tt := range map[string]struct {
		body, mediaType string
		want            int
	}{
		"a suspension":         {`{"state":"CA","license_number":"400000","status":"SUSPENDED"}`, "application/json", 202},
		"no such license":      {`{"state":"CA","license_number":"999999","status":"SUSPENDED"}`, "application/json", 404},
		"no number":            {`{"state":"CA","license_number":"x","status":"SUSPENDED"}`, "application/json", 422},
		"a status not printed": {`{"state":"NY","license_number":"0340-22-106125","status":"SUSPENDED"}`, "application/json", 422},
		"no status":            {`{"state":"CA","license_number":"400000"}`, "application/json", 422},
		"another member":       {`{"state":"CA","license_number":"400000","status":"SUSPENDED","x":1}`, "application/json", 422},
		"another form":         {`{"carrier":"SAIA","publish":"last"}`, "application/json", 422},
		"a next week":          {`{"carrier":"SAIA","publish":"next"}`, "application/json", 202},
		"without a price":      {`{"carrier":"TFORCE","publish":"next"}`, "application/json", 422},
		"no such carrier":      {`{"carrier":"UPS","publish":"next"}`, "application/json", 404},
		"of both":              {`{"carrier":"TFORCE","publish":"next","state":"CA","license_number":"400000","status":"SUSPENDED"}`, "application/json", 422},
		"a hold":               {`{"state":"TX","hold":"100001007"}`, "application/json", 202},
		"a hold lifted":        {`{"state":"TX","hold":"100001014","lifted":true}`, "application/json", 202},
		"a hold of no license": {`{"state":"TX","hold":"999999999"}`, "application/json", 404},
		"a hold elsewhere":     {`{"state":"NY","hold":"100001007"}`, "application/json", 422},
		"a hold and a status":  {`{"state":"TX","hold":"100001007","status":"SUSPENDED"}`, "application/json", 422},
		"nothing lifted":       {`{"state":"TX","lifted":true}`, "application/json", 422},
		"a form":               {`state=CA`, "application/x-www-form-urlencoded", 415},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, admin.URL+"/changes", strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", tt.mediaType)
			res, err := admin.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tt.want {
				t.Errorf("%d, want %d", res.StatusCode, tt.want)
			}
		})
	}
	if got := s.Licensing().Register.Golden(contracts.CA, license.Mirror)["400000"].Status; got != contracts.Suspended {
		t.Errorf("the license is %s", got)
	}
}
