package abcworker_test

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

const (
	floridaHost        = "www.myfloridalicense.com"
	floridaExtractHost = "www2.myfloridalicense.com"
)

func TestFloridaLookupByPortal(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for name, l := range cases(s.register().Of(contracts.FL)) {
		t.Run(name, func(t *testing.T) {
			for _, number := range append([]string{l.Number}, l.Forms...) {
				if l.Primary != nil || l.PrimaryUnclear || name == "transfer, the old owner" {
					rightLookup(t, s, l, license.Primary, number, contracts.StructuredParse)
				} else {
					absent(t, s, contracts.FL, contracts.StructuredParse, number)
				}
			}
		})
	}
	absent(t, s, contracts.FL, contracts.StructuredParse, "BEV9999999", "9999999", "99-99999")
}

func TestFloridaFallsBackToTheExtracts(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.must(s.sandbox.Fault(floridaHost, "", sandbox.Broken))
	for name, l := range cases(s.register().Of(contracts.FL)) {
		t.Run(name, func(t *testing.T) {
			for _, number := range append([]string{l.Number}, l.Forms...) {
				rightLookup(t, s, l, license.Mirror, number, contracts.APIMirror)
			}
		})
	}
	unknown(t, s, contracts.FL, "BEV9999999")
	for name, q := range searches(s, contracts.FL) {
		t.Run(name, func(t *testing.T) { rightAnswer(t, s, contracts.FL, q, license.Mirror, contracts.APIMirror) })
	}
	if n := s.sandbox.Requests(floridaExtractHost)["/sto/file_download/extracts/bd4006lic.csv"]; n != 2 {
		t.Errorf("%d requests for the extract: want one that is refused and one with the cookie", n)
	}
}

func TestFloridaSearch(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for name, q := range searches(s, contracts.FL) {
		t.Run(name, func(t *testing.T) {
			path, method := license.Primary, contracts.StructuredParse
			switch name {
			case "street", "city", "street and city", "business name, accents as it has", "business name, accents left out",
				"business name, one word":
				path, method = license.Mirror, contracts.APIMirror
			}
			rightAnswer(t, s, contracts.FL, q, path, method)
		})
	}
}

// Without the extracts the portal answers by itself, with less confidence in what it leaves out.
func TestFloridaSearchWithoutTheExtracts(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.must(s.sandbox.Fault(floridaExtractHost, "", sandbox.Broken))
	a, err := s.search(contracts.FL, contracts.Query{DBAName: "wandering kettle"})
	if err != nil || a.Method != contracts.StructuredParse || a.Total == 0 || a.Confidence() == 1 {
		t.Errorf("%s, %v, confidence %v", show(a), err, a.Confidence())
	}
}

func TestFloridaIsDown(t *testing.T) {
	t.Parallel()
	down(t, contracts.FL, floridaHost, floridaExtractHost)
}

// Licenses that nobody understands are refused one by one; the others of their state are answered all the same.
func TestLicensesThatAreNotUnderstoodCloseNoState(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	refused := 0
	for _, l := range s.register().Of(contracts.FL) {
		if !l.IsUnclear(license.Primary) || !l.IsUnclear(license.Mirror) {
			continue
		}
		refused++
		unknown(t, s, contracts.FL, l.Number)
	}
	if refused < 5 {
		t.Fatalf("%d licenses are not understood by either path: too few to open a breaker", refused)
	}
	plain := caseOf(s, contracts.FL, "plain")
	rightLookup(t, s, plain, license.Primary, plain.Number, contracts.StructuredParse)
}
