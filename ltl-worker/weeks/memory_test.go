package weeks

import (
	"context"
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/platform/scrape"
)

func TestPageThatContradictsWhatIsKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		known, shown []float64 // percents of the same weeks, newest first
		want         scrape.Kind
	}{
		"nothing is known":              {nil, []float64{50, 51, 52, 53}, ""},
		"all as before, and a new week": {[]float64{51, 52, 53}, []float64{51, 52, 53, 50}, ""},
		"a week is revised":             {[]float64{51, 52, 53}, []float64{51, 52.5, 53}, ""},
		"the only known week is":        {[]float64{51}, []float64{40}, ""},
		"another service's percents":    {[]float64{51, 52, 53, 54}, []float64{41, 42, 43, 44}, scrape.Changed},
		"most weeks":                    {[]float64{51, 52, 53, 54}, []float64{51, 42, 43, 44}, scrape.Changed},
	} {
		t.Run(name, func(t *testing.T) {
			m := &memory{weeks: map[contracts.Date]contracts.SurchargeWeek{}}
			m.learn(weeksOf(tt.known))
			guarded := m.guard(reader.Path{Read: func(context.Context, contracts.Date) (reader.Reading, error) {
				return reader.Reading{Value: surcharge.Reading{Weeks: weeksOf(tt.shown)}}, nil
			}})
			if _, err := guarded.Read(t.Context(), "2026-09-10"); scrape.KindOf(err) != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func weeksOf(percents []float64) []contracts.ObservedWeek {
	weeks := make([]contracts.ObservedWeek, 0, len(percents))
	for i, p := range percents {
		weeks = append(weeks, weekOf(contracts.Date("2026-09-09").AddDays(-7*i), p))
	}
	return weeks
}
