package license

import (
	"cmp"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// Search is every record of a path that matches all members of a query, sorted by license number: what a complete search
// must give. Address matches street or town. Case and accents do not count.
func (r *Register) Search(state contracts.State, path Path, q contracts.Query) []contracts.LicenseRecord {
	found := []contracts.LicenseRecord{}
	for _, record := range r.Golden(state, path) {
		a := record.Address
		if contains(record.DBAName, q.DBAName) && contains(record.OwnerName, q.OwnerName) && (contains(a.Street, q.Address) || contains(a.City, q.Address)) {
			found = append(found, record)
		}
	}
	slices.SortFunc(found, func(a, b contracts.LicenseRecord) int { return cmp.Compare(a.LicenseNumber, b.LicenseNumber) })
	return found
}

func contains(text, part string) bool { return strings.Contains(fold(text), fold(part)) }

// accents are those of the letters that the names drawn here hold.
var accents = strings.NewReplacer("Á", "A", "É", "E", "Í", "I", "Ó", "O", "Ú", "U", "Ü", "U", "Ñ", "N")

func fold(text string) string { return accents.Replace(strings.ToUpper(text)) }
