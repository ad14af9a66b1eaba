package kept_test

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/kept"
	"assay.dev/platform/bustest"
)

// However long a list was read for, it does not take the place of one that is newer.
func TestAnOlderListReplacesNoNewerOne(t *testing.T) {
	t.Parallel()
	holds := open(t, bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))).Holds
	for _, put := range []struct {
		list, date string
		want       contracts.Code
	}{
		{"101-aa", "2026-11-24", ""},
		{"101-aa", "2026-11-10", contracts.InvalidRequest},
		{"101-aaa", "2026-11-10", ""},
		{"101-aa", "2026-11-24", ""},
	} {
		_, err := holds.Put(t.Context(), acme, kept.HoldList{State: contracts.NY, List: put.list, Date: contracts.Date(put.date)})
		if contracts.CodeOf(err) != put.want {
			t.Errorf("%s of %s: %v", put.list, put.date, err)
		}
	}
	if l, err := holds.Get(t.Context(), acme, contracts.NY, "101-aa"); err != nil || l.Date != "2026-11-24" {
		t.Errorf("the list is of %s, %v", l.Date, err)
	}
}
