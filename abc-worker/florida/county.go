package florida

import (
	"strconv"
	"strings"

	"assay.dev/abc-worker/fold"
)

// counties are in the order of their codes, which begin at firstCountyCode. They were numbered by the alphabet when
// Miami-Dade was called Dade.
var counties = []string{
	"Alachua", "Baker", "Bay", "Bradford", "Brevard", "Broward", "Calhoun", "Charlotte", "Citrus", "Clay",
	"Collier", "Columbia", "Miami-Dade", "DeSoto", "Dixie", "Duval", "Escambia", "Flagler", "Franklin", "Gadsden",
	"Gilchrist", "Glades", "Gulf", "Hamilton", "Hardee", "Hendry", "Hernando", "Highlands", "Hillsborough",
	"Holmes", "Indian River", "Jackson", "Jefferson", "Lafayette", "Lake", "Lee", "Leon", "Levy", "Liberty",
	"Madison", "Manatee", "Marion", "Martin", "Monroe", "Nassau", "Okaloosa", "Okeechobee", "Orange", "Osceola",
	"Palm Beach", "Pasco", "Pinellas", "Polk", "Putnam", "St. Johns", "St. Lucie", "Santa Rosa", "Sarasota",
	"Seminole", "Sumter", "Suwannee", "Taylor", "Union", "Volusia", "Wakulla", "Walton", "Washington",
}

const firstCountyCode = 11

// countyOf is the county that a source names or gives the code of: both "39" and "Hillsborough" are Hillsborough. A
// code that is no county's, such as those for other states and abroad, gives an empty text.
func countyOf(s string) string {
	s = fold.Blanks(s)
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return countyName(s)
	}
	code, err := strconv.Atoi(s)
	if err != nil || code < firstCountyCode || code >= firstCountyCode+len(counties) {
		return ""
	}
	return counties[code-firstCountyCode]
}

// countyName gives a name its common spelling: "HILLSBOROUGH" is Hillsborough. A name that is not known stays as it is.
func countyName(s string) string {
	if strings.EqualFold(s, "Dade") {
		return "Miami-Dade"
	}
	for _, name := range counties {
		if strings.EqualFold(s, name) {
			return name
		}
	}
	return s
}
