package illinois

import (
	"regexp"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
)

// addressTail takes state and ZIP code from the end of an address, whether commas and a hyphen stand there or not.
var addressTail = regexp.MustCompile(`^(.*?)[\s,]+([A-Za-z]{2})[\s,]+(\d{5}(?:-?\d{4})?)$`)

// splitAddress splits "4008 RIDGE LN  CHICAGO IL, 606015555". The street ends before the name of the city when that
// is known, else at the two blanks before the city. A text in another form is the street as a whole.
func splitAddress(raw, city, county string) contracts.Address {
	a := contracts.Address{Raw: raw, City: city, County: county}
	tail := addressTail.FindStringSubmatch(raw)
	if tail == nil {
		a.Street = fold.Blanks(raw)
		return a
	}
	before := strings.TrimRight(tail[1], ", ")
	a.State, a.ZipCode = strings.ToUpper(tail[2]), register.ZipCode(tail[3])
	if n := len(before) - len(city); city != "" && n >= 0 && strings.EqualFold(before[n:], city) {
		a.Street = fold.Blanks(strings.TrimRight(before[:n], ", "))
		return a
	}
	if street, town, ok := register.SplitAtTwoBlanks(before); ok {
		a.Street = street
		if city == "" {
			a.City = town
		}
		return a
	}
	a.Street = fold.Blanks(before)
	return a
}
