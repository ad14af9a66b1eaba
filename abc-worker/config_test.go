package abcworker_test

import (
	"testing"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
)

func TestOnlyBulkFilesAreResized(t *testing.T) {
	for s, want := range map[string]bool{"": true, "CA": true, "il, fl": true, "TX": false, "FL,NY": false} {
		var cfg abcworker.Config
		if err := cfg.Resized.UnmarshalText([]byte(s)); err != nil {
			t.Fatal(err)
		}
		if err := cfg.Validate(); (err == nil) != want {
			t.Errorf("%q: %v", s, err)
		}
	}
	var unknown abcworker.States
	if err := unknown.UnmarshalText([]byte(contracts.CA + ",NV")); err == nil {
		t.Error("NV is accepted")
	}
}
