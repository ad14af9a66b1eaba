package license

import (
	"slices"
	"strings"
	"unicode"

	"assay.dev/contracts"
)

// Search returns each record of a path that matches all members of a query, in the order of the register. A complete
// search must give these. A field matches a member when it contains each word of it, in any case and with or without
// accents. The member address is compared with street and town.
func (r *Register) Search(state contracts.State, path Path, q contracts.Query) []contracts.LicenseRecord {
	found := []contracts.LicenseRecord{}
	for _, record := range r.Golden(state, path) {
		a := record.Address
		if contains(record.DBAName, q.DBAName) && contains(record.OwnerName, q.OwnerName) &&
			contains(a.Street+" "+a.City, q.Address) {
			found = append(found, record)
		}
	}
	slices.SortFunc(found, func(a, b contracts.LicenseRecord) int { return a.Position().Compare(b.Position()) })
	return found
}

// contains tells whether text has every word of a filter.
func contains(text, words string) bool {
	separates := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(fold(words), separates) {
		if !strings.Contains(fold(text), word) {
			return false
		}
	}
	return true
}

// accents are those of the letters that the names drawn here hold.
var accents = strings.NewReplacer("Á", "A", "É", "E", "Í", "I", "Ó", "O", "Ú", "U", "Ü", "U", "Ñ", "N")

func fold(text string) string { return accents.Replace(strings.ToUpper(text)) }
