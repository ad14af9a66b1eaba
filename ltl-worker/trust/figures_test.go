package trust_test

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
)

// history are weeks from 2026-09-09 back, each a tenth of a dollar and a point below the one after it.
func history(n int, change func(i int, w *contracts.SurchargeWeek)) []contracts.SurchargeWeek {
	var weeks []contracts.SurchargeWeek
	for i := range n {
		w := contracts.SurchargeWeek{
			EffectiveDate: contracts.Date("2026-09-09").AddDays(-7 * i), Percent: 50 - float64(i), DieselUSD: usd(5.55 - float64(i)/10),
		}
		if change != nil {
			change(i, &w)
		}
		weeks = append(weeks, w)
	}
	return weeks
}

// lawful is a bracket table that gives the weeks of history.
func lawful() *contracts.FuelTableAnswer {
	t := &contracts.FuelTableAnswer{}
	for i := range 40 {
		low := float64(16+i) / 10
		t.Rows = append(t.Rows, contracts.Bracket{AtLeastUSD: low, LessThanUSD: low + 0.1, Percent: float64(11 + i)})
	}
	return t
}

func TestFigures(t *testing.T) {
	table := lawful()
	others := func(from, to int) func(int, *contracts.SurchargeWeek) {
		return func(i int, w *contracts.SurchargeWeek) {
			if i >= from && i < to {
				w.Percent += 0.5
			}
		}
	}
	newest := func(percent float64, price *float64) []contracts.SurchargeWeek {
		return history(12, func(i int, w *contracts.SurchargeWeek) {
			if i == 0 {
				w.Percent, w.DieselUSD = percent, price
			}
		})
	}
	// inDays begins so many days after the week before it.
	inDays := func(days int, percent, price float64) []contracts.SurchargeWeek {
		weeks := newest(percent, &price)
		weeks[0].EffectiveDate = weeks[1].EffectiveDate.AddDays(days)
		return weeks
	}
	only := func(at int, percent float64) func(int, *contracts.SurchargeWeek) {
		return func(i int, w *contracts.SurchargeWeek) {
			if i == at {
				w.Percent = percent
			}
		}
	}
	unpriced := func(from, to int) func(int, *contracts.SurchargeWeek) {
		return func(i int, w *contracts.SurchargeWeek) {
			if i >= from && i < to {
				w.DieselUSD = nil
			}
		}
	}
	// twice has truckloads at twice the percent, and in the newest week at so many times.
	twice := func(newest float64) []contracts.SurchargeWeek {
		return history(12, func(i int, w *contracts.SurchargeWeek) {
			times := 2.0
			if i == 0 {
				times = newest
			}
			truckload := times * w.Percent
			w.TruckloadPercent = &truckload
		})
	}
	before := history(12, nil)[1:]
	unread := trust.Past{Clean: history(12, nil), Unread: true}
	cases := []struct {
		name  string
		past  trust.Past
		weeks []contracts.SurchargeWeek
		want  trust.State
		by    string
		moved bool
	}{
		{"the law gives them", trust.Past{Table: table}, history(8, nil), trust.Proven, "law", false},
		{"too few for the law", trust.Past{Table: table}, history(7, nil), trust.Unproven, "", false},
		{"a newest week beside the law", trust.Past{Table: table}, history(12, others(0, 1)), trust.Unproven, "", false},
		{"older weeks of another table", trust.Past{Table: table}, history(30, others(10, 30)), trust.Proven, "law", false},
		{"weeks of another table between", trust.Past{Table: table}, history(20, others(1, 5)), trust.Unproven, "", false},
		{"all were seen", trust.Past{Clean: history(12, nil)}, history(8, nil), trust.Proven, "continuity", false},
		{"the newest is new", trust.Past{Clean: history(12, nil)[1:]}, history(12, nil), trust.Unproven, "", false},
		{"too few were seen", trust.Past{Clean: history(7, nil)}, history(12, nil), trust.Unproven, "", false},
		{"the archive is unread", unread, history(12, nil), trust.Unproven, "", false},
		{"two weeks revised", trust.Past{Clean: history(12, nil)}, history(12, others(3, 5)), trust.Unproven, "", false},
		{"three weeks otherwise", trust.Past{Clean: history(12, nil)}, history(12, others(3, 6)), trust.Contradicted, "continuity", false},
		{"the law fails in three new weeks", trust.Past{Clean: history(15, nil)[3:], Table: table}, history(12, others(0, 3)), trust.Contradicted, "law", false},
		{"the law holds in three new weeks", trust.Past{Clean: history(15, nil)[3:], Table: table}, history(12, nil), trust.Proven, "law", false},
		{"a law that never held", trust.Past{Clean: history(15, others(0, 15))[3:], Table: table}, history(12, others(0, 12)), trust.Unproven, "", false},
		{"a law that held later alone", trust.Past{Clean: history(10, nil), Table: table}, history(30, others(10, 30)), trust.Proven, "law", false},
		{"a law that is too new", trust.Past{Table: table, TableFrom: "2026-08-05"}, history(12, nil), trust.Unproven, "", false},
		{"three new weeks without a price", trust.Past{Clean: history(15, nil)[3:], Table: table}, history(12, unpriced(0, 3)), trust.Unproven, "", true},
		{"no weeks", trust.Past{Clean: before, Table: table}, nil, trust.Unproven, "", false},
		{"against diesel", trust.Past{Clean: before}, newest(50, usd(5.3)), trust.Unproven, "", true},
		{"a fall against diesel", trust.Past{Clean: before}, newest(48, usd(5.55)), trust.Unproven, "", true},
		{"a fall with diesel", trust.Past{Clean: before}, newest(48, usd(5.4)), trust.Unproven, "", false},
		{"four points in a week", trust.Past{Clean: before}, newest(53, usd(5.55)), trust.Unproven, "", true},
		{"four points and an archive that is unread", trust.Past{Clean: before, Unread: true}, newest(53, usd(5.55)), trust.Unproven, "", false},
		{"four points in two weeks", trust.Past{Clean: before[1:]}, newest(52, usd(5.55)), trust.Unproven, "", false},
		{"four points in a week of eight days", trust.Past{Clean: before}, inDays(8, 53, 5.55), trust.Unproven, "", true},
		{"three points in a week of six days", trust.Past{Clean: before}, inDays(6, 52, 5.55), trust.Unproven, "", false},
		{"four points in two weeks of 13 days", trust.Past{Clean: before[1:]}, inDays(6, 52, 5.55), trust.Unproven, "", false},
		{"seven points in two weeks of 15 days", trust.Past{Clean: before[1:]}, inDays(8, 55, 5.55), trust.Unproven, "", true},
		{"a price that cannot be read", trust.Past{Clean: before}, newest(50, nil), trust.Unproven, "", true},
		{"a fall and a price that cannot be read", trust.Past{Clean: before}, newest(48, nil), trust.Unproven, "", true},
		{"a price before that cannot be read", trust.Past{Clean: history(12, unpriced(1, 12))[1:]}, newest(50, usd(5.55)), trust.Unproven, "", true},
		{"four points in the week before the newest", trust.Past{Clean: before[1:]}, history(12, only(1, 53)), trust.Unproven, "", true},
		{"four points in a coming week before the newest", trust.Past{Clean: before}, append([]contracts.SurchargeWeek{{EffectiveDate: "2026-09-16", Percent: 51, DieselUSD: usd(5.65)}}, newest(53, usd(5.55))...), trust.Unproven, "", true},
		{"four points that the newest week bears out", trust.Past{Clean: before[1:]}, history(12, func(i int, w *contracts.SurchargeWeek) { w.Percent += float64(max(0, 3-2*max(i, 1))) }), trust.Unproven, "", false},
		{"four points in a known week", trust.Past{Clean: history(12, nil)}, history(12, only(1, 53)), trust.Unproven, "", true},
		{"three points in a known week", trust.Past{Clean: history(12, nil)}, history(12, only(1, 46.5)), trust.Unproven, "", false},
		{"three weeks that follow diesel", trust.Past{Clean: before[2:]}, history(12, nil), trust.Unproven, "", false},
		{"truckloads at twice as ever", trust.Past{Clean: twice(2)[1:]}, twice(2), trust.Unproven, "", false},
		{"truckloads at twice no more", trust.Past{Clean: twice(2)[1:]}, twice(2.2), trust.Unproven, "", true},
		{"truckloads at twice no more, in a known week", trust.Past{Clean: twice(2)}, twice(2.2), trust.Proven, "continuity", false},
		{"truckloads at anything", trust.Past{Clean: twice(2.2)}, twice(2), trust.Proven, "continuity", false},
		{"the same percent without a price", trust.Past{Clean: before}, newest(49, nil), trust.Unproven, "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := c.past.Prove(c.weeks, trust.Known{})
			if got.State != c.want || got.By != c.by || (got.Moved != "") != c.moved {
				t.Errorf("%+v", got)
			}
			isOff := c.past.Table != nil && len(c.weeks) > 0 && c.weeks[0].DieselUSD != nil && c.weeks[0].Percent != 50
			if (len(got.Off) > 0) != isOff {
				t.Errorf("the bracket of the newest week is another one: %v", got.Off)
			}
		})
	}
}

// A week that its bracket contradicted is held against it until it was seen clean, also under newer rows.
func TestAWeekThatIsOffItsBracket(t *testing.T) {
	past := trust.Past{Table: lawful(), Clean: history(12, nil)[2:]}
	weeks := history(12, func(i int, w *contracts.SurchargeWeek) {
		if i == 1 {
			w.Percent = 49.5
		}
	})
	if got := past.Prove(weeks, trust.Known{}); len(got.Off) != 1 || got.Off["2026-09-02"] != 49 || got.State != trust.Proven {
		t.Errorf("%+v", got)
	}
	past.Clean = weeks
	if got := past.Prove(weeks, trust.Known{}); len(got.Off) > 0 {
		t.Errorf("a known week: %+v", got)
	}
}

// A person who accepts figures makes them clean, and ends the table that they break.
func TestAcceptedFigures(t *testing.T) {
	table := &contracts.FuelTableAnswer{Rows: []contracts.Bracket{{AtLeastUSD: 3, LessThanUSD: 9, Percent: 50}}}
	weeks := history(12, func(_ int, w *contracts.SurchargeWeek) { w.Percent = 61 })
	past := trust.Past{Table: table, Clean: history(12, func(_ int, w *contracts.SurchargeWeek) { w.Percent = 50 })}
	r := trust.Reading{Path: "page", Weeks: weeks}
	wording := trust.Wording{Editions: []trust.Edition{trust.NewEdition(r, "a person", editionAt(0), "", false)}}
	if v := trust.Judge(r, wording.Known("page", editionAt(0)), past); v.IsClean() || v.Notes[0].Code != contracts.NoteWeeksContradicted {
		t.Errorf("%+v", v)
	}
	wording.Editions = append(wording.Editions, trust.NewEdition(r, "a person", editionAt(0), "", true))
	if v := trust.Judge(r, wording.Known("page", editionAt(0)), past); !v.IsClean() || v.State != trust.Proven {
		t.Errorf("%+v", v)
	}
	accepted := wording.Known("page", editionAt(0))
	older := trust.Reading{Path: "page", Weeks: history(12, func(i int, w *contracts.SurchargeWeek) {
		if w.Percent = 50; i >= 10 {
			w.Percent = 61
		}
	})}
	wording.Editions = []trust.Edition{trust.NewEdition(older, "a person", editionAt(0), "", true)}
	if v := trust.Judge(older, wording.Known("page", editionAt(0)), trust.Past{Table: table}); v.By != "law" {
		t.Errorf("old weeks end the table: %+v", v)
	}
	r.Weeks = history(12, func(_ int, w *contracts.SurchargeWeek) { w.Percent = 61 })
	if r.Weeks[0].Percent = 66; trust.Judge(r, accepted, past).IsClean() {
		t.Error("another newest percent than the accepted one is clean")
	}
}
