package site

import (
	"slices"
	"strings"
)

// table is a table of a page. On narrow screens each row is a list of its cells under their names.
type table struct {
	ID      string
	Columns []column
	Rows    [][]cell
}

// column is a column of a table. Member is the member of what a row shows, where a script fills the table. Look is how
// its cells look, if not as all: number, whole (in one line) or long.
type column struct{ Name, Member, Look string }

// cell is a cell of a table: a text, a link to Link, or a button of the form Form that sends Send.
type cell struct {
	Text, Link, Form string
	Send             field
	// Verdict stands in place of Text.
	Verdict *verdictView
	// Label says what a link or a button is for, to who does not see its row.
	Label string
}

// IsFinal tells whether the button takes something away for good: it takes a second press.
func (c cell) IsFinal() bool {
	return c.Form != "" && slices.Contains([]string{"delete", "remove", "unlist", "revoke"}, c.Send.Name)
}

// texts makes cells of texts.
func texts(all ...string) []cell {
	cells := make([]cell, len(all))
	for i, text := range all {
		cells[i].Text = text
	}
	return cells
}

// joined are the texts that are not empty.
func joined(between string, all ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(all), func(text string) bool { return text == "" }), between)
}
