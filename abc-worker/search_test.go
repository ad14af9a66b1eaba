package abcworker_test

import (
	"slices"
	"strings"
	"testing"

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

// plainly is a text as the golden records are compared: upper case, no accents, commas or double blanks.
func plainly(s string) string {
	s = strings.NewReplacer("É", "E", "Ü", "U", "Ñ", "N", "Á", "A", "Ó", "O", ",", " ").Replace(strings.ToUpper(s))
	return strings.Join(strings.Fields(s), " ")
}

// rightSearch compares an answer with the golden records that match the query.
func rightSearch(t *testing.T, a contracts.SearchAnswer, q contracts.Query, golden map[string]contracts.LicenseRecord,
	adjust func(*contracts.LicenseRecord)) {
	t.Helper()
	var want []contracts.LicenseRecord
	for _, r := range golden {
		place := strings.Join([]string{r.Address.Street, r.Address.City, r.Address.State, r.Address.ZipCode}, " ")
		if strings.Contains(plainly(r.DBAName), plainly(q.DBAName)) &&
			strings.Contains(plainly(r.OwnerName), plainly(q.OwnerName)) &&
			strings.Contains(plainly(place), plainly(q.Address)) {
			want = append(want, r)
		}
	}
	slices.SortFunc(want, func(a, b contracts.LicenseRecord) int {
		return strings.Compare(a.LicenseNumber,
			b.LicenseNumber)
	})
	if a.Total != len(want) || len(a.Results) != min(len(want), contracts.MaxResults) {
		t.Fatalf("%d matches and %d results, want %d", a.Total, len(a.Results), len(want))
	}
	t.Logf("%d matches", a.Total)
	for i, got := range a.Results {
		adjust(&want[i])
		if !same(got, want[i]) {
			t.Errorf("result %d\n got %s\nwant %s", i, show(got), show(want[i]))
		}
	}
	if a.Confidence() < 0.85 || a.Query != q {
		t.Errorf("confidence %v, query %s", a.Confidence(), show(a.Query))
	}
}
