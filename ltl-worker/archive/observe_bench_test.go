package archive

import (
	"testing"
	"time"

	"assay.dev/contracts"
)

// BenchmarkObserve is what a read pays for the archive: its weeks are made known, and all weeks are asked for.
func BenchmarkObserve(b *testing.B) {
	c := newCopies()
	at := time.Date(2026, 9, 14, 12, 0, 0, 0, time.UTC)
	a := Archive{env: contracts.Live}
	var shown []contracts.ObservedWeek
	for i := range 160 {
		w := contracts.ObservedWeek{
			SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: contracts.Date("2026-09-09").AddDays(-7 * i), Percent: 40},
			Tally:         contracts.Tally{Clean: 2, Required: 2},
		}
		shown = append(shown, w)
		seen := Sighting{At: at}
		v := Value{ObservedWeek: w, First: seen, Last: seen, number: 1}
		c.addEntries(entry{key: a.key(contracts.XPO, v), carrier: contracts.XPO, date: w.EffectiveDate, number: 1, revision: 1, value: &v})
	}
	c.setComplete(true)
	b.ReportAllocs()
	for i := range b.N {
		o := Observation{Carrier: contracts.XPO, Weeks: shown[:26], At: at.Add(time.Duration(i+1) * time.Second), Whole: true}
		if err := c.observe(o); err != nil {
			b.Fatal(err)
		}
		if known, err, ok := c.weeks(contracts.XPO); !ok || err != nil || len(known) != 160 {
			b.Fatal(err)
		}
	}
}
