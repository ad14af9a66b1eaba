package gateway_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// Two customers who share a license are both told of.
func TestStopsNameEachCustomer(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Test)
	g, key := s.gateway(), s.key(tenant("acme"))
	r := g.putCSV(key, "bars", "state,license_number,label\r\nCA,7,wine\r\nCA,8,ink\r\nCA,47-7,ale\r\nCA,7,beer\r\nCA,7,beer\r\nCA,7,\r\n")
	if want := `"errors":["line 6: license_number: this license stands in line 5 already","line 7: license_number: this license stands in line 5 already"]`; r.StatusCode != 201 ||
		!strings.Contains(string(r.body), want) {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	var labels []string
	before := contracts.CA.Today(time.Now())
	stops := decode[api.Stops](t, g.get(key, portfoliosPath+"/bars/stops").body)
	if stops.On < before || stops.On > contracts.CA.Today(time.Now()) {
		t.Errorf("the stops are of %s", stops.On)
	}
	for _, d := range stops.Stops {
		labels = append(labels, d.LicenseNumber+" "+d.Label)
	}
	if want := []string{"7 wine", "7 ale", "7 beer"}; !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
}

// The morning file: who is not to be delivered to, by the license, the lists that the tenant put here, and the laws. A list is its tenant's
// alone, and one of which a line cannot be read is not taken.
func TestStopsOfAPortfolio(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Test)
	one, other := s.gateway(), s.gateway()
	key := s.key(tenant("acme"))
	one.putCSV(key, "bars", "state,license_number,label\r\nCA,1,good\r\nCA,7,suspended\r\nFL,BEV3900123,held\r\nFL,BEV3900124,free\r\nNY,0340-22-106125-02,cod\r\nNY,0340-22-106126,ny\r\nIL,1A-1143621,il\r\nTX,100001159,tx\r\n")
	put := func(k, list, date, body string) *response {
		return one.sendBody(http.MethodPut, k, "/v1/abc/holds/"+list+"?date="+date, "text/csv", body)
	}
	stops := func(query string) (text string) {
		for _, d := range decode[api.Stops](t, other.get(key, portfoliosPath+"/bars/stops"+query).body).Stops {
			text += fmt.Sprintf("%s %s %s; ", d.Label, d.Verdict, d.Reasons[0].Code)
		}
		return text
	}
	without := "suspended STOP LICENSE_NOT_GOOD; held UNVERIFIED LIST_NOT_READ; free UNVERIFIED LIST_NOT_READ; cod UNVERIFIED LIST_NOT_READ; ny UNVERIFIED LIST_NOT_READ; " +
		"il UNVERIFIED LICENSE_UNVERIFIED; tx UNVERIFIED LICENSE_UNVERIFIED; "
	if got := stops(""); got != without {
		t.Errorf("without lists: %s", got)
	}
	today := string(contracts.NY.Today(time.Now()).AddDays(-1))
	for list, body := range map[string]string{
		"FL-561.42": "license_number,since\r\n3900123,2026-11-01\r\n", "NY-101-aa": "license_number\r\n0340-22-106125\r\n", "NY-101-aaa": "license_number\r\n0340-22-199999\r\n",
	} {
		if r := put(key, list, today, body); r.StatusCode/100 != 2 || !strings.Contains(string(r.body), `"licenses":1`) {
			t.Fatalf("%s: %d %s", list, r.StatusCode, r.body)
		}
	}
	with := "suspended STOP LICENSE_NOT_GOOD; held STOP ON_LIST; il UNVERIFIED LICENSE_UNVERIFIED; tx UNVERIFIED LICENSE_UNVERIFIED; cod CASH_ONLY ON_LIST; "
	if got := stops(""); got != with {
		t.Errorf("with lists: %s", got)
	}
	// A list comes as its office makes it. One that names nobody is said to, a license counts once, and nobody is on a list after its day.
	office := "Serial Number;Delinquent Date;Name\n0340-22-106125;9/11/2026;BAR\n0340-22-106125;9/3/2026;BAR\n"
	for query, want := range map[string]int{"&columns=auto": 422, "&columns=auto&date_form=mdy": 200} {
		r := put(key, "NY-101-aa", today+query, office)
		if r.StatusCode != want || want == 422 && !strings.Contains(string(r.body), "date_form=mdy") || want == 200 && !strings.Contains(string(r.body), `"licenses":1`) {
			t.Errorf("%s: %d %s", query, r.StatusCode, r.body)
		}
	}
	if r := one.get(key, "/v1/abc/holds/NY-101-aa"); !strings.Contains(string(r.body), `"entries":[{"license_number":"0340-22-106125","since":"2026-09-03"}]`) {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if r := put(key, "IL-100.90", today, "license_number\n"); r.StatusCode != 422 || !strings.Contains(string(r.body), "empty=1") {
		t.Errorf("a list without lines: %d %s", r.StatusCode, r.body)
	}
	if r := put(key, "IL-100.90", today+"&empty=1", "license_number\n"); r.StatusCode != 201 || !strings.Contains(string(r.body), `"licenses":0`) {
		t.Errorf("a list of nobody: %d %s", r.StatusCode, r.body)
	}
	if r := one.get(key, "/v1/abc/holds/IL-100.90"); !strings.Contains(string(r.body), `"entries":[]`) {
		t.Errorf("a list of nobody is %s", r.body)
	}
	if r := put(key, "FL-561.42", today, "license_number,since\n3900123,"+string(contracts.Date(today).AddDays(365))+"\n"); r.StatusCode != 422 || !strings.Contains(string(r.body), "after the list's own date") {
		t.Errorf("on the list after its day: %d %s", r.StatusCode, r.body)
	}
	if got := stops(""); got != with {
		t.Errorf("with lists as their offices make them: %s", got)
	}
	if got := stops("?beverage=malt"); strings.Contains(got, "cod") || !strings.Contains(got, "held STOP") {
		t.Errorf("malt: %s", got)
	}
	later := string(contracts.Date(today).AddDays(30))
	ahead := "suspended STOP LICENSE_NOT_GOOD; held STOP ON_LIST; free UNVERIFIED LIST_TOO_OLD; cod UNVERIFIED LIST_TOO_OLD; ny UNVERIFIED LIST_TOO_OLD; " +
		"il UNVERIFIED LICENSE_UNVERIFIED; tx UNVERIFIED LICENSE_UNVERIFIED; "
	if got := stops("?on=" + later); got != ahead {
		t.Errorf("in 30 days: %s", got)
	}
	if got := stops("?on=2099-01-01"); !strings.Contains(got, "good STOP LICENSE_NOT_GOOD; ") {
		t.Errorf("after the licenses end: %s", got)
	}
	csv := string(other.get(key, portfoliosPath+"/bars/stops?format=csv").body)
	if strings.Count(csv, "\r\n") != 6 || !strings.Contains(csv, "CA,suspended,7") || !strings.Contains(csv, `,STOP,"It is on the delinquent list 561.42 of `) || !strings.Contains(csv, ",561.42 2026-11-01,561.42 ") || strings.Contains(csv, "[{") {
		t.Errorf("%s", csv)
	}
	for what, r := range map[string]*response{
		"a line that cannot be read": put(key, "FL-561.42", today, "license_number\r\n3900124\r\nx\r\n"), "no date": put(key, "FL-561.42", "", "license_number\r\n3900124\r\n"),
		"a list before the one that is here": put(key, "FL-561.42", string(contracts.Date(today).AddDays(-1)), "license_number\r\n3900124\r\n"),
		"nothing":                            put(key, "IL-100.90", today, ""), "a date to come": put(key, "FL-561.42", later, "license_number\r\n3900124\r\n"), "a former number": put(key, "NY-101-aa", today, "license_number\r\n1234567\r\n"),
	} {
		if r.StatusCode != 422 {
			t.Errorf("%s: %d %s", what, r.StatusCode, r.body)
		}
	}
	if r := put(key, "FL-561", today, ""); r.StatusCode != 404 {
		t.Errorf("another list: %d", r.StatusCode)
	}
	if got := stops(""); got != with {
		t.Errorf("after refused lists: %s", got)
	}
	for who, k := range map[string]string{"another tenant": s.key(tenant("other")), "the other environment": s.key(live, tenant("acme"))} {
		for _, r := range []*response{
			one.get(k, "/v1/abc/holds/FL-561.42"), one.sendBody(http.MethodDelete, k, "/v1/abc/holds/FL-561.42", "", ""), one.get(k, portfoliosPath+"/bars/stops"),
		} {
			if r.StatusCode != 404 || !strings.Contains(string(r.body), `"reason":"NAME"`) {
				t.Errorf("%s: %d %s", who, r.StatusCode, r.body)
			}
		}
	}
	if r := other.get(key, "/v1/abc/holds/FL-561.42"); !strings.Contains(string(r.body), `"entries":[{"license_number":"BEV3900123","since":"2026-11-01"}]`) {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if r := other.sendBody(http.MethodDelete, key, "/v1/abc/holds/FL-561.42", "", ""); r.StatusCode != 200 {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if got := stops(""); !strings.Contains(got, "held UNVERIFIED LIST_NOT_READ") {
		t.Errorf("after the list is deleted: %s", got)
	}
}
