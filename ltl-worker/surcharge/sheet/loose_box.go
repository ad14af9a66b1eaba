package sheet

import (
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// A page may show figures in boxes, with the name of each below it: "31.45%" and, in smaller letters, "LTL surcharge". Before
// the weeks are looked for, such names are put before their figures, as everywhere else.

// maxBoxLines is the most lines of a box.
const maxBoxLines = 3

// turnBoxes puts the names of figures before them, in all boxes inside an element.
func turnBoxes(b *table.Block, v *meaning.Vocabulary) {
	for _, c := range b.Children {
		if c.Text == "" {
			turnBoxes(c, v)
		}
	}
	if len(b.Children) < 2 || len(b.Children) > maxBoxLines {
		return
	}
	if isBareValue(b.Children[0]) && namesValue(b.Children[1], v) && !holdsFigures(b.Children[1:2]) {
		b.Children[0], b.Children[1] = b.Children[1], b.Children[0]
	}
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
	return value.Kind == cell.Dates || value.Kind == cell.Figure && value.Quantity.Unit != cell.Bare
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
