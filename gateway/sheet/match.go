package sheet

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Auto asks [Match] to find all columns by itself.
const Auto = "auto"

// Choice is what a person said about the columns of a file: of some fields the heading, or the place as #3, or nothing
// where no column holds them. It may have [OfSheet] besides.
type Choice map[string]string

// ParseChoice reads a list such as auto or ship_date:Ship Dt,carrier:#3. What follows a comma and is not the name of a
// field with a colon belongs to the heading before.
func ParseChoice(texts []string, fields Fields) (Choice, error) {
	isField := func(name string) bool {
		return name == OfSheet || slices.ContainsFunc(fields.all, func(f Field) bool { return f.Name == name })
	}
	c := Choice{}
	for _, text := range texts {
		last := ""
		for i, piece := range strings.Split(text, ",") {
			name, heading, hasColon := strings.Cut(piece, ":")
			name = strings.TrimSpace(name)
			_, isTwice := c[name]
			switch {
			case hasColon && isField(name) && isTwice:
				return nil, fmt.Errorf("%s is there twice", name)
			case hasColon && isField(name):
				c[name], last = strings.TrimSpace(heading), name
			case strings.TrimSpace(piece) == Auto:
				last = ""
			case i > 0 && last != "":
				c[last] += "," + piece
			default:
				return nil, fmt.Errorf("want auto, or the name of a member with the heading of its column, such as %s:Its Heading",
					fields.example())
			}
		}
	}
	return c, nil
}

// Matched is a table with what its columns hold.
type Matched struct {
	// Headings are those of the file, Line is where they stand, and Rows are those below.
	Headings []string
	Line     int
	Rows     []Row
	// Columns has the place of the column of each field that is there.
	Columns map[string]int
	// Sheets are the sheets of a workbook that are not hidden, Sheet is the place of the one that was matched; below zero
	// for none.
	Sheets []string
	Sheet  int
	// Is1904: the workbook counts days from 1904 on.
	Is1904 bool
	// Problem is why the table cannot be read like that; nil for nothing.
	Problem error
}

// Other are the places of the columns that hold none of the fields and have a heading or anything below it.
func (m Matched) Other() (places []int) {
	for i := range m.Headings {
		held := false
		for _, at := range m.Columns {
			held = held || at == i
		}
		if !held {
			places = append(places, i)
		}
	}
	return places
}

// Heading is what a column is called, its place such as #3 where it has no heading.
func (m Matched) Heading(at int) string {
	if m.Headings[at] == "" {
		return "#" + strconv.Itoa(at+1)
	}
	return m.Headings[at]
}

// Match finds the row of headings, which names most of the fields, and tells which column holds what: what was chosen,
// and the rest by the headings. A column whose heading is a field's name but for a slip is an error, and so are two
// columns that may hold one field alike, a required field without a column, and a heading that is not there. The match
// is told besides, as far as it goes.
func Match(rows []Row, fields Fields, c Choice) Matched {
	at, most, seen := -1, 0, map[string][]named{}
	score := func(r Row) int { return fields.score(r.Cells, seen) + c.score(r.Cells) }
	for i, r := range rows[:min(len(rows), headingRows)] {
		if n := score(r); n > most {
			at, most = i, n
		}
	}
	if at < 0 {
		at = firstWide(rows)
	}
	if at < 0 {
		return Matched{Problem: Unreadable("there are no lines")}
	}
	m := Matched{Headings: rows[at].Cells, Line: rows[at].Line, Rows: rows[at+1:], Columns: map[string]int{}}
	width := m.width(rows[at].width)
	for i, r := range m.Rows {
		for len(m.Headings) < len(r.Cells) {
			m.Headings = append(m.Headings, "")
		}
		if r.Problem == "" && r.width > width { // as a comma within a cell makes them, which moves those behind it
			m.Rows[i].Problem = fmt.Sprintf("there are %d cells below %d columns", r.width, width)
		}
	}
	m.Problem = cmp.Or(checkOthers(rows, at, score), m.checkHeadings(rows[at].Problem))
	if m.Problem != nil {
		return m
	}
	m.Problem = m.choose(c)
	sure, open := m.namedBy(fields)
	for i, f := range fields.all {
		if _, isChosen := c[f.Name]; !isChosen && m.Problem == nil {
			m.Problem = m.findColumn(f, sure[i])
		}
	}
	if m.Problem == nil {
		m.Problem = m.decide(fields.all, open, c)
	}
	for _, f := range fields.all {
		_, isThere := m.Columns[f.Name]
		_, isChosen := c[f.Name]
		if at, ok := m.Columns[f.Fallback]; ok && !isThere && !isChosen {
			m.Columns[f.Name] = at
		}
	}
	if m.Problem == nil {
		m.Problem = cmp.Or(m.checkParts(fields, c), m.check(fields.all, c))
	}
	return m
}

// width is how many cells a row may have below so many headings: one more where each row ends with a delimiter, as some
// programs write them.
func (m Matched) width(headings int) int {
	goesOn := func(r Row) bool {
		return r.width != headings+1 || strings.Join(r.Cells[min(headings, len(r.Cells)):], "") != ""
	}
	if len(m.Rows) < 2 || slices.ContainsFunc(m.Rows, goesOn) {
		return headings
	}
	return headings + 1
}

// longestHeading bounds the heading of any column, in bytes: the result of each line has it.
const longestHeading = 200

func (m Matched) checkHeadings(problem string) error {
	if problem != "" {
		return Unreadable("line %d: %s", m.Line, problem)
	}
	for i, heading := range m.Headings {
		if len(heading) > longestHeading {
			return Unreadable("line %d: the heading of column %d has more than %d bytes; shorten it, or leave the column out",
				m.Line, i+1, longestHeading)
		}
	}
	return nil
}

// column is a column by its place, and how well its heading names a field.
type column struct{ at, rank int }

// namedBy are, of each field by its place, the columns that name it, and of each column the fields that it may name.
func (m Matched) namedBy(fields Fields) (sure map[int][]column, open map[int][]named) {
	sure, open = map[int][]column{}, map[int][]named{}
	for at, heading := range m.Headings {
		names, may := fields.of(heading)
		open[at] = may
		for _, n := range names {
			sure[n.field] = append(sure[n.field], column{at, n.rank})
		}
	}
	return sure, open
}

// checkOthers refuses a table that has other headings than those at a place, of nearly as many fields, as where exports
// were put one below the other.
func checkOthers(rows []Row, at int, score func(Row) int) error {
	most := score(rows[at])
	other := slices.IndexFunc(rows, func(r Row) bool {
		return most > 1 && r.mayBeHeadings() && 3*score(r) >= 2*most &&
			!slices.EqualFunc(r.Cells, rows[at].Cells, strings.EqualFold)
	})
	if other < 0 {
		return nil
	}
	return Unreadable("line %d has other headings than line %d; send what begins there apart",
		rows[max(at, other)].Line, rows[min(at, other)].Line)
}

// mayBeHeadings tells of a row that none of its cells begins as a number or a date does.
func (r Row) mayBeHeadings() bool {
	return !slices.ContainsFunc(r.Cells, func(cell string) bool { return cell != "" && cell[0] >= '0' && cell[0] <= '9' })
}

// firstWide is the place of the first row of several cells; below zero for none.
func firstWide(rows []Row) int {
	return slices.IndexFunc(rows, func(r Row) bool { return len(r.Cells) > 1 })
}

// score counts the chosen headings that a row has.
func (c Choice) score(cells []string) (n int) {
	for _, heading := range c {
		if heading != "" && slices.Contains(cells, heading) {
			n += 2
		}
	}
	return n
}
