package contracts

import (
	"fmt"
	"strings"
)

// ParseCodes reads a set of carriers or of states: codes of all in any case, separated by commas or spaces. It gives
// them in the order of all.
func ParseCodes[Code ~string](text string, all []Code) ([]Code, error) {
	named := map[Code]bool{}
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		code, ok := FindCode(s, all)
		if !ok {
			return nil, fmt.Errorf("%q is not one of %v", s, all)
		}
		named[code] = true
	}
	var set []Code
	for _, code := range all {
		if named[code] {
			set = append(set, code)
		}
	}
	return set, nil
}

// FindCode finds one of all codes, in any case.
func FindCode[Code ~string](s string, all []Code) (Code, bool) {
	for _, code := range all {
		if strings.EqualFold(s, string(code)) {
			return code, true
		}
	}
	return "", false
}

// Texts are codes as texts.
func Texts[Code ~string](all []Code) []string {
	texts := make([]string, len(all))
	for i, code := range all {
		texts[i] = string(code)
	}
	return texts
}

// Listed are codes in words, with a word before the last one: "CA, TX or NY".
func Listed[Code ~string](all []Code, word string) string {
	texts := Texts(all)
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " " + word + " " + texts[last]
}
