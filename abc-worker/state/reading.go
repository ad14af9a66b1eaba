package state

import (
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // images without time zones
	"unicode"
	"unicode/utf8"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// noLicense is what words map to that stand for an application or for nothing a license was ever issued on.
const noLicense contracts.Status = ""

// words maps a source's status words, in upper case, to statuses.
type words map[string]contracts.Status

// status is the status that word stands for. A word that is not in the map is a failure of kind changed.
func (w words) status(word string) (contracts.Status, error) {
	status, known := w.find(word)
	if !known {
		return "", scrape.Failf(scrape.Changed, "status %q is not known", contracts.Printable(word))
	}
	return status, nil
}

func (w words) find(word string) (status contracts.Status, known bool) {
	status, known = w[strings.ToUpper(clean(word))]
	return status, known
}

// tally counts the required fields: each is true when it was extracted cleanly.
func tally(fields ...bool) contracts.Tally {
	t := contracts.Tally{Required: len(fields)}
	for _, ok := range fields {
		if ok {
			t.Clean++
		}
	}
	return t
}

// noneFound is the tally of an answer without records: the one required fact is that the source says so.
var noneFound = contracts.Tally{Clean: 1, Required: 1}

// found is the result of a search that looked at all matches, in any order.
func found(all []contracts.LicenseRecord) Found {
	slices.SortStableFunc(all, func(a, b contracts.LicenseRecord) int { return strings.Compare(a.LicenseNumber, b.LicenseNumber) })
	return Found{Total: len(all), Records: all[:min(len(all), contracts.MaxResults)]}
}

// matches tells whether a record holds every member of the query.
func matches(q contracts.Query, r contracts.LicenseRecord) bool {
	return fold.Contains(r.DBAName, q.DBAName) && fold.Contains(r.OwnerName, q.OwnerName) && fold.Contains(oneLine(r.Address), q.Address)
}

// oneLine is what an address filter looks at: street, city, state and ZIP code.
func oneLine(a contracts.Address) string {
	return strings.Join([]string{a.Street, a.City, a.State, a.ZipCode}, " ")
}

// clean is s on one line, its blanks single and none at the ends. A non-breaking blank counts as one.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// isClean tells whether s is clean already and in ASCII, as most texts are.
func isClean(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= utf8.RuneSelf || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			return false
		}
	}
	return true
}

// zipCode gives nine digits their hyphen, and takes it from five. Other texts stay.
func zipCode(s string) string {
	s = strings.TrimSuffix(clean(s), "-")
	if len(s) == 9 && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }) < 0 {
		return s[:5] + "-" + s[5:]
	}
	return s
}

// printed reads a date in one of the layouts of package time. An empty text is no date and no error of the source; what is
// neither is not clean.
func printed(text string, layouts ...string) (date contracts.Date, ok bool) {
	text = clean(text)
	if text == "" {
		return "", true
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return contracts.DateOf(t), true
		}
	}
	return "", false
}

// served is a list of suspensions that has none yet: an array in JSON, never null.
func served() []contracts.Suspension { return []contracts.Suspension{} }

// Where the days of the regulators begin.
var (
	pacific = mustLoad("America/Los_Angeles")
	central = mustLoad("America/Chicago")
	eastern = mustLoad("America/New_York")
)

func mustLoad(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // the zones are part of the binary
	}
	return zone
}

func (d Deps) today(zone *time.Location) contracts.Date { return contracts.DateOf(d.Clock().In(zone)) }
