package register

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
)

// Distinct keeps the first record of each license number.
func Distinct(records []Record) []Record {
	seen := map[string]bool{}
	return slices.DeleteFunc(records, func(r Record) bool {
		again := seen[r.LicenseNumber]
		seen[r.LicenseNumber] = true
		return again
	})
}

// Matches tells whether a record holds every part of every member of the query, without regard to case and accents. The
// address filter looks at street and city together, in any spelling, and at the ZIP code.
func Matches(q contracts.Query, r contracts.LicenseRecord) bool {
	return hasNames(q, r, fold.String) &&
		fold.HoldsAddress(fold.String(place(r)), r.Address.ZipCode, fold.Parts(q.Address))
}

// MatchesLiterally is Matches for a source that may tell é from e: "CAFÉ ROMA" holds "roma" literally, but not "cafe".
func MatchesLiterally(q contracts.Query, r contracts.LicenseRecord) bool {
	return hasNames(q, r, literal) && fold.HoldsAddress(literal(place(r)), r.Address.ZipCode, fold.Parts(q.Address))
}

// IsSpelledSo is MatchesLiterally for a source that knows one spelling of an address: street and city hold each part as
// it is.
func IsSpelledSo(q contracts.Query, r contracts.LicenseRecord) bool {
	return hasNames(q, r, literal) && fold.HasParts(literal(place(r)), fold.Parts(q.Address))
}

func hasNames(q contracts.Query, r contracts.LicenseRecord, plain func(string) string) bool {
	return fold.HasParts(plain(r.DBAName), fold.Parts(q.DBAName)) &&
		fold.HasParts(plain(r.OwnerName), fold.Parts(q.OwnerName))
}

func place(r contracts.LicenseRecord) string { return r.Address.Street + " " + r.Address.City }

func literal(s string) string { return fold.String(strings.Map(asciiOnly, s)) }

// Names is a query without its address.
func Names(q contracts.Query) contracts.Query {
	return contracts.Query{DBAName: q.DBAName, OwnerName: q.OwnerName}
}

// Matching keeps the records that match the query.
func Matching(q contracts.Query, records []Record) []Record {
	return slices.DeleteFunc(records, func(r Record) bool { return !Matches(q, r.LicenseRecord) })
}

// AccentWait bounds the look for spellings with accents in a second source, before a form is asked that may tell é
// from e.
const AccentWait = 5 * time.Second

// asciiOnly replaces a letter beyond ASCII by a sign that no query holds.
func asciiOnly(r rune) rune {
	if r >= utf8.RuneSelf {
		return '¤'
	}
	return r
}
