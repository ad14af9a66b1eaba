// Package sheet lays documents out as sheets: records under headings, whatever the document made of them. It knows
// the layouts of HTML tables and of JSON; what the columns are is for others to say.
package sheet

import (
	"slices"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// Sheet is a list of records under headings: one part of one table in one orientation, or one list of a JSON
// document.
type Sheet struct {
	// Name is for notes: "table 2", "table 2 turned", "list data.history".
	Name string
	// Context is the texts that stand over the rows, outermost first: the document's title, headings, a caption; the
	// names on the way to a JSON list.
	Context []string
	// Titles are those of Context that are the sheet's own: a caption, the lines over its rows, the way to a JSON list.
	Titles []string
	// Facts are what a JSON document says beside the list: "unit: percent".
	Facts []Fact
	// Statements are the lines in which the values of weeks stand that are no table.
	Statements []string
	// Remarks are the other texts that may qualify the rows.
	Remarks []table.Remark
	// Notices are texts of the document, wherever they stand, that correct figures.
	Notices []string
	// Names are what the page calls its owner.
	Names []string
	// Columns are the headings, one for each column. All are empty when the rows have no headings that fit them.
	Columns []meaning.Heading
	Rows    []Row
	// Headed is set when the columns have headings.
	Headed bool
	// IsJSON is set for records of a JSON document.
	IsJSON bool
	// Fuel is set when the document is about fuel surcharges, whatever its words are.
	Fuel bool
	// Hidden is set when the page does not show the sheet.
	Hidden bool
	// Unopened is set when nothing on the page shows the hidden sheet.
	Unopened bool
	// Loose is set for weeks that are no table.
	Loose bool
	// DateOverTable is set when the only date stands over a table of services: it may be that of the tariff.
	DateOverTable bool
	// Cut is set when the document ends inside the sheet: rows may be missing.
	Cut bool
}

// Fact is a member that stands beside a list of JSON records.
type Fact struct{ Name, Value string }

// Row is one record.
type Row struct {
	Cells []cell.Value
	// Section is the last line above the row that spans the whole table, such as "Truckload".
	Section string
	// Broken is set when the row has another number of cells than the sheet has columns.
	Broken bool
}

// appendText appends s to a copy of texts, unless s is empty.
func appendText(texts []string, s string) []string {
	if s == "" {
		return texts
	}
	return append(slices.Clip(texts), s)
}
