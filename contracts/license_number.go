package contracts

import (
	"regexp"
	"strings"
)

// numberForms holds, per state, the normal form of what people and sources write for a license number. A rule is tried
// in order; the first whose pattern matches the upper-cased text without surrounding blanks rewrites it.
var numberForms = map[State]struct {
	// examples are the forms that the state issues, for people.
	examples string
	rules    []numberRule
}{
	CA: {"a number such as 632923, or a license type and a number such as 48-632923", []numberRule{
		{regexp.MustCompile(`^0*(\d{1,8})$`), asWritten},
		{regexp.MustCompile(`^(?:CA[- ]?)0*(\d{1,8})$`), asWritten},
		{regexp.MustCompile(`^(?:CA[- ]?)?(\d{1,2})[- ]0*(\d{1,8})$`),
			func(m []string) string { return padded(m[1], 2) + "-" + m[2] }},
	}},
	TX: {"nine digits such as 100001159, or the number before 2021 such as MB747105", []numberRule{
		{regexp.MustCompile(`^(\d{3})[- ]*(\d{3})[- ]*(\d{3})$`), joined},
		{regexp.MustCompile(`^([A-Z]{1,3})[- ]*(\d{3})[- ]*(\d{3,4})$`), joined},
	}},
	NY: {"a number such as 0340-22-106125 or 0340-22-103251-02, or the seven digits of a serial before 2022", []numberRule{
		{regexp.MustCompile(`^0*(\d{1,4})[- ](\d{2})[- ](\d{6})(?:[- ](\d{2}))?$`), newYorkNumber},
		{regexp.MustCompile(`^(\d{3,4})(\d{2})(\d{6})$`), func(m []string) string { return newYorkNumber(append(m, "")) }},
		{regexp.MustCompile(`^(\d{3,4})(\d{2})(\d{6})(\d{2})$`), newYorkNumber},
		{regexp.MustCompile(`^(\d{7})$`), asWritten},
	}},
	FL: {"BEV and seven digits such as BEV3900123, or the digits alone", []numberRule{
		{regexp.MustCompile(`^(?:BEV)?[- ]?(\d{2})[- ]?(\d{5})$`), func(m []string) string { return "BEV" + m[1] + m[2] }},
	}},
	IL: {"a license class and seven digits, such as 1A-1143621; the class is needed", []numberRule{
		{regexp.MustCompile(`^0*([1-9]\d?[A-Z]{0,2})[- ]?(\d{7})$`), func(m []string) string { return m[1] + "-" + m[2] }},
	}},
}

type numberRule struct {
	pattern *regexp.Regexp
	normal  func(match []string) string
}

func asWritten(m []string) string { return m[1] }

func joined(m []string) string { return strings.Join(m[1:], "") }

func padded(digits string, width int) string {
	return strings.Repeat("0", max(0, width-len(digits))) + digits
}

func newYorkNumber(m []string) string {
	number := padded(m[1], 4) + "-" + m[2] + "-" + m[3]
	if m[4] != "" {
		number += "-" + m[4]
	}
	return number
}

// NormalLicenseNumber is the one form under which a state's license number is looked up and cached. A license type
// before a number of CA stays: 48-00632923 becomes 48-632923, which asks for that type of license 632923. Spreadsheets
// and open data write a number as a decimal: 632923.0. The error is INVALID_REQUEST for a number that the state cannot
// have issued; it says which forms the state issues.
func NormalLicenseNumber(s State, number string) (string, error) {
	text := strings.ToUpper(strings.TrimSpace(number))
	if whole, zeros, _ := strings.Cut(text, "."); zeros == "0" || zeros == "00" { // 400.000 may be 400 thousand
		text = whole
	}
	for _, rule := range numberForms[s].rules {
		if m := rule.pattern.FindStringSubmatch(text); m != nil {
			return rule.normal(m), nil
		}
	}
	return "", Invalid("path", "license_number", "value_error", "%q is not in a form that %s issues: give %s",
		Printable(number), s, numberForms[s].examples)
}

// SplitLicenseType takes the license type from the normal form of a number of CA: 48-632923 is type 48 of 632923. The
// type is empty when none is asked for, as in other states.
func SplitLicenseType(s State, normal string) (kind, number string) {
	if before, after, ok := strings.Cut(normal, "-"); s == CA && ok {
		return before, after
	}
	return "", normal
}

// IsFormerNumber tells a normal number that a license had before its number of today: in TX before 2021, in NY before
// 2022.
func IsFormerNumber(s State, normal string) bool {
	return s == TX && normal >= "A" || s == NY && !strings.Contains(normal, "-")
}
