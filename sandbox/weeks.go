package sandbox

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/carriers"
	"assay.dev/sandbox/diesel"
	"assay.dev/sandbox/page"
	"assay.dev/sandbox/tariff"
)

// Revise makes a carrier's site show another percent for a week that it has posted, such as 51.5 for the week of
// 2026-09-02.
func (s *Sandbox) Revise(c contracts.Carrier, week contracts.Date, percent float64) error {
	hundredths := tariff.Percent(math.Round(percent * 100))
	if hundredths <= 0 || hundredths > 10_000 {
		return fmt.Errorf("percent %v: want more than 0, at most 100", percent)
	}
	return s.change(carriers.Change{Carrier: c, Week: week, Percent: hundredths})
}

// Withdraw makes a carrier's site no longer show a week.
func (s *Sandbox) Withdraw(c contracts.Carrier, week contracts.Date) error {
	return s.change(carriers.Change{Carrier: c, Week: week})
}

func (s *Sandbox) change(c carriers.Change) error {
	if _, err := contracts.ParseCarrier(string(c.Carrier)); err != nil {
		return fmt.Errorf("carrier %q: want one of %v", c.Carrier, contracts.Carriers)
	}
	if _, err := contracts.ParseDate(string(c.Week)); err != nil {
		return err
	}
	return s.world.carriers.Set(c)
}

// PublishNext makes a carrier's site show its next week before its time.
func (s *Sandbox) PublishNext(c contracts.Carrier) error {
	if _, err := contracts.ParseCarrier(string(c)); err != nil {
		return errNoCarrier
	}
	return s.world.carriers.PublishNext(c)
}

var errNoCarrier = fmt.Errorf("no such carrier; want one of %v", contracts.Carriers)

// publish answers a call that has a carrier publish its next week.
func (s *Sandbox) publish(w http.ResponseWriter, c contracts.Carrier, week string) {
	err := fmt.Errorf("publish: want %q", "next")
	if week == "next" {
		err = s.PublishNext(c)
	}
	switch {
	case errors.Is(err, errNoCarrier):
		http.Error(w, err.Error(), http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
	default:
		page.JSON(w, http.StatusAccepted, map[string]any{"carrier": c, "publish": week})
	}
}

// RestoreWeeks makes all sites show their weeks as they were posted.
func (s *Sandbox) RestoreWeeks() { s.world.carriers.Unset() }

// weekCalls are those about carriers' weeks, for the table of [Sandbox.Admin].
func (s *Sandbox) weekCalls() []adminCall {
	return []adminCall{
		{"GET", "/weeks", "", "the weeks that carriers revised or withdrew",
			func(w http.ResponseWriter, _ *http.Request) {
				page.JSON(w, http.StatusOK, s.world.carriers.Changes())
			}},
		{"POST", "/weeks", `{"carrier":"SAIA","week":"2026-09-02","fuel_surcharge_pct":51.5}`,
			"revises a week that a carrier has posted; without a percent, withdraws it", s.postWeek},
		{"DELETE", "/weeks", "", "shows all weeks as they were posted", func(w http.ResponseWriter, _ *http.Request) {
			s.RestoreWeeks()
			w.WriteHeader(http.StatusNoContent)
		}},
	}
}

func (s *Sandbox) postWeek(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Carrier contracts.Carrier `json:"carrier"`
		Week    contracts.Date    `json:"week"`
		Percent *float64          `json:"fuel_surcharge_pct"`
	}
	err := page.Decode(w, r, &asked)
	switch {
	case err != nil:
	case asked.Percent == nil:
		err = s.Withdraw(asked.Carrier, asked.Week)
	default:
		err = s.Revise(asked.Carrier, asked.Week, *asked.Percent)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	page.JSON(w, http.StatusCreated, asked)
}

// PostedWeek is what a right reading of a week gives, and when the carrier's site first showed it.
type PostedWeek = carriers.Posted

// Posted lists the newest n weeks that a carrier's site has shown by now, newest first, also those that it shows no
// longer.
func Posted(c contracts.Carrier, now time.Time, n int) ([]PostedWeek, error) {
	prices, err := diesel.Load()
	if err != nil {
		return nil, err
	}
	sites, err := carriers.New(prices, func() time.Time { return now }, nil)
	if err != nil {
		return nil, err
	}
	return sites.Posted(c, n), nil
}
