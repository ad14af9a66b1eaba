package surcharge

import (
	"slices"
	"strings"
)

// selectRows keeps the rows that can be ours: a table may hold other services under a line of their own, or name the
// service or the place of each row in a column.
func selectRows(s sheet, rule Rule) sheet {
	foreign := func(r row) bool { return isTitle(r.section) && rule.foreign(r.section, false) }
	if slices.ContainsFunc(s.rows, foreign) {
		s.rows = slices.DeleteFunc(slices.Clone(s.rows), foreign)
	}
	for c := range s.columns {
		if mostlyText(s.rows, c) {
			s.rows = selectBy(s.rows, c, rule)
		}
	}
	return s
}

// isTitle tells a title from a remark between rows.
func isTitle(s string) bool {
	return s != "" && len(s) <= 60 && !strings.HasSuffix(s, ".")
}

func mostlyText(rows []row, c int) bool {
	texts := 0
	for i := range rows {
		if !rows[i].broken && rows[i].values[c].kind == text {
			texts++
		}
	}
	return 10*texts >= 6*len(rows)
}

// selectBy keeps the rows whose cell names LTL or this country, when some do, and drops those that name others.
func selectBy(rows []row, c int, rule Rule) []row {
	marks := make([]mark, len(rows))
	var any mark
	for i, r := range rows {
		if !r.broken {
			marks[i] = rule.meaning(r.values[c].text)
			any |= marks[i]
		}
	}
	var kept []row
	for i, r := range rows {
		if !r.broken && (rule.foreign(r.values[c].text, false) || (any&^marks[i])&(mLTL|mUS) != 0) {
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

// summary tells whether a row sums others up: "Average | 5.599 | 46.32%".
func summary(r row, column int) bool {
	if r.broken || r.values[column].kind != text {
		return false
	}
	first, _, _ := strings.Cut(strings.ToLower(r.values[column].text), " ")
	switch strings.Trim(first, ".:") {
	case "average", "avg", "mean", "total", "high", "low", "highest", "lowest", "median", "ytd", "source", "note":
		return true
	}
	return false
}
