package contracts_test

import (
	"strings"
	"testing"

	"assay.dev/contracts"
)

// A text that is longer than any name names nobody, and is not searched for a name: a cell may have 64 KB.
func TestLongTextsNameNoCarrier(t *testing.T) {
	t.Parallel()
	if c, ok := contracts.CarrierNamed("Saia LTL Freight, Inc."); c != contracts.SAIA || !ok {
		t.Error(c, ok)
	}
	if c, ok := contracts.CarrierNamed("Saia" + strings.Repeat(" inc", 16<<10)); ok {
		t.Error(c)
	}
}

// A code or a name is known however it is written, and a slip of it; what is near several is none.
func TestTheNearestCarrier(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]contracts.Carrier{
		"Fed Ex": contracts.FEDEX, "fed-ex": contracts.FEDEX, "O.D.F.L.": contracts.ODFL, "s e f l": contracts.SEFL, "E.X.L.A.": contracts.ESTES,
		"Old Domnion": contracts.ODFL, "ODFLL": contracts.ODFL, "UPS": "", "..": "",
	} {
		if c, _ := contracts.NearestCarrier(text); c != want {
			t.Errorf("%q: %q, want %q", text, c, want)
		}
	}
}
