package audit_test

import (
	"fmt"
	"strings"
	"testing"
)

// A row of a text whose cells may stand in the wrong columns is told and audited by no guess. The rows around it are read.
func TestRowsWhoseCellsMoved(t *testing.T) {
	t.Parallel()
	const head = "SCAC,Ship Date,PRO,Consignee,Base Freight,FSC Amount,Note,Total\n"
	const good = "ODFL,2026-09-11,%d,\"ACME, INC\",\"1,000.00\",463.20,,\"1,463.20\"\n"
	const read = " ODFL 2026-09-11 1000.00 463.20 "
	for name, c := range map[string]struct{ row, want string }{
		"a comma in a name":        {"ODFL,2026-09-11,2,ACME, INC,1000.00,463.20,,1463.20\n", "line 3: there are 9 cells below 8 columns"},
		"an empty cell at its end": {"ODFL,2026-09-11,2,ACME, INC,1000.00,463.20,,\n", "line 3: there are 9 cells below 8 columns"},
		"thousands":                {"ODFL,2026-09-11,2,ACME,1,000.00,463.20,,1,463.20\n", "line 3: there are 10 cells below 8 columns"},
		"inches":                   {"ODFL,2026-09-11,2,\"Pipe 6\"\",\"1000.00\",463.20,,\"1,463.20\"\n", `line 3: this is not CSV: extraneous or missing " in quoted-field`},
		"a quote within quotes":    {"ODFL,2026-09-11,2,\"Pipe 6\" dia\",1000.00,463.20,,1463.20\n", `line 3: this is not CSV: extraneous or missing " in quoted-field`},
		"a quote that began":       {"ODFL,2026-09-11,2,ACME,1000.00,463.20,,\"Pipe 6\" dia\n", `line 3: this is not CSV: extraneous or missing " in quoted-field`},
		"a first cell":             {"\"OD\"FL,2026-09-11,2,ACME,1000.00,463.20,,1463.20\n", `line 3: this is not CSV: extraneous or missing " in quoted-field`},
		"both kinds of quotes":     {"ODFL,2026-09-11,2,Pipe 6\" dia,1000.00,463.20,\"a\"b,1463.20\n", `line 3: this is not CSV: extraneous or missing " in quoted-field`},
		"a bare quote":             {"ODFL,2026-09-11,2,Pipe 6\" \"dia\",\"1,000.00\",463.20,,1463.20\n", "3" + read + "2 "},
		"a short row":              {"ODFL,2026-09-11,2,ACME,1000.00,463.20\n", "3" + read + "2 "},
	} {
		file, err := readAsIs(t, head+fmt.Sprintf(good, 1)+c.row+fmt.Sprintf(good, 3))
		if err != nil || len(file.Lines) != 3 {
			t.Errorf("%s: %d lines, %v", name, len(file.Lines), err)
			continue
		}
		if got := shown(file.Lines[1]); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		for i, want := range map[int]string{0: "2" + read + "1 ", 2: "4" + read + "3 "} {
			if got := shown(file.Lines[i]); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}

// Programs that end each row with a delimiter do not so with the headings.
func TestRowsThatEndWithADelimiter(t *testing.T) {
	t.Parallel()
	const head, row = "SCAC,Ship Date,Base Freight,FSC Amount\n", "ODFL,2026-09-11,1000.00,463.20,\n"
	for text, want := range map[string]string{row + row: " ODFL 2026-09-11 1000.00 463.20  ", row: "there are 5 cells below 4 columns"} {
		file, err := readAsIs(t, head+text)
		if err != nil || !strings.HasSuffix(shown(file.Lines[0]), want) {
			t.Errorf("%q, %v, want %q", shown(file.Lines[0]), err, want)
		}
	}
}

// What a quote that is not closed takes in cannot be told: the file is refused, whatever is below.
func TestAQuoteThatRunsOn(t *testing.T) {
	t.Parallel()
	const head, good = "SCAC,Ship Date,Base Freight,Note\n", "ODFL,2026-09-11,1000.00,\"a\nb\"\n"
	for body, want := range map[string]string{
		head + good + "ODFL,2026-09-11,1000.00,\"Pipe 6\n" + good: "line 4: the quoted cell that begins here does not end well; close it",
		"SCAC,Ship Date,\"Base\" Freight,Note\n" + good:           "line 1: this is not CSV",
	} {
		if _, err := readAsIs(t, body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Exports that were put one below the other have their headings within the file: in the same order a line that is INVALID,
// in another one the end of what can be read.
func TestHeadingsBelowOthers(t *testing.T) {
	t.Parallel()
	const head, row = "SCAC,Ship Date,PRO,Base Freight,FSC Amount,Note\n", "ODFL,2026-09-11,1,1000.00,463.20,Fuel\n"
	const other = "line 3 has other headings than line 1; send what begins there apart"
	for name, c := range map[string]struct{ below, want string }{
		"another order": {"SCAC,Ship Date,PRO,FSC Amount,Base Freight,Note\nODFL,2026-09-11,2,463.20,1000.00,\n", other},
		"other words":   {"PRO Number,Pickup Date,Carrier,Linehaul,Fuel Surcharge\n2,2026-09-11,ODFL,1000.00,463.20\n", other},
		"one fewer":     {"Ship Date,SCAC,Base Freight,FSC Amount\n2026-09-11,ODFL,1000.00,463.20\n", other},
		"the same":      {strings.ToUpper(head) + row, "4 lines"},
		"words":         {"Fuel,Freight,Total,,,\n" + row, "4 lines"},
	} {
		file, err := readAsIs(t, head+row+c.below+row)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%d lines", len(file.Lines))
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A sum of lines is no bill, whichever carrier and day stand beside it.
func TestSumsAreNoShipments(t *testing.T) {
	t.Parallel()
	const refused = "line 3: this is a sum of other lines, and no shipment"
	for name, want := range map[string]string{
		"Total": refused, "SUB-TOTAL": refused, "Grand Total": refused, "ODFL Totals": refused, "0077 Total": refused, "Sum": refused, "TOTAL-77": "", "Total Wine": "", "N/A": "", "summer": "",
	} {
		for _, heading := range []string{"PRO", "Invoice"} {
			file, err := readAsIs(t, "SCAC,Ship Date,"+heading+",Base Freight,FSC Amount\nODFL,2026-09-11,1,1000.00,500.00\nODFL,2026-09-11,"+name+",1000.00,500.00\n")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(file.Lines[1].Errors, "; "); got != want {
				t.Errorf("%s %s: %s, want %s", heading, name, got, want)
			}
		}
	}
}
