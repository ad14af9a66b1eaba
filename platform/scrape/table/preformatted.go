package table

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// columnGap parts the columns of a text table: a bar, two blanks or more, a tab, or dots that lead from one to the next.
var columnGap = regexp.MustCompile(`\s*\|\s*|\s*\.{3,}\s*|\t+\s*| {2,}`)

// preformatted reads the text table in a <pre>. It is false when there is none.
func (p *parser) preformatted(n *html.Node) bool {
	var text strings.Builder
	rawText(n, &text)
	var rows []Row
	figures := 0
	starts := ruler(text.String())
	isCSV := isCSV(text.String())
	for l := range strings.SplitSeq(text.String(), "\n") {
		cells := textCells(l)
		if isCSV {
			cells = csvCells(l)
		}
		if cut := cutAt(l, starts); len(cells) > 1 && len(cells) != len(cut) && cut != nil {
			cells = cut
		}
		if isTitleWithDashes(l, cells) {
			cells = []Cell{{Text: foldedText(l)}}
		}
		switch {
		case len(cells) > 1 && len(rows) == 0 && len(cells) < len(starts): // titles over the columns
			for _, c := range cells {
				p.note(c.Text)
			}
		case len(cells) > 1:
			rows = append(rows, Row{Cells: cells})
			if strings.ContainsAny(l, digits) {
				figures++
			}
		case len(cells) == 1 && len(rows) == 0:
			p.note(cells[0].Text)
		case len(cells) == 1: // a title or a note between the rows
			rows = append(rows, Row{Cells: cells})
		}
	}
	if figures < 2 {
		return false
	}
	if len(rows[0].Cells) > 2 && strings.ContainsAny(rows[0].Cells[0].Text, digits) {
		joinLabels(rows)
	}
	p.addGrid(n, Table, "", rows)
	return true
}

// joinLabels puts labels that stand apart from their figures before them, in lines without headings: "TL" and "97.94%".
func joinLabels(rows []Row) {
	for i, row := range rows {
		var cells []Cell
		for _, c := range row.Cells {
			if last := len(cells) - 1; last >= 0 && isLabel(cells[last].Text) && strings.ContainsAny(c.Text, digits) && !strings.ContainsFunc(c.Text, unicode.IsLetter) {
				cells[last].Text += " " + c.Text
				continue
			}
			cells = append(cells, c)
		}
		rows[i].Cells = cells
	}
}

// isLabel tells whether a text is a word without digits.
func isLabel(text string) bool {
	return strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsAny(text, digits)
}

// rulerLine is a line of dashes below the headings of columns: "----------   ------".
var rulerLine = regexp.MustCompile(`(?m)^[ \t]*[-=]{3,}(?: +[-=]{2,})+[ \t]*$`)

// ruler is where the columns begin that a line of dashes marks; nil where there is none.
func ruler(text string) (starts []int) {
	line := rulerLine.FindString(text)
	for i := range line {
		if line[i] != ' ' && (i == 0 || line[i-1] == ' ') {
			starts = append(starts, i)
		}
	}
	return starts
}

// cutAt are the cells of a line whose columns begin at the places; nil where a word lies across one of them.
func cutAt(l string, starts []int) []Cell {
	if len(starts) == 0 || len(l) <= starts[len(starts)-1] {
		return nil
	}
	var cells []Cell
	for i, start := range starts {
		end := len(l)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if start > 0 && l[start-1] != ' ' {
			return nil
		}
		cells = append(cells, Cell{Text: foldedText(l[start:end])})
	}
	return cells
}

// textCells are the cells of one line; a line that only rules off has none.
func textCells(l string) []Cell {
	l = strings.Trim(strings.TrimSpace(l), "|")
	if strings.Trim(l, "-=+_|: ") == "" {
		return nil
	}
	var cells []Cell
	for _, part := range columnGap.Split(strings.TrimSpace(l), -1) {
		cells = append(cells, Cell{Text: foldedText(part)})
	}
	return cells
}

func foldedText(s string) string {
	var f folder
	f.write(s)
	return f.b.String()
}

// isTitleWithDashes tells whether dashes part the words of a title: "FREIGHT LINES  --  LTL FUEL SURCHARGE". In a line with
// figures they stand for a value that is missing.
func isTitleWithDashes(l string, cells []Cell) bool {
	return !strings.ContainsAny(l, digits) && len(cells) > 2 &&
		slices.ContainsFunc(cells, func(c Cell) bool { return strings.Trim(c.Text, "-–—=*") == "" })
}

func rawText(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type == html.ElementNode && !Unseen(c):
			if c.Data == "br" {
				b.WriteByte('\n')
			}
			rawText(c, b)
		}
	}
}
