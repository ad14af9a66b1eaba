package abcworker_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/renderer"
)

const illinoisHost = "ilcc.illinois.gov"

func (s *system) credits() int { return s.sandbox.Licensing().Renderer.Counts().Credits }

func TestIllinoisLookupByRender(t *testing.T) {
	t.Parallel()
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
				if a.Method != contracts.ScraperAPI || a.Record == nil || !same(*a.Record, *l.Primary) ||
					(a.Confidence() == 1) != (l.Primary.ExpirationDate != "") {
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
	t.Parallel()
	s := start(t)
	s.worker(func(c *abcworker.Config) { c.Jobs = false })
	for name, l := range cases(s.register().Of(contracts.IL)) {
		t.Run(name, func(t *testing.T) {
			a, err := s.lookup(contracts.IL, l.Number)
			if l.MirrorUnclear {
				if contracts.CodeOf(err) != contracts.SourceUnavailable {
					t.Errorf("not understood: %s, %v", show(a), err)
				}
				return
			}
			if err != nil || a.Record == nil || !same(*a.Record, *l.Mirror) || a.Method != contracts.APIMirror ||
				a.Confidence() != 0.87 || !a.Noted(contracts.NoteStatusInferred) || !a.Noted(contracts.NoteFallback) {
				t.Errorf("%v by %s\n got %s\nwant %s", err, a.Method, show(a.Record), show(l.Mirror))
			}
		})
	}
	if a, err := s.lookup(contracts.IL, "1A-9999999"); err != nil || a.Record != nil || a.Method != contracts.APIMirror {
		t.Errorf("a number that was never issued: %s, %v", show(a), err)
	}
}

// An export that was cut off at the end of a line proves nothing of the licenses behind it, whether or not somebody watches it.
func TestIllinoisExportThatIsCutOff(t *testing.T) {
	t.Parallel()
	s := startWith(t, sizes(contracts.IL))
	s.worker(func(c *abcworker.Config) {
		c.MirrorMaxAge, c.MirrorRetry = 200*time.Millisecond, 100*time.Millisecond
	})
	gone := s.without(contracts.IL, 15)
	look := func(when string) {
		t.Helper()
		a, err := s.members(contracts.MembersRequest{State: contracts.IL, Numbers: slices.Sorted(maps.Keys(gone))[:1]})
		if err != nil || a.Members[0].Status == nil {
			t.Fatalf("%s the copy does not list a license: %s, %v", when, show(a), err)
		}
	}
	look("at first")
	s.must(s.register().Edit(contracts.IL, time.Now(), gone))
	asked := s.sandbox.Requests(illinoisHost).Total()
	s.await(func() bool { return s.sandbox.Requests(illinoisHost).Total() > asked+1 })
	look("after the cut")
}

func TestIllinoisIsDown(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	s := start(t)
	s.worker()
	s.renders()
	s.must(s.sandbox.Licensing().Renderer.Fail(renderer.Captcha, 1))
	l := s.register().Of(contracts.IL)[0]
	if a, err := s.lookup(contracts.IL, l.Number); err != nil || a.Method != contracts.APIMirror {
		t.Errorf("%s, %v", show(a), err)
	}
}

// Searches are answered from the export, and from the rendered twenty while the export is away.
func TestIllinoisSearchWithoutTheExport(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.renders()
	s.must(s.sandbox.Fault(illinoisHost, "/content", sandbox.Broken))
	in, out := s.register().Of(contracts.IL)[3], s.register().Of(contracts.IL)[700]
	for name, q := range map[string]contracts.Query{
		"name": {DBAName: strings.ToLower(in.DBA)}, "owner": {OwnerName: in.Owner}, "street": {Address: in.Premises.Street},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := s.search(contracts.IL, q)
			if err != nil || a.Method != contracts.ScraperAPI || a.Total == 0 || a.Complete || a.Confidence() >= 0.9 ||
				!a.Noted(contracts.NoteIncomplete) || !a.Noted(contracts.NoteFallback) || !same(a.Results[0], *in.Primary) {
				t.Errorf("%s, %v", show(a), err)
			}
		})
	}
	a, err := s.search(contracts.IL, contracts.Query{DBAName: out.DBA, Address: out.Premises.Street})
	if contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("none of the twenty matches: %s, %v", show(a), err)
	}
	if s.credits() != 5 {
		t.Errorf("%d credits, want 5: one render serves all searches", s.credits())
	}
}

func TestIllinoisSearch(t *testing.T) {
	t.Parallel()
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
