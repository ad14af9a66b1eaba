package meaning

import (
	"cmp"
	"strings"
)

// Heading is what stands over a column.
type Heading struct {
	// Levels are the texts over the column, outermost first: "LTL" and "Percent" where LTL spans several columns. It is
	// empty for a column without a heading.
	Levels []string
	// Meanings are those of all levels.
	Meanings Set
	// Mode is LTL, Truckload, both or none: what the innermost level that names one of them says.
	Mode Set
}

// Heading reads the levels over a column.
func (v *Vocabulary) Heading(levels []string) Heading {
	h := Heading{Levels: levels}
	for i := len(levels) - 1; i >= 0; i-- {
		found := v.Of(levels[i])
		h.Meanings |= found
		h.Mode = cmp.Or(h.Mode, found&(LTL|Truckload))
	}
	return h
}

// String is the levels as notes show them: "LTL > Percent".
func (h Heading) String() string { return strings.Join(h.Levels, " > ") }

// IsEmpty tells whether nothing stands over the column.
func (h Heading) IsEmpty() bool { return len(h.Levels) == 0 }

// Is tells whether the heading has at least one of the meanings.
func (h Heading) Is(meanings Set) bool { return h.Meanings.Has(meanings) }
