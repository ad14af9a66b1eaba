package customers_test

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
)

// A heading may say whose address it is, and which line of it. Where goods go is before where letters go.
func TestStreetsAreFoundByTheWordsOfTheirHeadings(t *testing.T) {
	t.Parallel()
	for headings, want := range map[string]string{
		"Address 1": "A", "Address Line 1": "A", "Addr1": "A", "Ship-To Address": "A", "Ship To Address 1": "A", "Ship To Street": "A",
		"Location Address": "A", "Street": "A", "ShipToAddress1": "A", "Premise Address": "A", "Mailing Address": "A", "Bill To Street 1": "A",
		"Address 2": "", "Address Code": "", "E-mail Address": "",
		"Mailing Address,Ship To Address 1": "B", "Bill-To Address,Location Address": "B", "Mailing Address,Address": "B",
		"Ship To Address 2,Ship To Address 1": "B", "Location Address,Billing Address": "A",
	} {
		list := "Cust No,Customer Name,City,State,Zip," + headings + "\n7,BLUE CAFE,NAPA,CA,94558,A,B\n"
		file, err := customers.Schema.Read(t.Context(), lines.CSV, []byte(list), lines.Reading{AsIs: true})
		if err != nil || file.Lines[0].Street != want {
			t.Errorf("%s: %v, read %+v", headings, err, file.Lines)
		}
	}
	list := "Cust No,Customer Name,Mailing City,Ship To City,Mailing State,Zip\n7,BLUE CAFE,NAPA,SONOMA,CA,94558\n"
	if file, err := customers.Schema.Read(t.Context(), lines.CSV, []byte(list), lines.Reading{AsIs: true}); err == nil {
		t.Errorf("the state of letters is taken for the license's: %+v", file.Lines)
	}
}

// The columns of a list are found by what sellers call them.
func TestColumnsOfASellersListAreFound(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"ST", "State", "Ship State", "State Code"} {
		list := "Cust No,Customer Name,Address,City," + state + ",Zip\n7,BLUE CAFE,2 MAIN ST,NAPA,CA,94558\n"
		file, err := customers.Schema.Read(t.Context(), lines.CSV, []byte(list), lines.Reading{AsIs: true})
		if err != nil {
			t.Errorf("%s: %v", state, err)
			continue
		}
		if l := file.Lines[0]; l.State != contracts.CA || l.Name != "BLUE CAFE" || l.Street != "2 MAIN ST" || l.City != "NAPA" || l.ZipCode != "94558" {
			t.Errorf("%s: read %+v", state, l)
		}
	}
}

// An address in one cell is taken apart where it ends as addresses do; a line break in a cell is a blank.
func TestAnAddressInOneCellIsTakenApart(t *testing.T) {
	t.Parallel()
	for street, want := range map[string][3]string{
		`"17919 Sycamore St, Bloomington, CA 92316"`:               {"17919 Sycamore St", "Bloomington", "92316"},
		`"17919 Sycamore St, Suite 4, San Jose, ca 92316-1234"`:    {"17919 Sycamore St, Suite 4", "San Jose", "92316-1234"},
		"\"17919 Sycamore St\r\nBack door\nBloomington CA 92316\"": {"17919 Sycamore St Back door Bloomington CA 92316", "", ""},
		`"17919 Sycamore St, Reno, NV 92316"`:                      {"17919 Sycamore St, Reno, NV 92316", "", ""},
		`"17919 Sycamore St, Suite 4"`:                             {"17919 Sycamore St, Suite 4", "", ""},
	} {
		file, err := customers.Schema.Read(t.Context(), lines.CSV, []byte("Cust No,Customer Name,State,Address,License\n7,BLUE CAFE,CA,"+street+",1\n"), lines.Reading{AsIs: true})
		if err != nil || len(file.Lines) != 1 || len(file.Lines[0].Errors) > 0 {
			t.Errorf("%s: %v %+v", street, err, file.Lines)
			continue
		}
		if l := file.Lines[0]; [3]string{l.Street, l.City, l.ZipCode} != want {
			t.Errorf("%s: read %q, %q, %q", street, l.Street, l.City, l.ZipCode)
		}
	}
	for _, zip := range []string{"Zip", "Zip Code", "Postal Code", "ZIP/Postal Code", "Postcode"} {
		file, err := customers.Schema.Read(t.Context(), lines.CSV, []byte("Customer Name,State,Address,"+zip+"\nBLUE CAFE,CA,1 Main,94558\n"), lines.Reading{AsIs: true})
		if err != nil || file.Lines[0].ZipCode != "94558" {
			t.Errorf("%s: %v %+v", zip, err, file.Lines)
		}
	}
}
