package ltlworker_test

import (
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
)

func TestSettingsAreChecked(t *testing.T) {
	t.Parallel()
	for environ, want := range map[[2]string]string{
		{"ASSAY_LTL_CAPACITY", "1"}:                           "",
		{"ASSAY_LTL_CAPACITY", "0"}:                           "ASSAY_LTL_CAPACITY=0: want at least 1",
		{"ASSAY_LTL_CAPACITY", "-1"}:                          "ASSAY_LTL_CAPACITY=-1: want at least 1",
		{"ASSAY_CARRIERS", "NOBODY"}:                          "NOBODY",
		{"ASSAY_CARRIERS", "SAIA, " + string(contracts.ODFL)}: "",
	} {
		_, err := daemon.Load[ltlworker.Config](daemon.Environ{environ[0]: environ[1]})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", environ, err, want)
		}
	}
}

func TestCarriersSetting(t *testing.T) {
	var got ltlworker.Carriers
	if err := got.UnmarshalText([]byte("abf, odfl,ABF")); err != nil ||
		!slices.Equal(got, ltlworker.Carriers{contracts.ODFL, contracts.ABF}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := got.UnmarshalText([]byte("ODFL,UPS")); err == nil {
		t.Error("UPS is accepted")
	}
}
