package abcworker_test

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

const (
	newYorkHost    = "data.ny.gov"
	newYorkMapHost = "services8.arcgis.com"
)

func TestNewYorkLookupByData(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for name, l := range cases(s.register().Of(contracts.NY)) {
		t.Run(name, func(t *testing.T) {
			for _, number := range append([]string{l.Number}, l.Forms...) {
				rightLookup(t, s, l, license.Primary, number, contracts.APIMirror)
			}
		})
	}
	absent(t, s, contracts.NY, contracts.APIMirror, "0999-29-999999", "9999999", "999-29-999999")
}

func TestNewYorkFallsBackToTheMap(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.must(s.sandbox.Fault(newYorkHost, "", sandbox.Broken))
	for name, l := range cases(s.register().Of(contracts.NY)) {
		t.Run(name, func(t *testing.T) { rightLookup(t, s, l, license.Mirror, l.Number, contracts.APIMirror) })
	}
	unknown(t, s, contracts.NY, "0999-29-999999", "9999999")
	if a, err := s.search(contracts.NY, contracts.Query{DBAName: "no such name"}); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("nothing on the map is no proof: %s, %v", show(a), err)
	}
	for name, q := range searches(s, contracts.NY) {
		t.Run(name, func(t *testing.T) { rightAnswer(t, s, contracts.NY, q, license.Mirror, contracts.APIMirror) })
	}
}

func TestNewYorkIsDown(t *testing.T) {
	t.Parallel()
	down(t, contracts.NY, newYorkHost, newYorkMapHost)
}

func TestNewYorkSearch(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for name, q := range searches(s, contracts.NY) {
		t.Run(name, func(t *testing.T) { rightAnswer(t, s, contracts.NY, q, license.Primary, contracts.APIMirror) })
	}
	rightAnswer(t, s, contracts.NY, contracts.Query{DBAName: "no such name"}, license.Primary, contracts.APIMirror)
}

// The service asks for patience in two ways, and is slow to say no.
func TestNewYorkWithPatience(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	l := s.register().Of(contracts.NY)[0]
	s.sandbox.Licensing().NewYorkData.Later(1)
	rightLookup(t, s, l, license.Primary, l.Number, contracts.APIMirror)
	l = s.register().Of(contracts.NY)[40]
	s.sandbox.Licensing().NewYorkData.Throttle(1)
	rightLookup(t, s, l, license.Primary, l.Number, contracts.APIMirror)
}
