package kept_test

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/kept"
	"assay.dev/platform/bustest"
)

// However long a list was read for, it does not take the place of one that is newer. One that is not kept takes nobody's.
func TestAnOlderListReplacesNoNewerOne(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	holds := open(t, js).Holds
	bound(t, js, contracts.PortfoliosBucket, func(uint64) int64 { return 100 << 10 })
	for _, put := range []struct {
		list, date string
		size       int
		want       contracts.Code
	}{
		{"101-aa", "2026-11-10", 0, ""},
		{"101-aa", "2026-11-24", 0, ""},
		{"101-aa", "2026-11-10", 0, contracts.InvalidRequest},
		{"101-aaa", "2026-11-10", 0, ""},
		{"101-aa", "2026-12-08", 400 << 10, contracts.SourceUnavailable},
		{"101-aa", "2026-11-24", 0, ""},
	} {
		_, err := holds.Put(t.Context(), acme, kept.HoldList{State: contracts.NY, List: put.list, Date: contracts.Date(put.date),
			Entries: []kept.HeldLicense{{LicenseNumber: noise(put.size)}}})
		if contracts.CodeOf(err) != put.want {
			t.Errorf("%s of %s: %v", put.list, put.date, err)
		}
	}
	if l, err := holds.Get(t.Context(), acme, contracts.NY, "101-aa"); err != nil || l.Date != "2026-11-24" {
		t.Errorf("the list is of %s, %v", l.Date, err)
	}
	if all, err := holds.List(t.Context(), acme); err != nil || len(all) != 2 || all[0].List != "101-aa" || all[0].Date != "2026-11-24" {
		t.Errorf("listed %+v, %v", all, err)
	}
}
