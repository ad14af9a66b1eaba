package abcworker_test

import (
	"strings"
	"testing"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
)

func TestSettingsAreChecked(t *testing.T) {
	for s, want := range map[string]bool{"": true, "CA": true, "il, fl": true, "TX": false, "FL,NY": false} {
		cfg := abcworker.Config{Capacity: 1}
		if err := cfg.Resized.UnmarshalText([]byte(s)); err != nil {
			t.Fatal(err)
		}
		if err := cfg.Validate(); (err == nil) != want {
			t.Errorf("%q: %v", s, err)
		}
	}
	if err := (abcworker.Config{}).Validate(); err == nil || !strings.Contains(err.Error(), "ASSAY_ABC_CAPACITY=0") {
		t.Errorf("no capacity: %v", err)
	}
	var unknown abcworker.States
	if err := unknown.UnmarshalText([]byte(contracts.CA + ",NV")); err == nil {
		t.Error("NV is accepted")
	}
}
