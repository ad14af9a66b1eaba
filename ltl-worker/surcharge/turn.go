package surcharge

import (
	"slices"
	"strings"
	"unicode"
)

// turn reads a grid whose headings stand in its first column, each record in a column of its own.
func turn(lines [][]value, rule Rule, base sheet) (sheet, bool) {
	if len(lines) > maxFields {
		return base, false
	}
	lines = unfold(lines)
	width := 0
	var dated, rated bool
	for _, line := range lines {
		if width == 0 {
			width = len(line)
		}
		if len(line) != width {
			return base, false // what belongs to which record cannot be known
		}
		if width < 2 || line[0].kind == days || line[0].kind == figure {
			continue
		}
		m := rule.meaning(line[0].text)
		dated = dated || line[1].kind == days
		rated = rated || m&(mPercent|mLTL) != 0 && line[1].kind == figure
	}
	if !dated || !rated {
		return base, false
	}
	base.name += " turned"
	base.headed = true
	base.rows = make([]row, width-1)
	for _, line := range lines {
		base.columns = append(base.columns, rule.heading(appendText(nil, line[0].text)))
		for i := range base.rows {
			base.rows[i].values = append(base.rows[i].values, line[i+1])
		}
	}
	return base, true
}

// unfold leaves out lines that say one thing, and puts pairs of label and value that stand side by side below one
// another.
func unfold(lines [][]value) [][]value {
	rest := slices.DeleteFunc(slices.Clone(lines), func(line []value) bool {
		return len(line) < 2 || line[0].kind == text && !slices.ContainsFunc(line, func(v value) bool { return v.text != line[0].text })
	})
	var pairs [][]value
	for _, line := range rest {
		if len(line) < 4 || len(line)%2 != 0 {
			return rest
		}
		for i := 0; i < len(line); i += 2 {
			switch label, said := line[i], line[i+1]; {
			case label.kind == text && (said.kind != text || !strings.ContainsFunc(said.text, unicode.IsLetter)):
				pairs = append(pairs, line[i:i+2])
			case label.kind != blank || said.kind != blank:
				return rest
			}
		}
	}
	return pairs
}

// maxFields bounds the fields of a record that stands upright.
const maxFields = 40
