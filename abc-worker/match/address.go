package match

import (
	"regexp"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
)

// address is an address, taken apart.
type address struct {
	// house is the number of the house, such as 100, 37-12 or 100A; unit what is behind a suite or the like.
	house, unit string
	// street and city are words.
	street, city []string
	// zip has five digits.
	zip string
}

var (
	houseNumber = regexp.MustCompile(`^(\d+)(?:\s*-\s*(\d+))?\s*([A-Z]?)(?:\s|$)`)
	queensHouse = regexp.MustCompile(`^\d{1,3}-\d\d[A-Z]?$`)
	unitWords   = strings.Fields("STE SUITE UNIT APT APARTMENT SPC SPACE RM ROOM FL FLOOR BLDG BUILDING BAY BSMT " +
		"BASEMENT LOBBY LBBY DEPT DEPARTMENT REAR FRNT FRONT")
	// streetWords are unit words that names of streets have too, such as GREEN BAY RD. They begin a unit behind the way
	// of a street, or before a number or a letter.
	streetWords = strings.Fields("BAY FRONT SPACE")
	// directions and ways are words of streets that people leave out.
	directions = strings.Fields("N S E W NE NW SE SW NORTH SOUTH EAST WEST NORTHEAST NORTHWEST SOUTHEAST SOUTHWEST")
	ways       = strings.Fields(`ST STREET STR AVE AVENUE AV BLVD BOULEVARD RD ROAD DR DRIVE LN LANE WAY CT COURT PL PLACE HWY HIGHWAY PKWY PARKWAY CIR CIRCLE
		TER TERRACE PLZ PLAZA SQ SQUARE TRL TRAIL LOOP PIKE TPKE TURNPIKE EXPY EXPRESSWAY FWY FREEWAY RTE ROUTE`)
	ones = map[string]string{"ONE": "1", "TWO": "2", "THREE": "3"}
)

func newAddress(street, city, zip string) address {
	a := address{city: words(city), zip: zip[:min(5, len(zip))]}
	text := fold.String(strings.NewReplacer("#", " UNIT ", ".", " ").Replace(street))
	if first, rest, _ := strings.Cut(text, " "); ones[first] != "" {
		text = ones[first] + " " + rest
	}
	if m := houseNumber.FindStringSubmatch(text); m != nil {
		a.house = m[1] + m[3]
		if m[2] != "" {
			a.house = m[1] + "-" + m[2] + m[3]
		}
		if slices.Contains(directions, m[3]) { // 100 N MAIN ST
			a.house, m[0] = strings.TrimSuffix(a.house, m[3]), m[0][:strings.LastIndex(m[0], m[3])]
		}
		text = text[len(m[0]):]
	}
	parts := words(text)
	for i := range parts {
		if i > 0 && (a.house != "" || i > 1) && isUnit(parts, i) {
			a.unit = strings.Join(slices.DeleteFunc(parts[i:], func(w string) bool { return slices.Contains(unitWords, w) }), "")
			parts = parts[:i]
			break
		}
	}
	a.street = parts
	return a
}

// isUnit tells whether a word, but the first, begins a suite or the like. The first word is no way: it may be SAINT.
func isUnit(parts []string, i int) bool {
	isWay := func(w string) bool { return slices.Contains(ways, w) }
	next := ""
	if i+1 < len(parts) {
		next = parts[i+1]
	}
	switch {
	case !slices.Contains(unitWords, parts[i]) || isWay(next):
		return false
	case !slices.Contains(streetWords, parts[i]) || slices.ContainsFunc(parts[1:i], isWay):
		return true
	}
	return next != "" && (isNumber(next) || len(next) == 1 && !slices.Contains(directions, next))
}

// compareAddresses grades an address: house, street, and city or ZIP code. A suite that differs makes it nearly the
// same: people move within a house.
func compareAddresses(mine, theirs *address) finding {
	switch {
	case len(mine.street) == 0 && mine.house == "":
		return comparePlace(mine, theirs, finding{unknown, "no street was given"})
	case len(theirs.street) == 0 && theirs.house == "":
		return finding{unknown, "the register has no street of it"}
	}
	return comparePlace(mine, theirs, compareStreets(mine, theirs))
}

// comparePlace grades where a street that was graded lies.
func comparePlace(mine, theirs *address, street finding) finding {
	sameZip := mine.zip != "" && mine.zip == theirs.zip
	cities := pair(mine.city, theirs.city, fold.OtherSpellings)
	citySame, citySlip := cities.isJoined()
	citySame = len(mine.city) > 0 && (citySame || citySlip)
	switch {
	case sameZip && street.grade == differs:
		return finding{elsewhere, "the ZIP code is the same, the street is another one"}
	case citySame && street.grade == differs:
		return finding{elsewhere, "the city is the same, the street is another one"}
	case sameZip:
		return street
	case citySame && (mine.zip == "" || theirs.zip == ""):
		return street
	case citySame:
		return finding{min(street.grade, nearly), street.reason + ", the ZIP code is another one"}
	case mine.zip == "" && len(mine.city) == 0:
		return finding{min(street.grade, partly), street.reason + ", and neither city nor ZIP code was given"}
	case street.grade >= nearly:
		return finding{partly, street.reason + ", but in another city"}
	}
	return finding{differs, "the address is another one"}
}

func compareStreets(mine, theirs *address) finding {
	house := compareHouses(mine.house, theirs.house)
	p := pair(mine.street, theirs.street, fold.OtherSpellings)
	isSame, isSlip := p.isJoined()
	says := func(w string) bool { return !slices.Contains(directions, w) && !slices.Contains(ways, w) }
	isShort := len(p.fitted) > 0 && (len(p.left) == 0 && !slices.ContainsFunc(p.missing, says) ||
		len(p.missing) == 0 && !slices.ContainsFunc(p.left, says))
	street := finding{differs, "the street is another one"}
	switch {
	case isSame && p.slips == 0:
		street = finding{same, "the address is the same"}
	case isSame && p.slips == 1 || isSlip && p.slips == 0:
		street = finding{nearly, "the street differs by a slip"}
	case isShort && p.slips == 0:
		street = finding{nearly, "the street is written with fewer words"}
	}
	switch {
	case street.grade == differs || house == differs && mine.house != "" && theirs.house != "" && street.grade < nearly:
		return finding{differs, street.reason}
	case house == differs:
		return finding{partly, "the street is the same, the number of the house is not"}
	case house == partly:
		return finding{partly, "the street is the same, the number of the house differs by a slip"}
	case house == nearly:
		return finding{nearly, "the number of the house is written otherwise"}
	case mine.unit != theirs.unit && mine.unit != "" && theirs.unit != "":
		return finding{nearly, street.reason + ", but for the suite"}
	}
	return street
}

// compareHouses compares numbers of houses. 37-12 and 3712 are the same, and 100 is nearly 100-104 and 100A. 37-12 may
// be a house of Queens, where 37 is its block: it is neither 37-40 nor 37.
func compareHouses(a, b string) grade {
	x, y := strings.ReplaceAll(a, "-", ""), strings.ReplaceAll(b, "-", "")
	begin := func(s string) string {
		if queensHouse.MatchString(s) {
			s = strings.Replace(s, "-", "", 1)
		}
		s, _, _ = strings.Cut(s, "-")
		return strings.TrimRight(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}
	isOneRange := strings.Contains(a, "-") != strings.Contains(b, "-")
	switch {
	case x == y && x != "":
		return same
	case x == "" || y == "":
		return differs
	case begin(a) == begin(b) && (begin(a) == x || begin(b) == y || isOneRange):
		return nearly
	case len(x) == len(y) && isSwapped(x, y):
		return partly
	}
	return differs
}

// isSwapped tells whether two numbers differ by one digit, or by two that changed places.
func isSwapped(x, y string) bool {
	var at []int
	for i := range len(x) {
		if x[i] != y[i] {
			at = append(at, i)
		}
	}
	return len(at) == 1 || len(at) == 2 && at[1] == at[0]+1 && x[at[0]] == y[at[1]] && x[at[1]] == y[at[0]]
}
