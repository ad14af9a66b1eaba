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
