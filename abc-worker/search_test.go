package abcworker_test

import (
	"slices"
	"strings"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

func caseOf(s *system, state contracts.State, name string) license.License {
	l, ok := s.register().Case(state, name)
	if !ok {
		s.Fatalf("no case %q", name)
	}
	return l
}

// plainly is a text without its accents.
func plainly(s string) string {
	return strings.NewReplacer("É", "E", "Ü", "U", "Ñ", "N", "Á", "A", "Ó", "O").Replace(strings.ToUpper(s))
}

// rightSearch compares an answer with the golden records that match the query.
func rightSearch(t *testing.T, a contracts.SearchAnswer, q contracts.Query, golden map[string]contracts.LicenseRecord,
	adjust func(*contracts.LicenseRecord)) {
	t.Helper()
	var want []contracts.LicenseRecord
	for _, r := range golden {
		if register.Matches(q, r) { // the sandbox's own matching is compared in registertest
			want = append(want, r)
		}
	}
	slices.SortFunc(want, func(a, b contracts.LicenseRecord) int { return a.Position().Compare(b.Position()) })
	shown := len(want)
	if !a.Whole {
		shown = contracts.MaxKept
	} else if a.Method == contracts.StructuredParse && a.State == contracts.TX {
		shown = min(shown, 250) // what the form gives
	}
	if a.Total != len(want) || len(a.Results) != shown {
		t.Fatalf("%d matches and %d results, want %d", a.Total, len(a.Results), len(want))
	}
	t.Logf("%d matches", a.Total)
	for i, got := range a.Results {
		adjust(&want[i])
		if !same(got, want[i]) {
			t.Errorf("result %d\n got %s\nwant %s", i, show(got), show(want[i]))
		}
	}
	if a.Confidence() < 0.5 || a.Query != q || (a.Confidence() >= 0.9) && !a.Complete {
		t.Errorf("confidence %v, query %s", a.Confidence(), show(a.Query))
	}
}
