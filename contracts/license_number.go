package contracts

import (
	"regexp"
	"strings"
)

// numberForms holds, per state, the normal form of what people and sources write for a license number. A rule is tried
// in order; the first whose pattern matches the upper-cased text without surrounding blanks rewrites it.
var numberForms = map[State][]struct {
	pattern *regexp.Regexp
	normal  func(match []string) string
}{
	// 632923, 00632923, 48-632923, CA-20-621547
	CA: {{regexp.MustCompile(`^(?:CA[- ]?)?(?:\d{2}[- ])?0*(\d{1,8})$`), group(1)}},
	// 100001159, 100001159.0; legacy MB-747105
	TX: {
		{regexp.MustCompile(`^(\d{9})(?:\.0)?$`), group(1)},
		{regexp.MustCompile(`^([A-Z]{1,3})[- ]?(\d{6,7})$`), func(m []string) string { return m[1] + m[2] }},
	},
	// 0340-22-106125, 0340-22-103251-02, old serial 1234567
	NY: {
		{regexp.MustCompile(`^0*(\d{1,4})[- ](\d{2})[- ](\d{6})(?:[- ](\d{2}))?$`), func(m []string) string {
			n := strings.Repeat("0", 4-len(m[1])) + m[1] + "-" + m[2] + "-" + m[3]
			if m[4] != "" {
				n += "-" + m[4]
			}
			return n
		}},
		{regexp.MustCompile(`^(\d{7})$`), group(1)},
	},
	// BEV3900123, 3900123, 39-00123
	FL: {{regexp.MustCompile(`^(?:BEV)?[- ]?(\d{2})[- ]?(\d{5})$`), func(m []string) string { return "BEV" + m[1] + m[2] }}},
	// 1A-1143621
	IL: {{regexp.MustCompile(`^(\d{1,2}[A-Z]{0,2})[- ]?(\d{7})$`), func(m []string) string { return m[1] + "-" + m[2] }}},
}

func group(n int) func([]string) string { return func(m []string) string { return m[n] } }

// NormalLicenseNumber is the one form under which a state's license number is looked up and cached. The error is
// INVALID_REQUEST for a number that the state cannot have issued.
func NormalLicenseNumber(s State, number string) (string, error) {
	text := strings.ToUpper(strings.TrimSpace(number))
	for _, form := range numberForms[s] {
		if m := form.pattern.FindStringSubmatch(text); m != nil {
			return form.normal(m), nil
		}
	}
	return "", Invalid("path", "license_number", "value_error", "%q is not in a form that %s issues; check the number on the license", Printable(number), s)
}
