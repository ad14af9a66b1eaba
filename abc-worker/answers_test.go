package abcworker_test

import (
	"slices"
	"testing"

	"assay.dev/contracts"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

// rightLookup looks a license up and compares it with the golden record of the path. A license that the path does
// not show must not be found.
func rightLookup(t *testing.T, s *system, l license.License, path license.Path, number string,
	method contracts.Method) {
	t.Helper()
	a, err := s.lookup(l.State, number)
	want, shown := s.register().Golden(l.State, path)[l.Number]
	if !shown && l.IsUnclear(path) {
		if contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Errorf("%s cannot be understood: %s, %v", number, show(a), err)
		}
		return
	}
	if !shown {
		if a.Record != nil || err != nil && contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Errorf("%s is not shown: %s, %v", number, show(a), err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", number, err)
	}
	if a.Record == nil || !same(*a.Record, want) || a.Method != method {
		t.Errorf("%s by %s\n got %s\nwant %s", number, a.Method, show(a.Record), show(want))
	}
	if c := a.Confidence(); c < 0.6 || c == 1 && want.ExpirationDate == "" {
		t.Errorf("%s: confidence %v", number, c)
	}
	if a.EvidenceURL == "" || a.ReadAt.IsZero() {
		t.Errorf("%s: evidence %q read at %s", number, a.EvidenceURL, a.ReadAt)
	}
}

// absent looks up numbers whose absence the answering path can prove.
func absent(t *testing.T, s *system, state contracts.State, method contracts.Method, numbers ...string) {
	t.Helper()
	for _, number := range numbers {
		if a, err := s.lookup(state, number); err != nil || a.Record != nil || a.Method != method {
			t.Errorf("%s is not on file: %s, %v", number, show(a), err)
		}
	}
}

// unknown looks up numbers whose absence nobody can prove.
func unknown(t *testing.T, s *system, state contracts.State, numbers ...string) {
	t.Helper()
	for _, number := range numbers {
		if a, err := s.lookup(state, number); contracts.CodeOf(err) != contracts.SourceUnavailable ||
			contracts.AsError(err).RetryAfter <= 0 {
			t.Errorf("whether there is %s is not known: %s, %v", number, show(a), err)
		}
	}
}

// searches are queries by each field, in the spellings that people use.
func searches(s *system, state contracts.State) map[string]contracts.Query {
	plain, quoted, accents := caseOf(s, state, "plain"), caseOf(s, state, "apostrophe"), caseOf(s, state, "accents")
	return map[string]contracts.Query{
		"business name, several":           {DBAName: "copper kettle"},
		"business name, one":               {DBAName: quoted.DBA},
		"business name, accents left out":  {DBAName: plainly(accents.DBA)},
		"business name, accents as it has": {DBAName: accents.DBA},
		"business name, one word":          {DBAName: "Cafe"},
		"name and owner":                   {DBAName: "kettle", OwnerName: "llc"},
		"name and street":                  {DBAName: plain.DBA, Address: plain.Premises.Street},
		"name and city":                    {DBAName: "kettle", Address: plain.Premises.City},
		"owner":                            {OwnerName: "copper"},
		"owner, apostrophe":                {OwnerName: quoted.Owner},
		"street":                           {Address: plain.Premises.Street},
		"city":                             {Address: plain.Premises.City},
		"parts in another order":           {DBAName: "kettle copper", OwnerName: "llc, hospitality"},
		"street and city":                  {Address: plain.Premises.City + " " + plain.Premises.Street},
		"injection":                        {DBAName: "x' or '1'='1"},
	}
}

// rightAnswer searches and compares the answer with the golden records of the path.
func rightAnswer(t *testing.T, s *system, state contracts.State, q contracts.Query, path license.Path,
	method contracts.Method) {
	t.Helper()
	a, err := s.search(state, q)
	if err != nil {
		if want := s.register().Search(state, path, q); path == license.Mirror && len(want) == 0 &&
			contracts.CodeOf(err) == contracts.SourceUnavailable {
			return
		}
		t.Fatal(err)
	}
	if a.Method != method {
		t.Errorf("by %s", a.Method)
	}
	rightSearch(t, a, q, s.register().Golden(state, path), func(*contracts.LicenseRecord) {})
}

// spoiling is kind, or another where kind leaves what a host serves as it is: the members of rows have names, in whatever order they
// stand, and only pages and JSON are redesigned.
func spoiling(host string, kind sandbox.Kind) sandbox.Kind {
	rows := slices.Contains([]string{texasDataHost, newYorkHost, newYorkMapHost, floridaExtractHost}, host)
	if kind == sandbox.Swapped && rows || kind == sandbox.Redesigned && host == floridaExtractHost {
		return sandbox.Broken
	}
	return kind
}

// down tries a state whose hosts all fail, in many ways.
func down(t *testing.T, state contracts.State, hosts ...string) {
	t.Helper()
	s := start(t)
	s.worker()
	for _, kind := range []sandbox.Kind{sandbox.Broken, sandbox.Challenge, sandbox.Redesigned, sandbox.Empty,
		sandbox.Swapped, sandbox.Forbidden} {
		for _, host := range hosts {
			s.must(s.sandbox.Fault(host, "", spoiling(host, kind)))
		}
		l := s.register().Of(state)[1]
		if a, err := s.lookup(state, l.Number); contracts.CodeOf(err) != contracts.SourceUnavailable ||
			contracts.AsError(err).RetryAfter <= 0 {
			t.Errorf("%s: lookup %s, %v", kind, show(a), err)
		}
		if a, err := s.search(state, contracts.Query{DBAName: l.DBA}); contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Errorf("%s: search %s, %v", kind, show(a), err)
		}
	}
}
