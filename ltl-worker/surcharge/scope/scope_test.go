package scope_test

import (
	"testing"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/scope"
	"assay.dev/ltl-worker/surcharge/sheet"
)

var vocabulary = meaning.NewVocabulary(meaning.CarrierWords{})

func TestForeignLine(t *testing.T) {
	for _, tt := range []struct {
		name      string
		context   []string
		headedLTL bool
		want      string
	}{
		{"nothing is said", nil, false, ""},
		{"another country", []string{"Fuel Surcharge", "Canada"}, true, "Canada"},
		{"this country too", []string{"Fuel Surcharge", "U.S. and Canada"}, true, ""},
		{"another service", []string{"Fuel Surcharge", "Expedited"}, true, "Expedited"},
		{"a list of services", []string{"Fuel Surcharge", "LTL, Volume and Expedited"}, true, ""},
		{"ours further in", []string{"Fuel Surcharge", "Expedited", "LTL Fuel Surcharge"}, false, ""},
		{"the title of the site", []string{"LTL & Truckload | Ocean | Air", "Fuel"}, true, ""},
		{"truckload over a surcharge", []string{"Truckload"}, false, "Truckload"},
		{"truckload over a column headed LTL", []string{"Truckload"}, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := scope.ForeignLine(sheet.Sheet{Context: tt.context}, vocabulary, tt.headedLTL)
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestOwnRows(t *testing.T) {
	var r cell.Reader
	row := func(section, service string) sheet.Row {
		return sheet.Row{Section: section, Cells: []cell.Value{r.Read("9/9/2026"), r.Read(service), r.Read("50%")}}
	}
	s := sheet.Sheet{
		Columns: []meaning.Heading{
			vocabulary.Heading([]string{"Date"}), vocabulary.Heading([]string{"Service"}),
			vocabulary.Heading([]string{"Percent"}),
		},
		Rows: []sheet.Row{row("", "Expedited"), row("", "LTL"), row("Canada", "LTL"), row("", "Standard")},
	}
	own, _ := scope.NewJudge(vocabulary).OwnRows(s)
	if len(own.Rows) != 1 || own.Rows[0].Section != "" || own.Rows[0].Cells[1].Text != "LTL" {
		t.Errorf("%+v", own.Rows)
	}
	if len(s.Rows) != 4 || s.Rows[0].Cells[1].Text != "Expedited" {
		t.Error("the sheet that was given has changed")
	}
}

func TestHeadingIsForeign(t *testing.T) {
	for text, want := range map[string]bool{
		"LTL": false, "Minimum": true, "LTL Canada": true, "LTL U.S. and Canada": false, "West Coast": true, "Volume": true,
	} {
		if got := scope.HeadingIsForeign(vocabulary.Heading([]string{text})); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
