package register

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
)

// Tallied is a license record and the tally of its required fields.
type Tallied struct {
	contracts.LicenseRecord
	contracts.Tally
}

// Collect makes a search's result from all of its matches, in any order: it counts them, keeps the first
// [contracts.MaxResults] by number, and adds up the tallies of those.
func Collect(all []Tallied) (Found, contracts.Tally) {
	if len(all) == 0 {
		return Found{Records: []contracts.LicenseRecord{}}, NoneFound
	}
	slices.SortStableFunc(all, func(a, b Tallied) int { return strings.Compare(a.LicenseNumber, b.LicenseNumber) })
	found, sum := Found{Total: len(all)}, contracts.Tally{}
	for _, r := range all[:min(len(all), contracts.MaxResults)] {
		found.Records = append(found.Records, r.LicenseRecord)
		sum = sum.Add(r.Tally)
	}
	return found, sum
}

// Distinct keeps the first record of each license number.
func Distinct(records []Tallied) []Tallied {
	seen := map[string]bool{}
	return slices.DeleteFunc(records, func(r Tallied) bool {
		again := seen[r.LicenseNumber]
		seen[r.LicenseNumber] = true
		return again
	})
}

// Matches tells whether a record holds every member of the query, without regard to case and accents. The address
// filter looks at street, city, state and ZIP code joined by blanks.
func Matches(q contracts.Query, r contracts.LicenseRecord) bool {
	address := strings.Join([]string{r.Address.Street, r.Address.City, r.Address.State, r.Address.ZipCode}, " ")
	return fold.Contains(r.DBAName, q.DBAName) && fold.Contains(r.OwnerName, q.OwnerName) &&
		fold.Contains(address, q.Address)
}

// AccentWait bounds the look for spellings with accents in a second source, before a form is asked that may tell é
// from e.
const AccentWait = 5 * time.Second

// MatchesLiterally tells whether a record holds every member of the query in letters of ASCII alone. "CAFÉ ROMA"
// holds "roma" literally, but not "cafe". The address filter looks at the street and at the city, each by itself.
func MatchesLiterally(q contracts.Query, r contracts.LicenseRecord) bool {
	has := func(text, part string) bool { return fold.Contains(strings.Map(asciiOnly, text), part) }
	return has(r.DBAName, q.DBAName) && has(r.OwnerName, q.OwnerName) &&
		(has(r.Address.Street, q.Address) || has(r.Address.City, q.Address))
}

// asciiOnly replaces a letter beyond ASCII by a sign that no query holds.
func asciiOnly(r rune) rune {
	if r >= utf8.RuneSelf {
		return '¤'
	}
	return r
}
