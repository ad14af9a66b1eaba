package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// Field is something that a column may hold.
type Field struct {
	Name     string
	Required bool
	// Headings are what its column may be called besides its name, the best first. See [Match] for what makes a heading one of them.
	Headings []string
	// Open are headings that it shares with another field. What the values look like decides.
	Open []string
	// Looks tells whether a text looks like one of its values, and like none of a field that it shares headings with. Of two columns that
	// may hold the field, the one with more such texts does, unless most are such in both. Strict fields are only in columns of such texts, or of their very name. nil for no look of its own.
	Looks  func(text string) bool
	Strict bool
	// Same tells whether two cells say the same of the field. Of columns of different headings that may hold it and do not say the same in
	// some row none is taken: [Match] asks, but where one is called by the field's very name. nil for fields where the best heading is enough.
	Same func(a, b string) bool
	// Placed fields are of an address: their headings may have words besides of whose it is, as Ship To and Mailing, and of its first line.
	// One that is required is in no column of where only letters and bills go.
	Placed bool
	// Else is the field whose column holds this one too where it has none of its own.
	Else string
	// Asked fields are not left out where a column that holds no field looks like one of theirs: [Match] asks.
	Asked bool
}

// Fields are those that a table may have, ready to be looked for.
type Fields struct {
	all []Field
	// named and open have the places in all of the fields that are called so, by the words of their headings or their squashed names.
	named, open map[string][]named
}

// named is a field, and how well it is named: 0 is best.
type named struct{ field, rank int }

// NewFields makes fields ready. A heading of a word that is not known is a mistake of the caller.
func NewFields(all ...Field) Fields {
	f := Fields{all: all, named: map[string][]named{}, open: map[string][]named{}}
	for i, field := range all {
		name := "=" + Squashed(field.Name)
		f.named[name] = append(f.named[name], named{i, 0})
		for rank, h := range field.Headings {
			f.named[keyOf(h)] = append(f.named[keyOf(h)], named{i, rank + 1})
		}
		for _, h := range field.Open {
			f.open[keyOf(h)] = append(f.open[keyOf(h)], named{i, 0})
		}
	}
	return f
}

// keyOf is the same for headings of the same words.
func keyOf(heading string) string {
	words, ok := wordsOf(heading)
	if !ok {
		panic("sheet: no heading: " + heading) // the headings are ours: a test sees it
	}
	return strings.Join(words, " ")
}

// of are the fields that a heading names, and those that it may name.
func (f Fields) of(heading string) (sure, open []named) {
	sure = f.named["="+Squashed(heading)]
	if words, ok := wordsOf(heading); ok {
		key := strings.Join(words, " ")
		sure, open = slices.Concat(sure, f.named[key]), f.open[key]
		if len(sure) == 0 {
			sure = f.placed(words)
		}
	}
	return sure, open
}

// placedRank is above the rank of every heading that names a field by all of its words.
const placedRank = 100

// placed are the fields of an address that a heading names by some of its words.
func (f Fields) placed(words []string) (sure []named) {
	rest, rank := placed(words)
	if rank < 0 || len(rest) == 0 {
		return nil
	}
	key := strings.Join(rest, " ")
	for _, n := range slices.Concat(f.named[key], f.named["="+key]) {
		if field := f.all[n.field]; field.Placed && (rank < len(near) || !field.Required) {
			sure = append(sure, named{n.field, (1+rank)*placedRank + n.rank})
		}
	}
	return sure
}

// Score counts the fields that a row of headings names.
func (f Fields) Score(cells []string) int {
	if len(cells) > MaxColumns {
		return 0
	}
	found := map[int]bool{}
	for _, cell := range cells {
		sure, open := f.of(cell)
		for _, n := range slices.Concat(sure, open) {
			found[n.field] = true
		}
	}
	return len(found)
}

// example is the name of a field that no table is without, or else of any.
func (f Fields) example() string {
	return f.all[max(0, slices.IndexFunc(f.all, func(f Field) bool { return f.Required }))].Name
}

// Auto asks [Match] to find all columns by itself.
const Auto = "auto"

// Choice is what a person said about the columns of a file: of some fields the heading, or the place as #3, or nothing where no column
// holds them. It may have [OfSheet] besides.
type Choice map[string]string

// ParseChoice reads a list such as auto or ship_date:Ship Dt,carrier:#3. What follows a comma and is not the name of a field with a
// colon belongs to the heading before.
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
				return nil, fmt.Errorf("want auto, or the name of a member with the heading of its column, such as %s:Its Heading", fields.example())
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
	// Sheets are the sheets of a workbook that are not hidden, Sheet is the place of the one that was matched; below zero for none.
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

// Match finds the row of headings, which names most of the fields, and tells which column holds what: what was chosen, and the rest by
// the headings. A column whose heading is a field's name but for a slip is an error, and so are two columns that may hold one field alike, a
// required field without a column, and a heading that is not there. The match is told besides, as far as it goes.
func Match(rows []Row, fields Fields, c Choice) Matched {
	at, most := -1, 0
	for i, r := range rows[:min(len(rows), headingRows)] {
		if n := fields.Score(r.Cells) + c.score(r.Cells); n > most {
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
	for _, r := range m.Rows {
		for len(m.Headings) < len(r.Cells) {
			m.Headings = append(m.Headings, "")
		}
	}
	m.Problem = m.choose(c)
	sure, open := m.namedBy(fields)
	for i, f := range fields.all {
		if _, isChosen := c[f.Name]; !isChosen && m.Problem == nil {
			m.Problem = m.find(f, sure[i])
		}
	}
	if m.Problem == nil {
		m.Problem = m.decide(fields.all, open, c)
	}
	for _, f := range fields.all {
		_, isThere := m.Columns[f.Name]
		_, isChosen := c[f.Name]
		if at, ok := m.Columns[f.Else]; ok && !isThere && !isChosen {
			m.Columns[f.Name] = at
		}
	}
	if m.Problem == nil {
		m.Problem = m.check(fields.all, c)
	}
	return m
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

// choose takes what was chosen.
func (m Matched) choose(c Choice) error {
	for name, heading := range c {
		if heading == "" {
			continue
		}
		at := placeOf(m.Headings, heading)
		if at < 0 {
			return m.undecided(name, "%s: no column is called %q", name, contracts.Printable(heading))
		}
		m.Columns[name] = at
	}
	return nil
}

// placeOf is the place of a name in any case, or of one that is given as #2; below zero for none.
func placeOf(names []string, text string) int {
	at := slices.Index(names, text)
	if at < 0 {
		at = slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, text) })
	}
	if place, ok := strings.CutPrefix(text, "#"); ok && at < 0 {
		if n, err := strconv.Atoi(place); err == nil && n <= len(names) {
			at = n - 1
		}
	}
	return at
}

// find finds the column of a field among those that name it.
func (m Matched) find(f Field, columns []column) error {
	best, most, isTie := column{at: -1}, 0, false
	var all []column
	for _, c := range columns {
		n := m.looks(c.at, f)
		isOther := f.Strict && m.Headings[c.at] != f.Name && (n == 0 || n < m.filled(c.at))
		if m.isTaken(c.at) || isOther {
			continue
		}
		if all = append(all, c); 2*n > m.filled(c.at) {
			n = len(m.Rows) // some cells are always empty or odd
		}
		switch isNamed := c.rank == 0 && best.rank > 0; {
		case c.at == best.at:
		case best.at < 0, isNamed, best.rank > 0 && (n > most || n == most && c.rank < best.rank):
			best, most, isTie = c, n, false
		case c.rank == best.rank && n == most:
			isTie = true
		}
	}
	if best.at < 0 {
		return nil
	}
	if isTie || slices.ContainsFunc(all, func(c column) bool { return m.differ(f, best.at, c.at) }) {
		return m.undecided(f.Name, "two columns may be %s; say which", f.Name)
	}
	m.Columns[f.Name] = best.at
	return nil
}

// differ tells whether two columns do not say the same of a field in some row.
func (m Matched) differ(f Field, one, other int) bool {
	if f.Same == nil || m.Headings[one] == f.Name || m.filled(other) == 0 {
		return false
	}
	return slices.ContainsFunc(m.Rows, func(r Row) bool { return !f.Same(r.Cell(one), r.Cell(other)) })
}

func (m Matched) isTaken(column int) bool {
	for _, at := range m.Columns {
		if at == column {
			return true
		}
	}
	return false
}

// looks counts the cells of a column that look like values of a field; of a field without a look, whether there are any.
func (m Matched) looks(column int, f Field) (n int) {
	if f.Looks == nil {
		return min(m.filled(column), 1)
	}
	for _, r := range m.Rows {
		if cell := r.Cell(column); cell != "" && f.Looks(cell) {
			n++
		}
	}
	return n
}

func (m Matched) filled(column int) (n int) {
	for _, r := range m.Rows {
		if r.Cell(column) != "" {
			n++
		}
	}
	return n
}

// decide gives the columns whose headings several fields share to the one whose values they look like, or that is the only one left. One
// that looks like a field that has its column, or that no field is left for, has to say the same as that column.
func (m Matched) decide(fields []Field, open map[int][]named, c Choice) error {
	for i, heading := range m.Headings {
		var may, like, held []string
		var rivals []Field
		for _, n := range open[i] {
			f := fields[n.field]
			if m.isTaken(i) || m.filled(i) == 0 {
				continue
			}
			_, isChosen := c[f.Name]
			_, isThere := m.Columns[f.Name]
			switch isLike := m.looks(i, f) > 0; {
			case isLike && (isThere || isChosen):
				held = append(held, f.Name)
			case isLike:
				like = append(like, f.Name)
			}
			switch {
			case isChosen:
			case isThere:
				rivals = append(rivals, f)
			default:
				may = append(may, f.Name)
			}
		}
		isSame := func(f Field) bool { return !m.differ(f, m.Columns[f.Name], i) }
		switch {
		case len(like) == 1:
			m.Columns[like[0]] = i
		case len(held) == 0 && len(may) == 1:
			m.Columns[may[0]] = i
		case len(may) > 1:
			return m.undecided(may[0], "the column %q may be %s; say which", contracts.Printable(heading), strings.Join(may, " or "))
		case len(rivals) > 0 && !slices.ContainsFunc(rivals, isSame):
			asked := rivals[len(rivals)-1].Name
			if len(held) > 0 {
				asked = held[0]
			}
			return m.undecided(asked, "two columns may be %s, %q too; say which", asked, contracts.Printable(heading))
		}
	}
	return nil
}

// check refuses what was probably meant otherwise.
func (m Matched) check(fields []Field, c Choice) error {
	for _, i := range m.Other() {
		for _, f := range fields {
			_, isChosen := c[f.Name]
			if _, isThere := m.Columns[f.Name]; !isThere && !isChosen && isMissed(m.Headings[i], f.Name) {
				return m.undecided(f.Name, "the column %q is not known; did you mean %s? Say so", contracts.Printable(m.Headings[i]), f.Name)
			}
		}
	}
	for _, f := range fields {
		_, isThere := m.Columns[f.Name]
		_, isChosen := c[f.Name]
		if f.Required && !isThere {
			return m.undecided(f.Name, "no column is known as %s; say which one holds it", f.Name)
		}
		isLike := func(i int) bool { return 2*m.looks(i, f) > m.filled(i) }
		if i := slices.IndexFunc(m.Other(), isLike); f.Asked && !isThere && !isChosen && i >= 0 {
			heading := contracts.Printable(m.Heading(m.Other()[i]))
			return m.undecided(f.Name, "the column %q may be %s; say so, or columns=%[2]s: for none", heading, f.Name)
		}
	}
	return nil
}

// maxTold bounds the headings that an error names.
const maxTold = 40

// undecided is an error about a field, with the headings that there are to choose from.
func (m Matched) undecided(field, format string, args ...any) error {
	var known []string
	for i := range m.Headings[:min(len(m.Headings), maxTold)] {
		known = append(known, contracts.Printable(m.Heading(i)))
	}
	return undecided("columns", "%s, such as columns=%s:Its Heading. The columns, from line %d: %s",
		fmt.Sprintf(format, args...), field, m.Line, strings.Join(known, ", "))
}
