// Package carriers plays the sites of the carriers, each in a file of its own. What they show follows from the
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

// Sites holds the sites of the carriers. Each of its methods without parameters returns the handler of one host.
type Sites struct {
	prices  *diesel.Series
	tariffs map[contracts.Carrier]tariff.Tariff
	pages   *template.Template
	now     func() time.Time
	// rendered tells whether a request comes from the rendering service. The stand-in service runs no scripts, so the
	// sites answer it with the page as the scripts would have made it.
	rendered func(*http.Request) bool
	changes  *changes
}

// New returns the sites as they are at the time now.
func New(prices *diesel.Series, now func() time.Time, rendered func(*http.Request) bool) (*Sites, error) {
	tariffs, tariffsErr := tariff.All()
	pages, pagesErr := parsePages()
	return &Sites{prices: prices, tariffs: tariffs, pages: pages, now: now, rendered: rendered, changes: newChanges()},
		errors.Join(tariffsErr, pagesErr)
}

// weeks returns the weeks that a carrier's site shows now, the newest first.
func (s *Sites) weeks(c contracts.Carrier) []tariff.Week {
	return s.changes.apply(c, s.tariffs[c].Weeks(s.prices, s.now(), s.changes.ahead(c)))
}

// Surcharge returns what a right reading of a carrier's site gives now: each week that the site shows and that has
// begun, the newest first.
func (s *Sites) Surcharge(c contracts.Carrier, today contracts.Date) []contracts.SurchargeWeek {
	var weeks []contracts.SurchargeWeek
	for _, row := range s.weeks(c) {
		if row.Effective <= today {
			weeks = append(weeks, s.reading(c, row))
		}
	}
	return weeks
}

// reading is what a right reading of a row gives.
func (s *Sites) reading(c contracts.Carrier, row tariff.Week) contracts.SurchargeWeek {
	week := contracts.SurchargeWeek{EffectiveDate: row.Effective, Percent: row.LTL.Float()}
	if s.tariffs[c].PrintsDiesel {
		week.DieselUSD = new(row.Diesel.Price.USD())
	}
	if s.tariffs[c].PrintsTruckload {
		week.TruckloadPercent = new(row.Truckload.Float())
	}
	return week
}

// Posted is what a right reading of a week gives, and when the site first showed it.
type Posted struct {
	contracts.SurchargeWeek
	At time.Time
}

// Posted lists the newest n weeks that a carrier has posted by now, newest first, whether its site still shows them or
// not.
func (s *Sites) Posted(c contracts.Carrier, n int) []Posted {
	var weeks []Posted
	for _, row := range s.tariffs[c].PostedWeeks(s.prices, s.now(), n) {
		weeks = append(weeks, Posted{s.reading(c, row.Week), row.At})
	}
	return weeks
}
