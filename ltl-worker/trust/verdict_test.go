package trust_test

import (
	"fmt"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
)

// What is believed, by what is known of the lines and what the figures say. A bracket table that gives the weeks proves them.
func TestVerdict(t *testing.T) {
	weeks := history(12, nil)
	proven := trust.Past{Table: lawful()}
	line := func(text string) []trust.Line { return []trust.Line{{Text: text, Near: true}} }
	many := func(n int) (lines []trust.Line) {
		for i := range n {
			lines = append(lines, line("a line "+strings.Repeat("and more ", i))...)
		}
		return lines
	}
	newest := weeks[0].EffectiveDate
	for name, c := range map[string]struct {
		past        trust.Past
		isFirst     bool
		lines       []trust.Line
		percent     float64 // of the newest week; 0 for its own
		note        contracts.NoteCode
		isIn, isOne bool // in doubt; a line is learned
	}{
		"first contact":                        {proven, true, nil, 0, contracts.NoteWordingUnknown, true, false},
		"first contact with a line":            {proven, true, line("Fuel"), 0, contracts.NoteWordingUnknown, true, false},
		"known and proven":                     {proven, false, nil, 0, "", false, false},
		"known and unproven":                   {trust.Past{}, false, nil, 0, "", false, false},
		"a new line, proven":                   {proven, false, line("Our news"), 0, "", false, true},
		"a new line, unproven":                 {trust.Past{}, false, line("Our news"), 0, contracts.NoteWordingChanged, true, false},
		"a stop word, proven":                  {proven, false, line("These are estimates"), 0, contracts.NoteWordingChanged, true, false},
		"a remark of the newest week, proven":  {proven, false, []trust.Line{{Text: "news", Week: newest}}, 0, contracts.NoteWordingChanged, true, false},
		"a remark of another week, proven":     {proven, false, []trust.Line{{Text: "news", Week: weeks[1].EffectiveDate}}, 0, "", false, true},
		"more lines than are learned at once":  {proven, false, many(trust.MaxLearnedAtOnce + 1), 0, contracts.NoteWordingChanged, true, false},
		"as many lines as are learned at once": {proven, false, many(trust.MaxLearnedAtOnce), 0, "", false, true},
		"another percent than that of a table": {proven, false, nil, 50.5, contracts.NoteBracketDiffers, false, false},
		"a percent that moved by four points":  {trust.Past{Clean: weeks[1:]}, false, nil, 53, contracts.NotePercentInDoubt, true, false},
		"weeks otherwise than they are known":  {trust.Past{Clean: history(12, func(_ int, w *contracts.SurchargeWeek) { w.Percent-- })}, false, nil, 0, contracts.NoteWeeksContradicted, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := trust.Reading{Path: "page", Weeks: history(12, nil), Lines: c.lines}
			if c.percent != 0 {
				r.Weeks[0].Percent = c.percent
			}
			var wording trust.Wording
			if !c.isFirst {
				wording.Editions = []trust.Edition{trust.NewEdition(trust.Reading{Path: "page", Weeks: weeks}, "a person", editionAt(0), "", false)}
			}
			v := trust.Judge(r, wording.Known("page", editionAt(0)), c.past)
			var codes []string
			for _, n := range v.Notes {
				codes = append(codes, string(n.Code))
			}
			if fmt.Sprint(codes) != fmt.Sprintf("[%s]", c.note) || v.IsInDoubt() != c.isIn || v.IsClean() != (c.note == "") || (len(v.Learn) > 0) != c.isOne {
				t.Errorf("%v, in doubt %v, learned %v", codes, v.IsInDoubt(), v.Learn)
			}
		})
	}
	empty := trust.Reading{Path: "page", Lines: line("Our news")}
	known := trust.Wording{Editions: []trust.Edition{trust.NewEdition(trust.Reading{Path: "page"}, "a person", editionAt(0), "", false)}}
	if v := trust.Judge(empty, known.Known("page", editionAt(0)), proven); v.IsClean() {
		t.Error("nothing is clean")
	}
	empty.Path = "api"
	if v := trust.Judge(empty, known.Known("api", editionAt(0)), proven); v.Notes[0].Code != contracts.NoteWordingUnknown {
		t.Errorf("what was accepted of a page vouches for another path: %v", v.Notes)
	}
}
