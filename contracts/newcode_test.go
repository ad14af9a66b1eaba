package contracts

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// What a code that is new in States or Carriers needs beside it. What a state's law says of deliveries is
// TestEveryDelivery.
func TestWhatIsSaidOfEachCode(t *testing.T) {
	contract, err := os.ReadFile("../docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	if listed := "`" + strings.Join(Texts(Carriers), "`, `") + "`."; !strings.Contains(string(contract), listed) {
		t.Errorf("docs/contract.md §2.5 has to list the carriers as %s", listed)
	}
	if listed := "liquor licenses of " + Listed(States, "and"); !strings.Contains(string(contract), listed) {
		t.Errorf("docs/contract.md §1 has to say %q", listed)
	}
	for _, c := range Carriers {
		if !slices.Contains(slices.Collect(maps.Values(carrierNames)), c) {
			t.Errorf("add to carrierNames in carriername.go what invoices call %s", c)
		}
	}
	for _, s := range States {
		if !slices.Contains(slices.Collect(maps.Values(stateNames)), s) {
			t.Errorf("add to stateNames in state.go what people write for %s", s)
		}
		if zones[s] == nil {
			t.Errorf("add to zones in state.go where the days of %s begin", s)
		}
		if len(numberForms[s].rules) == 0 {
			t.Errorf("add to numberForms in license_number.go how %s writes its numbers", s)
		}
	}
}
