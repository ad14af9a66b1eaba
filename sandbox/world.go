package sandbox

import (
	"errors"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/carriers"
	"assay.dev/sandbox/diesel"
	"assay.dev/sandbox/eia"
	"assay.dev/sandbox/license"
)

// world is what the sites are made of: the present, the price of diesel, the carriers and the licenses.
type world struct {
	now       func() time.Time
	prices    *diesel.Series
	carriers  *carriers.Sites
	eia       *eia.Sites
	licensing *Licensing
}

func newWorld(clock func() time.Time, sizes license.Sizes) (*world, error) {
	if clock == nil {
		clock = time.Now
	}
	prices, err := diesel.Load()
	if err != nil {
		return nil, err
	}
	w := &world{now: clock, prices: prices, licensing: newLicensing(clock, sizes)}
	var errs [2]error
	w.carriers, errs[0] = carriers.New(prices, clock, w.licensing.Renderer.Recognises)
	w.eia, errs[1] = eia.New(prices, clock)
	return w, errors.Join(errs[:]...)
}

// Surcharge is what a right reading of a carrier's site gives on the sandbox's day: every week that the site shows
// and that has begun, newest first.
func (s *Sandbox) Surcharge(c contracts.Carrier) []contracts.SurchargeWeek {
	return s.world.carriers.Surcharge(c, s.Today())
}

// Surcharge is what a right reading of a carrier's site gives on a day of the Eastern calendar: every week that the
// site shows and that has begun, newest first.
func Surcharge(c contracts.Carrier, today contracts.Date) ([]contracts.SurchargeWeek, error) {
	prices, err := diesel.Load()
	if err != nil {
		return nil, err
	}
	// Any hour will do: no site posts a rate later than the midnight on which it takes effect.
	noon := func() time.Time { return today.Time().Add(17 * time.Hour) }
	sites, err := carriers.New(prices, noon, nil)
	if err != nil {
		return nil, err
	}
	return sites.Surcharge(c, today), nil
}
