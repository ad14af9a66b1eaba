package mirror

import (
	"slices"
	"strings"
)

// isBad tells whether what stands for a number is a whole row.
func isBad(number string) bool { return strings.Contains(number, "\n") }

// markBad marks the entries that a bad row may be of: it has their number.
func (b *builder) markBad() {
	bad := map[string]bool{}
	for key := range b.slots {
		if isBad(key.number) {
			between := func(r rune) bool { return strings.ContainsRune("\n,;.\"", r) }
			for part := range strings.FieldsFuncSeq(key.number, between) {
				bad[onlyDigits(part)] = true
			}
		}
	}
	delete(bad, "")
	for key, s := range b.slots {
		if len(bad) > 0 && bad[onlyDigits(key.number)] {
			markUnclear(b.data[s.from:s.to])
		}
	}
}

// hiding is what [mayHide] looks at of a row whose number cannot be read: its digits, of a bad row behind a line break.
func hiding(printed string) string {
	if isBad(printed) {
		return "\n" + onlyDigits(printed)
	}
	return onlyDigits(printed)
}

// mayHide tells whether one of the rows may be of a number. A number may have been cut off; a bad row has all of it.
func mayHide(unnumbered []string, number string) bool {
	digits := onlyDigits(number)
	return slices.ContainsFunc(unnumbered, func(other string) bool {
		return other == "" || strings.Contains(digits, other) || strings.Contains(other, digits)
	})
}

func onlyDigits(s string) string {
	return strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s), "0")
}
