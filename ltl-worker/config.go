// Package ltlworker reads the LTL fuel surcharges of carriers, and answers requests for them on NATS.
//
// The root opens the rooms and serves their endpoints. A request for the weeks of ODFL goes through these:
//
//   - weeks answers. It reads ODFL when no answer is cached, and when ODFL publishes. What the site no longer shows comes
//     from archive.
//   - reader reads the site in the ways that the recipe in carrier names, each behind its own breaker.
//   - surcharge finds the weeks in what was read.
//   - trust judges whether they are believed, by the words that are known (wording) and by the figures; weeks has its verdict decide.
//
// Package tariffs answers beside it: carriers' bracket tables (read by bracket, kept by edition) and national prices of
// diesel (read and kept by diesel). The newest percent of a week is held against the carrier's bracket table.
package ltlworker

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/platform/scrape/browser"
	platform "assay.dev/platform/worker"
)

// The settings of other packages, under names that can be embedded together.
type (
	BrowserConfig = browser.Config
	CarrierConfig = carrier.Config
)

// Config holds the settings of an ltl-worker.
type Config struct {
	platform.Config
	BrowserConfig
	CarrierConfig

	Carriers Carriers `env:"ASSAY_CARRIERS" help:"carriers that are served, separated by commas; empty: all"`
	Capacity int      `env:"ASSAY_LTL_CAPACITY" envDefault:"256" help:"requests in work at the same time; further ones are refused as busy"`
	Refresh  bool     `env:"ASSAY_REFRESH" envDefault:"true" help:"read each carrier by itself when it publishes"`
	Renderer bool     `env:"ASSAY_RENDER_ENABLED" envDefault:"false" help:"a captcha-worker takes render jobs: use them as the last path"`

	// Clock replaces time.Now where dates are decided, so that tests can move through the weeks.
	Clock func() time.Time `env:"-"`
	// Render does the paid work of a probe, which has no captcha-worker; nil: the path "scraper" fails.
	Render reader.RenderFunc `env:"-"`
}

// Validate checks the settings of this service; those of other packages check themselves.
func (c Config) Validate() error { return platform.CheckCapacity("ASSAY_LTL_CAPACITY", c.Capacity) }

// withDefaults sets what a Config leaves open: no carriers means all, and no clock means the computer's.
func (c Config) withDefaults() Config {
	if len(c.Carriers) == 0 {
		c.Carriers = contracts.Carriers
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return c
}

// Carriers is a set of carriers in the order of [contracts.Carriers].
type Carriers []contracts.Carrier

// UnmarshalText reads codes, separated by commas, as [contracts.ParseCodes] does.
func (cs *Carriers) UnmarshalText(text []byte) (err error) {
	*cs, err = contracts.ParseCodes(string(text), contracts.Carriers)
	return err
}
