package sheet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// A page may show figures in boxes, with the name of each below it: "31.45%" and, in smaller letters, "LTL surcharge". Before
// the weeks are looked for, such names are put before their figures, as everywhere else.

// maxBoxLines is the most lines of a box whose first one is a figure. In larger ones each figure must have its name below.
const maxBoxLines = 3

// turnBoxes puts the names of figures before them, in all boxes inside an element.
func turnBoxes(b *table.Block, v *meaning.Vocabulary) {
	for _, c := range b.Children {
		if c.Text == "" {
			turnBoxes(c, v)
		}
	}
	if isBox := len(b.Children) > 1 && len(b.Children) <= maxBoxLines; isBox && isNamedBelow(b.Children, v) {
		b.Children[0], b.Children[1] = b.Children[1], b.Children[0]
		return
	}
	isTurned := false // the names stand below in all of the box
	for i := 0; i < len(b.Children); {
		named := namedBelow(b.Children[i:], v)
		if named > 0 && (i == 0 || isTurned || holdsFigures(b.Children[i-1:i]) || !namesValue(b.Children[i-1], v)) {
			isTurned = true
			for at := i; at < i+named; at += 2 {
				b.Children[at], b.Children[at+1] = b.Children[at+1], b.Children[at]
			}
		}
		i += max(named, 1)
	}
}

// isNamedBelow tells whether the first of the elements is a figure or a date, and the second one names it.
func isNamedBelow(blocks []*table.Block, v *meaning.Vocabulary) bool {
	return len(blocks) > 1 && isBareValue(blocks[0]) && namesValue(blocks[1], v) && !holdsFigures(blocks[1:2])
}

// namedBelow is how many of the first elements are values and their names, in turns. It is 0 where the last name rather goes with a
// value behind it: "LTL" of the title, "31.45%", "Truckload", "62.9%".
func namedBelow(blocks []*table.Block, v *meaning.Vocabulary) int {
	n := 0
	for isNamedBelow(blocks[n:], v) {
		n += 2
	}
	if n > 0 && n < len(blocks) && isBareValue(blocks[n]) && (!isDate(blocks[n]) || v.Of(onlyLine(blocks[n-1]).Text).Has(meaning.Effective|meaning.Begin|meaning.Date)) {
		return 0
	}
	return n
}

func isDate(b *table.Block) bool {
	var r cell.Reader
	return r.Read(onlyLine(b).Text).Kind == cell.Dates
}

// onlyLine is the one line in an element; nil where it holds more.
func onlyLine(b *table.Block) *table.Block {
	for b.Text == "" {
		if len(b.Children) != 1 {
			return nil
		}
		b = b.Children[0]
	}
	return b
}

// isBareValue tells whether an element holds a figure or a date and nothing else.
func isBareValue(b *table.Block) bool {
	line := onlyLine(b)
	if line == nil || !strings.ContainsAny(line.Text, digits) {
		return false
	}
	var r cell.Reader
	value := r.Read(line.Text)
	if value.Kind != cell.Figure {
		return value.Kind == cell.Dates
	}
	first, _ := utf8.DecodeRuneInString(line.Text)
	const names = meaning.LTL | meaning.Truckload | meaning.Service | meaning.Abroad | meaning.Region | meaning.Fuel
	return value.Quantity.Unit != cell.Bare && !unicode.IsLetter(first) && !value.Quantity.About.Has(names)
}

// namesValue tells whether an element is a line that names a figure or a date: "LTL", "Effective date".
func namesValue(b *table.Block, v *meaning.Vocabulary) bool {
	line := onlyLine(b)
	if line == nil || line.Level > 0 || len(line.Text) > maxLooseLabel || strings.HasSuffix(line.Text, ".") || strings.HasSuffix(line.Text, ":") {
		return false
	}
	const names = meaning.LTL | meaning.Truckload | meaning.Percent | meaning.Price | meaning.Fuel | meaning.Effective | meaning.Begin |
		meaning.Date | meaning.Service | meaning.Abroad | meaning.Region
	return v.Of(line.Text).Has(names)
}

func holdsFigures(blocks []*table.Block) bool {
	for _, b := range blocks {
		if strings.ContainsAny(b.Text, digits) || holdsFigures(b.Children) {
			return true
		}
	}
	return false
}
