package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

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

// findColumn finds the column of a field among those that name it.
func (m Matched) findColumn(f Field, columns []column) error {
	best, most, isTie := column{at: -1}, 0, false
	var all []column
	for _, c := range columns {
		n := m.looks(c.at, f)
		isOther := f.IsDay && c.rank > 0 && !m.mayBeDay(c.at, f)
		if m.isTaken(c.at) || isOther || f.Strict && !m.isStrictly(c.at, f) {
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

// mayBeDay tells of a column whose heading may name a day whether that or any cell speaks of one. A number may be one,
// but of a required field, which is asked for: it is as likely that of a shipment.
func (m Matched) mayBeDay(column int, f Field) bool {
	isDay := func(r Row) bool {
		_, err := Dates{}.countedDay(r.Cell(column))
		return f.Looks(r.Cell(column)) || !f.Required && err == nil
	}
	return says(m.Headings[column], "date") || m.filled(column) == 0 || slices.ContainsFunc(m.Rows, isDay)
}

// isStrictly tells whether a column may be one of a strict field.
func (m Matched) isStrictly(column int, f Field) bool {
	n := m.looks(column, f)
	return m.Headings[column] == f.Name || n > 0 && n == m.filled(column) || f.Proves != nil && m.proves(column, f)
}

func (m Matched) proves(column int, f Field) bool {
	return slices.ContainsFunc(m.Rows, func(r Row) bool { return f.Proves(r.Cell(column)) })
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

// looks counts the cells of a column that look like values of a field; of a field without a look, whether there are
// any.
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

// decide gives the columns whose headings several fields share to the one whose values they look like, or that is the
// only one left. One that looks like a field that has its column, or that no field is left for, has to say the same as
// that column.
func (m Matched) decide(fields []Field, open map[int][]named, c Choice) error {
	for i, heading := range m.Headings {
		var may, like, held []string
		var rivals []Field
		isSaid := false
		for _, n := range open[i] {
			f := fields[n.field]
			if m.isTaken(i) || m.filled(i) == 0 {
				continue
			}
			_, isChosen := c[f.Name]
			_, isThere := m.Columns[f.Name]
			switch isLike := m.looks(i, f) > 0; {
			case isLike && isChosen:
				isSaid = true // which other column that field has, or none
			case isLike && isThere:
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
		case !isSaid && len(held) == 0 && len(may) == 1:
			m.Columns[may[0]] = i
		case len(may) > 1:
			return m.undecided(may[0], "the column %q may be %s; say which", contracts.Printable(heading),
				strings.Join(may, " or "))
		case !isSaid && len(rivals) > 0 && !slices.ContainsFunc(rivals, isSame):
			asked := rivals[len(rivals)-1].Name
			if len(held) > 0 {
				asked = held[0]
			}
			return m.undecided(asked, "two columns may be %s, %q too; say which", asked, contracts.Printable(heading))
		}
	}
	return nil
}

// checkParts asks about columns that may hold a part of what a field's own says, or what is left of it.
func (m Matched) checkParts(fields Fields, c Choice) error {
	for place, f := range fields.all {
		at, isThere := m.Columns[f.Name]
		if _, isChosen := c[f.Name]; !isThere || isChosen {
			continue
		}
		for _, i := range m.Other() {
			heading := m.Headings[i]
			isUnder := heading == "" && i == at+1 // one that is merged over both
			isNet := f.MayBeGross && fields.tellsNet(heading) && !says(m.Headings[at], "net") && m.isShareOf(at, i)
			isPart := f.IsPart != nil && fields.isPart(heading, place) && !slices.ContainsFunc(m.Rows, func(r Row) bool {
				return r.Cell(i) != "" && !f.IsPart(r.Cell(i))
			})
			// A column of zeros changes nothing, and cells that moved are told of by their rows.
			isSome := func(r Row) bool {
				return r.Problem == "" && isNumber(r.Cell(i)) && !f.Same(r.Cell(i), "")
			}
			if (isUnder || isNet || isPart) && m.differ(f, at, i) && slices.ContainsFunc(m.Rows, isSome) {
				return m.undecided(f.Name, "the column %q may be a part of %s, or what is left of it; say which one is %[2]s",
					contracts.Printable(m.Heading(i)), f.Name)
			}
		}
	}
	return nil
}

// isShareOf tells of a column that it holds percents, or amounts that are nowhere above those of a base. Under a
// heading that says more than that it does, numbers have a sign of it, or cents: those of a code have neither.
func (m Matched) isShareOf(base, column int) bool {
	isShown, isRate := saysAmount(m.Headings[column]), says(m.Headings[column], "pct")
	for _, r := range m.Rows {
		n, err := parseNumber(r.Cell(column))
		if err != nil {
			continue
		}
		_, decimals, _ := strings.Cut(n.Text, ".")
		isShown = isShown || n.IsPercent || n.IsAmount || len(decimals) == leastDecimals
		of, err := parseNumber(r.Cell(base))
		if err == nil && !isRate && !n.IsPercent && n.magnitude() > of.magnitude() {
			return false
		}
	}
	return isShown
}

// check refuses what was probably meant otherwise.
func (m Matched) check(fields []Field, c Choice) error {
	for _, i := range m.Other() {
		for _, f := range fields {
			_, isChosen := c[f.Name]
			if _, isThere := m.Columns[f.Name]; !isThere && !isChosen && isMissed(m.Headings[i], f.Name) {
				return m.undecided(f.Name, "the column %q is not known; did you mean %s? Say so",
					contracts.Printable(m.Headings[i]), f.Name)
			}
		}
	}
	for _, f := range fields {
		_, isThere := m.Columns[f.Name]
		_, isChosen := c[f.Name]
		if f.Required && !isThere {
			return m.undecided(f.Name, "no column is known as %s; say which one holds it", f.Name)
		}
		if !f.AskIfUnused || isThere || isChosen {
			continue
		}
		isLike := func(i int) bool {
			return 2*m.looks(i, f) > m.filled(i) && (f.Proves == nil || m.proves(i, f))
		}
		if i := slices.IndexFunc(m.Other(), isLike); i >= 0 {
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
