// Package carriers plays the sites of the ten carriers, each in a file of its own. What they show follows from the
// price of diesel (package diesel) by the carriers' rules (package tariff).
package carriers

import (
	"errors"
	"html/template"
	"net/http"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/diesel"
	"assay.dev/sandbox/tariff"
)

// Sites makes the sites. Each method without parameters is the handler of one host.
type Sites struct {
	prices  *diesel.Series
	tariffs map[contracts.Carrier]tariff.Tariff
	pages   *template.Template
	now     func() time.Time
	// rendered tells whether a request is the rendering service's, which runs no scripts: it is shown what the scripts
	// would have made.
	rendered func(*http.Request) bool
}

// New makes the sites as they are at now.
func New(prices *diesel.Series, now func() time.Time, rendered func(*http.Request) bool) (*Sites, error) {
	tariffs, tariffsErr := tariff.All()
	pages, pagesErr := parsePages()
	return &Sites{prices: prices, tariffs: tariffs, pages: pages, now: now, rendered: rendered},
		errors.Join(tariffsErr, pagesErr)
}

// weeks are those that a carrier's site shows now, newest first.
func (s *Sites) weeks(c contracts.Carrier) []tariff.Week {
	return s.tariffs[c].Weeks(s.prices, s.now())
}

// Surcharge is what a right reading of a carrier's site gives now: every week that it shows and that has begun by
// today, newest first.
func (s *Sites) Surcharge(c contracts.Carrier, today contracts.Date) []contracts.SurchargeWeek {
	var weeks []contracts.SurchargeWeek
	for _, row := range s.weeks(c) {
		if row.Effective > today {
			continue
		}
		week := contracts.SurchargeWeek{EffectiveDate: row.Effective, Percent: row.LTL.Float()}
		if s.tariffs[c].PrintsDiesel {
			usd := row.Diesel.Price.USD()
			week.DieselUSD = &usd
		}
		if s.tariffs[c].PrintsTruckload {
			percent := row.Truckload.Float()
			week.TruckloadPercent = &percent
		}
		weeks = append(weeks, week)
	}
	return weeks
}
