package sandbox

import (
	"errors"
	"html/template"
	text "text/template"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/diesel"
	"assay.dev/sandbox/tariff"
)

// world is what the sites have in common: the present, the price of diesel, the carriers' rules and the licenses.
type world struct {
	now     func() time.Time
	prices  *diesel.Series
	tariffs map[contracts.Carrier]tariff.Tariff
	pages   *template.Template
	feed    *text.Template
	// licensing is there once a sandbox was started.
	licensing *Licensing
}

func newWorld(clock func() time.Time) (*world, error) {
	if clock == nil {
		clock = time.Now
	}
	w := &world{now: clock}
	var errs [4]error
	w.prices, errs[0] = diesel.Load()
	w.tariffs, errs[1] = tariff.All()
	w.pages, errs[2] = parsePages()
	w.feed, errs[3] = parseFeed()
	return w, errors.Join(errs[:]...)
}

// weeks are those that a carrier's site shows now, newest first.
func (w *world) weeks(c contracts.Carrier) []tariff.Week {
	return w.tariffs[c].Weeks(w.prices, w.now())
}

// Surcharge is what a right reading of a carrier's site says on the sandbox's day: every week in force or past that the
// site shows, newest first.
func (s *Sandbox) Surcharge(c contracts.Carrier) []contracts.SurchargeWeek {
	return surcharge(s.world, c, s.Today())
}

// Surcharge is what a right reading of a carrier's site says on a day by the Eastern calendar: every week in force or
// past that the site shows, newest first.
func Surcharge(c contracts.Carrier, today contracts.Date) ([]contracts.SurchargeWeek, error) {
	// Any hour will do: no site posts a rate later than the midnight on which it takes effect.
	noon := func() time.Time { return today.Time().Add(17 * time.Hour) }
	w, err := newWorld(noon)
	if err != nil {
		return nil, err
	}
	return surcharge(w, c, today), nil
}

func surcharge(w *world, c contracts.Carrier, today contracts.Date) []contracts.SurchargeWeek {
	var weeks []contracts.SurchargeWeek
	for _, row := range w.weeks(c) {
		if row.Effective > today {
			continue
		}
		week := contracts.SurchargeWeek{EffectiveDate: row.Effective, Percent: row.LTL.Float()}
		if w.tariffs[c].PrintsDiesel {
			usd := row.Diesel.Price.USD()
			week.DieselUSD = &usd
		}
		weeks = append(weeks, week)
	}
	return weeks
}
