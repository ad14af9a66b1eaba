package abcworker_test

import (
	"strings"
	"testing"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/renderer"
)

const illinoisHost = "ilcc.illinois.gov"

func (s *system) credits() int { return s.sandbox.Licensing().Renderer.Counts().Credits }

func TestIllinoisLookupByRender(t *testing.T) {
	s := start(t)
	s.worker()
	s.renders()
	for name, l := range cases(s.register().Of(contracts.IL)) {
		t.Run(name, func(t *testing.T) {
			for _, number := range append([]string{l.Number}, l.Forms...) {
				a, err := s.lookup(contracts.IL, number)
				if err != nil {
					t.Fatal(err)
				}
				if a.Method != contracts.ScraperAPI || a.Record == nil || !same(*a.Record, *l.Primary) || a.Confidence() != 1 {
					t.Errorf("%s by %s, confidence %v\n got %s\nwant %s", number, a.Method, a.Confidence(), show(a.Record),
						show(l.Primary))
				}
			}
		})
	}
	a, err := s.lookup(contracts.IL, "1A-9999999")
	if err != nil || a.Record != nil || a.Method != contracts.ScraperAPI {
		t.Errorf("a number that is not on file: %s, %v", show(a), err)
	}
	if want := 5 * (len(cases(s.register().Of(contracts.IL))) + 1); s.credits() != want {
		t.Errorf("%d credits, want %d: one render for each license", s.credits(), want)
	}
}

func TestIllinoisFallsBackToTheExport(t *testing.T) {
	s := start(t)
	s.worker(func(c *abcworker.Config) { c.Jobs = false })
	for name, l := range cases(s.register().Of(contracts.IL)) {
		t.Run(name, func(t *testing.T) {
			a, err := s.lookup(contracts.IL, l.Number)
			if err != nil || a.Record == nil || !same(*a.Record, *l.Mirror) || a.Method != contracts.APIMirror ||
				a.Confidence() != 1 {
				t.Errorf("%v by %s\n got %s\nwant %s", err, a.Method, show(a.Record), show(l.Mirror))
			}
		})
	}
	if a, err := s.lookup(contracts.IL, "1A-9999999"); err != nil || a.Record != nil || a.Method != contracts.APIMirror {
		t.Errorf("a number that was never issued: %s, %v", show(a), err)
	}
}

func TestIllinoisIsDown(t *testing.T) {
	s := start(t)
	s.worker()
	s.renders()
	s.must(s.sandbox.Fault(illinoisHost, "", sandbox.Broken))
	l := s.register().Of(contracts.IL)[0]
	if a, err := s.lookup(contracts.IL, l.Number); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("lookup %s, %v", show(a), err)
	}
	if a, err := s.search(contracts.IL, contracts.Query{DBAName: "kettle"}); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("search %s, %v", show(a), err)
	}
}

// A 200 that holds a robot check is a failure, although it was paid for.
func TestIllinoisRobotCheckIsNoAnswer(t *testing.T) {
	s := start(t)
	s.worker()
	s.renders()
	s.must(s.sandbox.Licensing().Renderer.Fail(renderer.Captcha, 1))
	l := s.register().Of(contracts.IL)[0]
	if a, err := s.lookup(contracts.IL, l.Number); err != nil || a.Method != contracts.APIMirror {
		t.Errorf("%s, %v", show(a), err)
	}
}

func TestIllinoisSearch(t *testing.T) {
	s := start(t)
	s.worker()
	s.renders()
	set := map[string]contracts.LicenseRecord{}
	for _, l := range s.register().Of(contracts.IL)[:20] {
		set[l.Number] = *l.Primary
	}
	in, out := s.register().Of(contracts.IL)[3], s.register().Of(contracts.IL)[700]
	for name, tt := range map[string]struct {
		q      contracts.Query
		golden map[string]contracts.LicenseRecord
		method contracts.Method
	}{
		"name in the set":    {contracts.Query{DBAName: strings.ToLower(in.DBA)}, set, contracts.ScraperAPI},
		"owner in the set":   {contracts.Query{OwnerName: in.Owner}, set, contracts.ScraperAPI},
		"street in the set":  {contracts.Query{Address: in.Premises.Street}, set, contracts.ScraperAPI},
		"accents in the set": {contracts.Query{DBAName: "cafe ciguena"}, set, contracts.ScraperAPI},
		"not in the set": {contracts.Query{DBAName: out.DBA, Address: out.Premises.Street},
			s.register().Golden(contracts.IL, license.Mirror), contracts.APIMirror},
		"nowhere":              {contracts.Query{DBAName: "no such name"}, nil, contracts.APIMirror},
		"line break in a name": {contracts.Query{DBAName: "tavern", OwnerName: "zzz"}, nil, contracts.APIMirror},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := s.search(contracts.IL, tt.q)
			if err != nil || a.Method != tt.method {
				t.Fatalf("by %s, %v", a.Method, err)
			}
			rightSearch(t, a, tt.q, tt.golden, func(*contracts.LicenseRecord) {})
		})
	}
	if s.credits() != 5 {
		t.Errorf("%d credits, want 5: one render serves all searches", s.credits())
	}
}

func TestIllinoisSearchFallsBackToTheExport(t *testing.T) {
	s := start(t)
	s.worker(func(c *abcworker.Config) { c.Jobs = false })
	for _, q := range []contracts.Query{{DBAName: "CAFE"}, {OwnerName: "llc"}, {Address: "st charles"},
		{DBAName: "tap", Address: "chicago"}} {
		a, err := s.search(contracts.IL, q)
		if err != nil || a.Method != contracts.APIMirror {
			t.Fatalf("by %s, %v", a.Method, err)
		}
		rightSearch(t, a, q, s.register().Golden(contracts.IL, license.Mirror), func(*contracts.LicenseRecord) {})
	}
}
