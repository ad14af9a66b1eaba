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
