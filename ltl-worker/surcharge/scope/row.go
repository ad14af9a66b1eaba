package scope

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// OwnRows keeps the rows of a sheet that can be ours. A table may hold other services under titles of their own, or
// name the service or the place of each row in a column.
func OwnRows(s sheet.Sheet, v *meaning.Vocabulary) sheet.Sheet {
	foreign := func(r sheet.Row) bool { return isTitle(r.Section) && lineIsForeign(r.Section, v, false) }
	if slices.ContainsFunc(s.Rows, foreign) {
		s.Rows = slices.DeleteFunc(slices.Clone(s.Rows), foreign)
	}
	for column := range s.Columns {
		if isMostlyText(s.Rows, column) {
			s.Rows = ownRowsBy(s.Rows, column, v)
		}
	}
	return s
}

// maxTitle is the longest title of a section, in bytes.
const maxTitle = 60

// isTitle tells the title of a section from a remark between rows.
func isTitle(s string) bool {
	return s != "" && len(s) <= maxTitle && !strings.HasSuffix(s, ".")
}

func isMostlyText(rows []sheet.Row, column int) bool {
	texts := 0
	for i := range rows {
		if !rows[i].Broken && rows[i].Cells[column].Kind == cell.Text {
			texts++
		}
	}
	return 10*texts >= 6*len(rows)
}

// ownRowsBy drops the rows whose cell in the column names another service or place. When some cells name LTL or this
// country, it drops those too that do not.
func ownRowsBy(rows []sheet.Row, column int, v *meaning.Vocabulary) []sheet.Row {
	said := make([]meaning.Set, len(rows))
	var anySaid meaning.Set
	for i, r := range rows {
		if !r.Broken {
			said[i] = v.Of(r.Cells[column].Text)
			anySaid |= said[i]
		}
	}
	var own []sheet.Row
	for i, r := range rows {
		lacks := anySaid &^ said[i]
		if !r.Broken && (lineIsForeign(r.Cells[column].Text, v, false) || lacks.Has(meaning.LTL|meaning.US)) {
			continue
		}
		own = append(own, r)
	}
	return own
}
