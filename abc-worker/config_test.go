package abcworker_test

import (
	"strings"
	"testing"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
)

func TestSettingsAreChecked(t *testing.T) {
	if err := (abcworker.Config{Capacity: 1}).Validate(); err != nil {
		t.Error(err)
	}
	if err := (abcworker.Config{}).Validate(); err == nil || !strings.Contains(err.Error(), "ASSAY_ABC_CAPACITY=0") {
		t.Errorf("no capacity: %v", err)
	}
	var unknown abcworker.States
	if err := unknown.UnmarshalText([]byte(contracts.CA + ",NV")); err == nil {
		t.Error("NV is accepted")
	}
}
