package spreadsheet_test

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/gateway/spreadsheet"
)

type inner struct {
	City string  `json:"city"`
	Zip  *string `json:"zip"`
}

type line struct {
	Day    contracts.Date `json:"day"`
	Amount float64        `json:"amount"`
	Text   string         `json:"text"`
}

type base struct {
	At   time.Time `json:"at"`
	Flag *bool     `json:"flag"`
}

type body struct {
	Name  string `json:"name"`
	Lines []line `json:"lines"`
	base
	Where inner    `json:"where"`
	Tags  []string `json:"tags"`
	Total string   `json:"total,omitempty" csv:"number"`
}

const columns = "name,day,amount,text,at,flag,where_city,where_zip,tags,total\r\n"

// What a JSON body is as CSV.
func TestTable(t *testing.T) {
	t.Parallel()
	table := spreadsheet.New[body]("lines").In("results", "errors")
	for name, c := range map[string]struct{ body, want string }{
		"one row for each element": {
			`{"name":"a","lines":[{"day":"2026-09-09","amount":-4.50,"text":"x"},{"day":null,"amount":1e2,"text":"=1+1"}],` +
				`"at":"2026-09-09T00:00:00Z","flag":true,"where":{"city":"A, B","zip":null},"tags":["x","y"],"total":"-1.20"}`,
			`a,2026-09-09,-4.50,x,2026-09-09T00:00:00Z,true,"A, B",,"[""x"",""y""]",-1.20` + "\r\n" +
				`a,,1e2,'=1+1,2026-09-09T00:00:00Z,true,"A, B",,"[""x"",""y""]",-1.20` + "\r\n",
		},
		"no elements":               {`{"name":"a","lines":[],"tags":[]}`, "a,,,,,,,,[],\r\n"},
		"members that are missing":  {`{"name":"a"}`, "a,,,,,,,,,\r\n"},
		"a list of objects":         {`{"results":[{"name":"a"}],"errors":[{"name":"b"}]}`, "a,,,,,,,,,\r\nb,,,,,,,,,\r\n"},
		"empty lists of objects":    {`{"results":[],"errors":[]}`, ""},
		"a number that is none":     {`{"name":"a","total":"-x"}`, "a,,,,,,,,,'-x\r\n"},
		"quotes and ends of a line": {`{"name":"a\"b\nc\r\nd"}`, "\"a\"\"b\nc\r\nd\",,,,,,,,,\r\n"},
		"escapes of JSON":           {`{"name":"\u0041\u00e9"}`, "Aé,,,,,,,,,\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := table.CSV([]byte(c.body))
			if err != nil || string(got) != columns+c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, columns+c.want)
			}
		})
	}
	if _, err := table.CSV([]byte(`{"results":[7]}`)); err == nil {
		t.Error("a number is taken for an object")
	}
}

// An object in the place of the list gives its members to the row, and its members win.
func TestTableOfOneObject(t *testing.T) {
	t.Parallel()
	type license struct {
		City   string `json:"city"`
		Record inner  `json:"record"`
		Last   int    `json:"last"`
	}
	got, err := spreadsheet.New[license]("record").CSV([]byte(`{"city":"outer","record":{"city":"inner","zip":"1"},"last":2}`))
	if want := "city,zip,last\r\ninner,1,2\r\n"; err != nil || string(got) != want {
		t.Errorf("%v %q, want %q", err, got, want)
	}
}

func TestCells(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "a b": "a b", "=1": "'=1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\ta": "'\ta", "\ra": "\"'\ra\"", `=",`: `"'="","`, "1-1": "1-1",
		"\n=1": "\"'\n=1\"", "＝1": "'＝1", "a\x1b[2J\u202e\u009b\x7f\xff": "a?[2J????", "CAFÉ": "CAFÉ",
	} {
		if got := string(spreadsheet.AppendText(nil, text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for number, want := range map[string]string{"-1.20": "-1.20", "0": "0", "": "", "-": "'-", "1.": "1.", "-1e5": "'-1e5", "+1": "'+1", "-.5": "'-.5"} {
		if got := string(spreadsheet.AppendNumber(nil, number)); got != want {
			t.Errorf("the number %q is %q, want %q", number, got, want)
		}
	}
}

// Any text comes back from a reader that is not ours, and never as a formula.
func TestTextsComeBack(t *testing.T) {
	t.Parallel()
	type row struct {
		A string   `json:"a"`
		B string   `json:"b"`
		C []string `json:"c"`
	}
	table := spreadsheet.New[row]("")
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOf(rapid.SampledFrom([]rune("a1=+-@\t\r\n\",;'é \u2028")))
		given := row{cell.Draw(t, "a"), cell.Draw(t, "b"), rapid.SliceOf(cell).Draw(t, "c")}
		encoded, _ := json.Marshal(given)
		text, err := table.CSV(encoded)
		if err != nil {
			t.Fatal(err)
		}
		read, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil || len(read) != 2 {
			t.Fatalf("%v %q", err, text)
		}
		want := []string{guarded(given.A), guarded(given.B)}
		if !slices.Equal(read[1][:2], want) {
			t.Errorf("%q, want %q", read[1][:2], want)
		}
	})
}

// guarded is a text as the cell that a reader sees. Package encoding/csv reads a line break of two characters as one.
func guarded(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r\n") {
		text = "'" + text
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// Two members of one name would be one column for a reader that goes by names.
func TestColumnsOfOneNameAreRefused(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("two columns of one name are accepted")
		}
	}()
	spreadsheet.New[struct {
		A     string `json:"where_city"`
		Where inner  `json:"where"`
	}]("")
}

func FuzzTable(f *testing.F) {
	table := spreadsheet.New[body]("lines").In("results")
	f.Add([]byte(`{"results":[{"name":"a","lines":[{"text":"=1"}],"where":{"city":1}}]}`))
	f.Add([]byte(`{"name":{"a":1},"lines":{"day":1},"total":"-1"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		got, err := table.CSV(text)
		if err != nil {
			return
		}
		if _, err := csv.NewReader(strings.NewReader(string(got))).ReadAll(); err != nil {
			t.Errorf("%v: %q", err, got)
		}
	})
}

// A list whose elements are words is a text, in which a formula is one no more; what is left out is no column.
func TestListsInWords(t *testing.T) {
	t.Parallel()
	type element struct {
		Name  string  `json:"name"`
		Since *string `json:"since"`
	}
	table := spreadsheet.New[struct {
		Said []element `json:"said" csv:"name"`
		Held []element `json:"held" csv:"name since"`
		None []element `json:"none" csv:"name since"`
		Not  []element `json:"not" csv:"-"`
	}]("")
	got, err := table.CSV([]byte(`{"said":[{"name":"=1+1."},{"name":"So, it is."}],"held":[{"name":"a","since":"2026-01-02"},{"name":"b","since":null}],"none":[],"not":[]}`))
	if want := "said,held,none\r\n\"'=1+1. So, it is.\",a 2026-01-02; b,\r\n"; err != nil || string(got) != want {
		t.Errorf("%v %q, want %q", err, got, want)
	}
}
