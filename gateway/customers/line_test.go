package customers_test

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
)

// The columns of a list are found by what sellers call them.
func TestColumnsOfASellersListAreFound(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"ST", "State", "Ship State", "State Code"} {
		list := "Cust No,Customer Name,Address,City," + state + ",Zip\n7,BLUE CAFE,2 MAIN ST,NAPA,CA,94558\n"
		file, err := customers.Schema.Read(lines.CSV, []byte(list), lines.Reading{AsIs: true})
		if err != nil {
			t.Errorf("%s: %v", state, err)
			continue
		}
		if l := file.Lines[0]; l.State != contracts.CA || l.Name != "BLUE CAFE" || l.Street != "2 MAIN ST" || l.City != "NAPA" || l.ZipCode != "94558" {
			t.Errorf("%s: read %+v", state, l)
		}
	}
}
