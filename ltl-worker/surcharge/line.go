package surcharge

import "assay.dev/platform/scrape/table"

// lineRole is what a line of a grid is for.
type lineRole uint8

const (
	blankLine lineRole = iota
	sectionLine
	headLine
	dataLine
)

// contents counts what the cells of a line hold; a cell over several columns counts once.
type contents struct{ filled, dated, figures, texts, heads, placeholders int }

func contentsOf(r table.Row, line []value) contents {
	var n contents
	for i := range line {
		v, c := &line[i], &r.Cells[i]
		if v.kind == blank || c.Spanned && i > 0 && line[i-1].text == v.text {
			continue
		}
		n.filled++
		if c.Heading {
			n.heads++
		}
		switch {
		case v.kind == days:
			n.dated++
		case v.kind == figure:
			n.figures++
		case placeholder(v):
			n.placeholders++
		default:
			n.texts++
		}
	}
	return n
}

func roleOfLine(r table.Row, line []value, rule Rule) lineRole {
	n := contentsOf(r, line)
	onlyHeads := n.heads == n.filled
	switch {
	case n.filled == 0:
		return blankLine
	case n.placeholders > 0:
		return dataLine
	case n.filled == 1 && n.dated == 0 && (len(line) != 2 || r.Cells[1].Spanned):
		return sectionLine
	case n.dated > 0 && n.figures == 0 && n.texts > 0 && onlyHeads:
		return headLine
	case n.dated > 0, n.figures > 1 && !onlyHeads && !r.Head:
		return dataLine
	case r.Head, onlyHeads, n.texts > 0 && headlike(line, rule):
		return headLine
	}
	return dataLine
}

// headlike tells whether a row of plain cells reads like headings.
func headlike(line []value, rule Rule) bool {
	var all mark
	for _, v := range line {
		if v.kind == figure && v.q.unit != bare {
			return false
		}
		if v.kind == text {
			all |= rule.meaning(v.text)
		}
	}
	return all&(mDate|mEffective|mBegin|mPrice|mPercent|mLTL|mTL|mIndex|mPosted) != 0
}
