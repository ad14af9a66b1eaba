package sheet_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay.dev/gateway/sheet"
	"assay.dev/platform/memorytest"
)

// sheets is a workbook with a sheet for each text, whose rows are in XML.
func sheets(t *testing.T, named ...string) []byte {
	t.Helper()
	book, rels := bookHead+"<sheets>", strings.TrimSuffix(relations, "</Relationships>")
	parts := []string{"_rels/.rels", topRelations, "xl/styles.xml", styles, "xl/sharedStrings.xml", "<sst/>"}
	for i := 0; i < len(named); i += 2 {
		id := fmt.Sprintf("s%d", i)
		book += fmt.Sprintf(`<sheet name=%q r:id=%q/>`, named[i], id)
		rels += fmt.Sprintf(`<Relationship Id=%q Type="x/worksheet" Target="%s.xml"/>`, id, id)
		parts = append(parts, "xl/"+id+".xml", "<worksheet><sheetData>"+named[i+1]+"</sheetData></worksheet>")
	}
	return packed(t, append(parts, "xl/workbook.xml", book+"</sheets></workbook>", "xl/_rels/workbook.xml.rels", rels+"</Relationships>")...)
}

func rowOf(cells ...string) (row string) {
	for _, c := range cells {
		row += `<c t="str"><v>` + c + `</v></c>`
	}
	return "<row>" + row + "</row>"
}

// A sheet is read without a question only where no other one may have lines; which one it was is told.
func TestWhichSheetIsRead(t *testing.T) {
	t.Parallel()
	fields := sheet.NewFields(sheet.Field{Name: "carrier", Required: true}, sheet.Field{Name: "id"})
	october, november := rowOf("Carrier", "Id")+rowOf("ODFL", "1"), rowOf("Carrier", "Id")+rowOf("SAIA", "2")
	cover, heads, damaged := rowOf("Invoices of 2026")+rowOf("Acme", "Freight", "Dept"), rowOf("Carrier", "Id"), "<row></c>"
	for name, c := range map[string]struct {
		body          []byte
		choice        sheet.Choice
		want, problem string
	}{
		"one":                      {sheets(t, "Oct", october), nil, "ODFL", ""},
		"notes after it":           {sheets(t, "Oct", october, "Notes", cover, "Empty", "", "Heads", heads), nil, "ODFL", ""},
		"two with lines":           {sheets(t, "Oct", october, "Notes", cover, "Nov", november), nil, "", "not only the first sheet has lines"},
		"two, by name":             {sheets(t, "Oct", october, "Nov", november), sheet.Choice{"sheet": "nov"}, "SAIA", ""},
		"two, by place":            {sheets(t, "Oct", october, "Nov", november), sheet.Choice{"sheet": "#1"}, "ODFL", ""},
		"a cover first":            {sheets(t, "Cover", cover, "Nov", november), nil, "", "the first sheet has no lines that are understood"},
		"a cover, chosen":          {sheets(t, "Cover", cover, "Nov", november), sheet.Choice{"sheet": "#2"}, "SAIA", ""},
		"no such sheet":            {sheets(t, "Oct", october, "Nov", november), sheet.Choice{"sheet": "Dec"}, "", `no sheet is called "Dec"`},
		"no such place":            {sheets(t, "Oct", october), sheet.Choice{"sheet": "#0"}, "", `no sheet is called "#0"`},
		"another one is damaged":   {sheets(t, "Oct", october, "Bad", damaged), nil, "", "not only the first sheet has lines"},
		"the first one is damaged": {sheets(t, "Bad", damaged, "Nov", november), nil, "", "the first sheet has no lines that are understood"},
		"only covers":              {sheets(t, "Cover", cover, "More", cover), nil, "", "no column is known as carrier"},
		"headings of one sheet":    {sheets(t, "Oct", rowOf("A", "B")+rowOf("ODFL", "1"), "Nov", rowOf("A", "B")+rowOf("SAIA", "2")), sheet.Choice{"sheet": "Nov", "carrier": "A"}, "SAIA", ""},
	} {
		m, err := sheet.MatchWorkbook(t.Context(), c.body, fields, c.choice)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := ""
		if m.Problem == nil {
			got = m.Rows[0].Cell(m.Columns["carrier"])
		} else if c.problem == "" || !strings.Contains(m.Problem.Error(), c.problem) {
			t.Errorf("%s: %v", name, m.Problem)
		}
		if got != c.want || m.Problem == nil && c.problem != "" {
			t.Errorf("%s: read %q, want %q and %q", name, got, c.want, c.problem)
		}
	}
	m, _ := sheet.MatchWorkbook(t.Context(), sheets(t, "Oct", october, "Nov", november), fields, nil)
	if !strings.HasSuffix(m.Problem.Error(), "The sheets: #1 Oct, #2 Nov") {
		t.Error(m.Problem)
	}
	if _, err := sheet.MatchWorkbook(t.Context(), sheets(t, strings.Split(strings.Repeat("x,,", 101), ",")[:202]...), fields, nil); err == nil || !strings.Contains(err.Error(), "more than 100 sheets") {
		t.Error(err)
	}
}

// The cells of a column that holds no field are looked at for a field that is asked for only: a file may have 250 such columns.
func TestOtherColumnsAreLeftAlone(t *testing.T) {
	t.Parallel()
	looked := 0
	looks := func(string) bool { looked++; return false }
	rows := []sheet.Row{{Line: 1, Cells: []string{"Carrier", "Note"}}, {Line: 2, Cells: []string{"ODFL", "none"}}}
	for _, isAsked := range []bool{false, true} {
		looked = 0
		m := sheet.Match(rows, sheet.NewFields(sheet.Field{Name: "carrier", Required: true}, sheet.Field{Name: "mode", Looks: looks, AskIfUnused: isAsked}), nil)
		if m.Problem != nil || looked > 0 != isAsked {
			t.Errorf("asked %t: looked at %d, %v", isAsked, looked, m.Problem)
		}
	}
}

// Rows of words are looked at for other headings. A small workbook may hold one text of many words in all of its cells.
func TestATextOfManyCellsIsLookedAtOnce(t *testing.T) {
	fields := sheet.NewFields(sheet.Field{Name: "carrier", Required: true}, sheet.Field{Name: "ship_date"})
	rows := []sheet.Row{{Line: 1, Cells: []string{"Carrier", "Ship Date"}}}
	for i := range 100 {
		rows = append(rows, sheet.Row{Line: i + 2, Cells: slices.Repeat([]string{strings.Repeat("dt", 40)}, sheet.MaxColumns)})
	}
	if n := testing.AllocsPerRun(1, func() { sheet.Match(slices.Clone(rows), fields, nil) }); n > 100*sheet.MaxColumns {
		t.Errorf("%g allocations", n)
	}
}

// Nor are many different texts kept for that.
func TestManyTextsTakeNoMemory(t *testing.T) {
	fields := sheet.NewFields(sheet.Field{Name: "carrier", Required: true}, sheet.Field{Name: "ship_date"})
	rows := []sheet.Row{{Line: 1, Cells: []string{"Carrier", "Ship Date"}}}
	for i := range 1024 {
		cells := make([]string, sheet.MaxColumns)
		for j := range cells {
			cells[j] = fmt.Sprintf("%c%05x", 'g'+i%16, i*len(cells)+j)
		}
		rows = append(rows, sheet.Row{Line: i + 2, Cells: cells})
	}
	if peak := memorytest.Peak(t, func() { sheet.Match(rows, fields, nil) }); peak > 24 {
		t.Errorf("%d MB", peak)
	}
}

// Three workbooks at once need as much memory as two.
func TestWorkbooksTakeTurns(t *testing.T) {
	fields := sheet.NewFields(sheet.Field{Name: "carrier", Required: true})
	body := workbook(t, "", strings.Repeat("<t>a</t></si><si>", 3<<19)) // 84 MB
	peak := memorytest.Peak(t, func() {
		var readings sync.WaitGroup
		for range 3 {
			readings.Go(func() { _, _ = sheet.MatchWorkbook(t.Context(), body, fields, nil) })
		}
		readings.Wait()
	})
	if peak > 5*84/2 {
		t.Errorf("%d MB", peak)
	}
}

// Who has left waits for no turn.
func TestWhoLeftWaitsForNoWorkbook(t *testing.T) {
	defer sheet.HoldWorkbooks()()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := sheet.MatchWorkbook(ctx, workbook(t, ""), sheet.Fields{}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
