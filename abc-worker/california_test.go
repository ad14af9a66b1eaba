package abcworker_test

import (
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

const californiaHost = "www.abc.ca.gov"

// cases gives the first license of each case.
func cases(all []license.License) map[string]license.License {
	first := map[string]license.License{}
	for _, l := range all {
		if _, ok := first[l.Case]; !ok {
			first[l.Case] = l
		}
	}
	return first
}

func TestCaliforniaLookupByPage(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for name, l := range cases(s.register().Of(contracts.CA)) {
		t.Run(name, func(t *testing.T) {
			for _, number := range append([]string{l.Number}, l.Forms...) {
				if kind, _, typed := strings.Cut(number, "-"); typed && (l.Primary == nil || kind != l.Primary.LicenseTypeCode) {
					continue // it asks for another type
				}
				a, err := s.lookup(contracts.CA, number)
				if l.PrimaryUnclear && contracts.CodeOf(err) == contracts.SourceUnavailable {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if a.Method != contracts.StructuredParse || !strings.Contains(a.EvidenceURL, "LICENSE="+l.Number) {
					t.Errorf("by %s from %s", a.Method, a.EvidenceURL)
				}
				if (a.Record == nil) != (l.Primary == nil) || a.Record != nil && !same(*a.Record, *l.Primary) {
					t.Errorf("%s\n got %s\nwant %s", number, show(a.Record), show(l.Primary))
				}
				clean := a.Record != nil && a.Record.ExpirationDate != "" && len(a.Record.Inferred) == 0
				if clean && a.Confidence() != 1 || a.Confidence() < 0.85 {
					t.Errorf("confidence %v", a.Confidence())
				}
			}
		})
	}
	a, err := s.lookup(contracts.CA, "99999999")
	if err != nil || a.Record != nil || a.Method != contracts.StructuredParse {
		t.Errorf("a number that is not on file: %s, %v", show(a), err)
	}
}

func TestCaliforniaFallsBackToTheExport(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.must(s.sandbox.Fault(californiaHost, "/licensing", sandbox.Challenge))
	for name, l := range cases(s.register().Of(contracts.CA)) {
		t.Run(name, func(t *testing.T) {
			a, err := s.lookup(contracts.CA, l.Number)
			if l.Mirror == nil {
				if contracts.CodeOf(err) != contracts.SourceUnavailable {
					t.Errorf("not in the export: %s, %v", show(a), err)
				}
				return
			}
			if err != nil || a.Record == nil || !same(*a.Record, *l.Mirror) || a.Method != contracts.APIMirror {
				t.Errorf("%v by %s\n got %s\nwant %s", err, a.Method, show(a.Record), show(l.Mirror))
			}
		})
	}
	if n := s.sandbox.Requests(californiaHost)["/wp-content/uploads/DailyExport-CSV.zip"]; n != 1 {
		t.Errorf("%d downloads", n)
	}
}

func TestCaliforniaIsDown(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for _, kind := range []sandbox.Kind{sandbox.Broken, sandbox.Challenge, sandbox.Redesigned, sandbox.Empty} {
		s.must(s.sandbox.Fault(californiaHost, "", kind))
		if kind == sandbox.Redesigned { // which leaves a ZIP file as it is
			s.must(s.sandbox.Fault(californiaHost, "/wp-content", sandbox.Broken))
		}
		l := s.register().Of(contracts.CA)[0]
		if a, err := s.lookup(contracts.CA, l.Number); contracts.CodeOf(err) != contracts.SourceUnavailable ||
			contracts.AsError(err).RetryAfter <= 0 {
			t.Errorf("%s: lookup %s, %v", kind, show(a), err)
		}
		if a, err := s.search(contracts.CA, contracts.Query{DBAName: l.DBA}); contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Errorf("%s: search %s, %v", kind, show(a), err)
		}
	}
}

func TestCaliforniaSearch(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for name, q := range map[string]contracts.Query{
		"business name, several":   {DBAName: "copper kettle"},
		"business name, one":       {DBAName: caseOf(s, contracts.CA, "apostrophe").DBA},
		"business name, all case":  {DBAName: "Kettle"},
		"business name, ampersand": {DBAName: "& vine"},
		"business name, none":      {DBAName: "no such name"},
		"name and owner":           {DBAName: "kettle", OwnerName: "llc"},
		"name and address":         {DBAName: "kettle", Address: "fresno"},
		"owner":                    {OwnerName: "hospitality"},
		"owner, surname first":     {OwnerName: caseOf(s, contracts.CA, "surname first").Owner},
		"owner without the comma":  {OwnerName: strings.ReplaceAll(caseOf(s, contracts.CA, "surname first").Owner, " ,", "")},
		"street":                   {Address: caseOf(s, contracts.CA, "plain").Premises.Street},
		"city":                     {Address: "san diego"},
		"owner and city":           {OwnerName: "ventures", Address: "OAKLAND"},
		"accents":                  {DBAName: "kéttle"},
		"nobody":                   {OwnerName: "zzzzzzzz"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := s.search(contracts.CA, q)
			if err != nil {
				t.Fatal(err)
			}
			path, method := license.Mirror, contracts.APIMirror
			if q.DBAName != "" {
				path, method = license.Primary, contracts.StructuredParse
			}
			if a.Method != method {
				t.Errorf("by %s", a.Method)
			}
			rightSearch(t, a, q, s.register().Golden(contracts.CA, path), func(r *contracts.LicenseRecord) {
				if path == license.Primary && a.Total != 1 {
					r.Address.County, r.Suspensions = "", []contracts.Suspension{} // the table of hits has none of these
					r.LicenseTypeName, r.StatusDate, r.OperatingRestrictions = "", "", nil
				}
			})
		})
	}
}

func TestCaliforniaSearchFallsBackToTheExport(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.must(s.sandbox.Fault(californiaHost, "/licensing", sandbox.Forbidden))
	q := contracts.Query{DBAName: "copper"}
	a, err := s.search(contracts.CA, q)
	if err != nil || a.Method != contracts.APIMirror {
		t.Fatal(a.Method, err)
	}
	rightSearch(t, a, q, s.register().Golden(contracts.CA, license.Mirror), func(*contracts.LicenseRecord) {})
}
