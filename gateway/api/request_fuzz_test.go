package api

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"assay.dev/contracts"
)

// What is accepted of a query string is what net/url reads in it, and only in the forms that are allowed.
func FuzzParameters(f *testing.F) {
	for _, seed := range []string{
		"carriers=ODFL&weeks=4", "carriers=%20odfl,,", "weeks=%2B4&weeks", "a=b;c&%zz", "&&=&carriers=\xff", "carriers=%E2%80%A8",
		"state=ca&license_number=1",
	} {
		f.Add(seed)
	}
	to := &Endpoint{Parameters: []*Parameter{
		surchargeCarriers.Parameter, surchargeWeeks.Parameter, issuer.Parameter, searchAddress.Parameter, licenseNumber.Parameter,
	}}
	f.Fuzz(func(t *testing.T, raw string) {
		var r Request
		r.Reset(to)
		r.Query, r.Path = raw, "1"
		err := r.check()
		for _, v := range r.violations {
			if len(v.Loc) == 0 || v.Msg == "" || v.Type == "" || !utf8.ValidString(v.Loc[len(v.Loc)-1]) {
				t.Errorf("violation %+v", v)
			}
		}
		if len(r.violations) > 0 {
			if contracts.CodeOf(err) != contracts.InvalidRequest {
				t.Error("violations are no error")
			}
			return
		}
		weeks, carriers := surchargeWeeks.of(&r), surchargeCarriers.of(&r)
		if weeks < contracts.MinWeeks || weeks > contracts.MaxWeeks || err == nil && (len(carriers) == 0 || issuer.of(&r) == "") {
			t.Errorf("%q: %d weeks of %v in %q", raw, weeks, carriers, issuer.of(&r))
		}
		want, err := url.ParseQuery(raw)
		if err != nil {
			t.Fatalf("%q is accepted: %v", raw, err)
		}
		for _, g := range r.given {
			if !slices.ContainsFunc(want[g.name], func(v string) bool { return strings.TrimSpace(v) == g.value }) {
				t.Errorf("%q: %s is %q, want one of %q", raw, g.name, g.value, want[g.name])
			}
		}
	})
}
