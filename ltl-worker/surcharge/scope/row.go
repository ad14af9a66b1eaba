package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
	"assay.dev/ltl-worker/surcharge/token"
)

// OwnRows keeps the rows of a sheet that can be ours. A table may hold other services under titles of their own, or
// name the service or the place of each row in a column. Where all rows are in doubt they are kept, and doubts says why.
func (j *Judge) OwnRows(s sheet.Sheet) (own sheet.Sheet, doubts []string) {
	foreign := func(r sheet.Row) bool { return isTitle(r.Section) && lineIsForeign(r.Section, j.vocabulary, false) }
	if slices.ContainsFunc(s.Rows, foreign) {
		s.Rows = slices.DeleteFunc(slices.Clone(s.Rows), foreign)
	}
	s.Rows, doubts = j.clearRows(s.Rows, func(r sheet.Row) (string, rigour) {
		if !isTitle(r.Section) {
			return "", lenient
		}
		return r.Section, strict
	})
	doubts = append(doubts, j.doubtRemarks(s.Rows)...)
	for column, heading := range s.Columns {
		isState := s.IsJSON && (saysState(heading.String(), textIn(s.Rows, column)) || isTypeName(heading.String()))
		if j.isOfOneCustomer(s, column) {
			doubts = append(doubts, "the figures are one customer's")
		}
		fact, same := sheet.Fact{Name: heading.String()}, false
		if s.IsJSON && !isOfMovement(heading) {
			fact.Value, same = sameIn(s.Rows, column)
		}
		refuted := ""
		if same {
			refuted = j.refutes(fact)
		}
		if refuted != "" {
			doubts = append(doubts, fmt.Sprintf("rows %q: %s", shortened(fact.Value), refuted))
		}
		areTexts := isMostlyText(s.Rows, column)
		if !areTexts && !heading.Is(meaning.Remark) && !saysState(heading.String(), "") && !hasText(s.Rows, column) || s.IsJSON && IsTechnical(heading.String()) && !isState && flagOut(heading.String(), textIn(s.Rows, column)) == "" {
			continue
		}
		if heading.Is(meaning.Price|meaning.Bound|meaning.Index) && !heading.Is(meaning.Percent) {
			continue // "$6.08 but less than $6.11"
		}
		if same && !isState && !qualifies(fact.Name) && !saysState(fact.Name, "") { // as good as a member beside the list
			if why := j.doubtMember(fact); refuted == "" && why != "" {
				doubts = append(doubts, fmt.Sprintf("rows %q: %s", shortened(fact.Value), why))
			}
			continue
		}
		allFalse := !slices.ContainsFunc(s.Rows, func(r sheet.Row) bool { return !r.Broken && r.Cells[column].Text != "false" })
		how := exact
		if isOfMovement(heading) || !areTexts && !qualifies(heading.String()) { // a remark in a row or two
			how = lenient
		}
		if heading.Is(meaning.Remark|meaning.End) && !heading.Is(meaning.Service) || isState {
			how = lenient
		}
		rows, more := j.clearRows(s.Rows, func(r sheet.Row) (string, rigour) {
			if isPending(heading, r, column) {
				return "pending", lenient
			}
			if r.Broken || r.Cells[column].Kind != cell.Text || isChange(r.Cells[column].Text) || !areTexts && isOfHeadings(r) {
				return "", lenient
			}
			if s.IsJSON && isBlockName(sheet.Fact{Name: heading.String(), Value: r.Cells[column].Text}) {
				return "", lenient
			}
			if saysState(heading.String(), "") && !slices.ContainsFunc(wordsOf(r.Cells[column].Text), func(w string) bool { return !goodStates[w] }) {
				return "", lenient
			}
			if len(s.Rows) == 1 && j.isLetterhead(r.Cells[column].Text, heading.String()) {
				return "", lenient
			}
			return withoutPeriod(flagged(heading, r.Cells[column].Text, allFalse)), how
		})
		doubts = append(doubts, more...)
		if s.Rows = rows; areTexts || heading.Is(meaning.Remark) {
			s.Rows = ownRowsBy(rows, column, j.vocabulary)
		}
	}
	return s, doubts
}

// sameIn is the text that a column has in all rows; false when it has several.
func sameIn(rows []sheet.Row, column int) (text string, same bool) {
	for i, r := range rows {
		if r.Broken || i > 0 && r.Cells[column].Text != text {
			return "", false
		}
		text = r.Cells[column].Text
	}
	return text, len(rows) > 0
}

// isOfMovement tells whether a column says how the figures have moved: "Trend", "vs. prior week".
func isOfMovement(heading meaning.Heading) bool {
	words := wordsOf(heading.String())
	return len(words) > 0 && (changeWords[words[0]] || movements[words[0]] || changeWords[words[len(words)-1]])
}

var movements = indexPlain(`trend direction vs versus week-over-week wow`)

// doubtRemarks judges the sentences between rows.
func (j *Judge) doubtRemarks(rows []sheet.Row) (doubts []string) {
	last := ""
	for _, r := range rows {
		if r.Section == last || isTitle(r.Section) {
			continue
		}
		last = r.Section
		if why := j.doubt(last, lenient); why != "" {
			doubts = append(doubts, fmt.Sprintf("remark %q: %s", shortened(last), why))
		}
	}
	return doubts
}

// changeCell is the cell of a change and nothing else: "▲ 2.0 pts", "(+0.5%)".
var changeCell = regexp.MustCompile(`(?i)^\(?[▲▼△▽↑↓⬆⬇+−–-] ?[\d.]+ ?(?:%|pts?|points?|pct|percent(?:age)?(?: points?)?)?\.?\)?$`)

// wordsOfChange is the same in words: "down 0.7 pts", "no change".
var wordsOfChange = regexp.MustCompile(`(?i)^\(?(?:no change|unchanged|same|(?:up|down|plus|minus|\+/-) [\d.]+ ?(?:%|pts?|points?|pct|percent(?:age)?(?: points?)?)?)\.?\)?$`)

// isChange tells whether a cell says how much something has changed. Its points are not those of an index.
func isChange(text string) bool {
	return wordsOfChange.MatchString(text) || strings.ContainsAny(text, "▲▼△▽↑↓⬆⬇+−–-") && changeCell.MatchString(text)
}

// withoutPeriod is the name of a row without the words that tell which week it is: "Last week", "Prior LTL surcharge".
func withoutPeriod(name string) string {
	words := wordsOf(name)
	if slices.Contains(words, "not") {
		return name
	}
	kept := slices.DeleteFunc(words, func(w string) bool { return periods[w] })
	return strings.Join(kept, " ")
}

var periods = indexPlain(`now today present this last prior previous next upcoming current former week weeks week's latest earlier preceding ago one two three four five six expired past active ended closed in effect w wk`)

// flagged is what a cell says: a flag says its heading. One that is false in older rows alone tells that they are not this week's.
func flagged(heading meaning.Heading, text string, allFalse bool) string {
	flag := flagOut(heading.String(), text)
	switch {
	case flag != "" && (allFalse || !passingFlags[flag]):
		return "not in force"
	case text == "true":
		return token.Spaced(heading.String())
	case text == "false":
		return ""
	}
	return text
}

// textIn is the text of the first row in a column; "" where it has none.
func textIn(rows []sheet.Row, column int) string {
	for _, r := range rows {
		if !r.Broken {
			return r.Cells[column].Text
		}
	}
	return ""
}

// isOfHeadings tells whether a row has texts alone.
func isOfHeadings(r sheet.Row) bool {
	return !slices.ContainsFunc(r.Cells, func(c cell.Value) bool { return c.Kind != cell.Text && c.Kind != cell.Blank })
}

// hasText tells whether a cell of a column is a text.
func hasText(rows []sheet.Row, column int) bool {
	return slices.ContainsFunc(rows, func(r sheet.Row) bool { return !r.Broken && r.Cells[column].Kind == cell.Text })
}

// isPending tells whether a column of states or remarks says that a row is pending. In other columns that is no value.
func isPending(heading meaning.Heading, r sheet.Row, column int) bool {
	return !r.Broken && strings.EqualFold(r.Cells[column].Text, "pending") && (heading.Is(meaning.Remark) || saysState(heading.String(), ""))
}

// isOfOneCustomer tells whether a column names one customer in all rows.
func (j *Judge) isOfOneCustomer(s sheet.Sheet, column int) bool {
	words := wordsOf(s.Columns[column].String())
	if len(words) != 1 && !isOneCustomers(s.Columns[column].String()) || len(words) == 0 || !customerNames[words[0]] {
		return false
	}
	return strings.ContainsAny(textIn(s.Rows, column), "0123456789")
}

// clearRows drops the rows whose text is in doubt. When all are, it keeps them and says why.
func (j *Judge) clearRows(rows []sheet.Row, textOf func(sheet.Row) (text string, how rigour)) (clear []sheet.Row, doubts []string) {
	why := map[string]string{}
	for _, r := range rows {
		text, how := textOf(r)
		if _, known := why[text]; !known && text != "" {
			why[text] = j.doubt(text, how)
		}
	}
	inDoubt := func(r sheet.Row) bool { text, _ := textOf(r); return why[text] != "" }
	if !slices.ContainsFunc(rows, inDoubt) {
		return rows, nil
	}
	if clear = slices.DeleteFunc(slices.Clone(rows), inDoubt); len(clear) > 0 {
		return clear, nil
	}
	for text, reason := range why {
		doubts = append(doubts, fmt.Sprintf("rows %q: %s", shortened(text), reason))
	}
	return rows, doubts
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
