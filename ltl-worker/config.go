// Package ltlworker reads the LTL fuel surcharges of the carriers it serves, and answers for them on NATS.
//
// A carrier is read by its recipe (package carrier): path by path, each behind its own breaker, until one gives the
// weeks that package surcharge accepts. What was read is answered, cached until the carrier publishes again, and kept in
// the archive (package archive), which supplies the weeks that the carrier no longer shows.
package ltlworker

import (
	"fmt"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/browser"
)

// Names under which the settings of other packages are embedded.
type (
	ScrapeConfig  = scrape.Config
	BrowserConfig = browser.Config
	CarrierConfig = carrier.Config
)

// Config holds the settings of an ltl-worker.
type Config struct {
	daemon.Config
	ScrapeConfig
	BrowserConfig
	CarrierConfig

	Environment contracts.Environment `env:"ASSAY_ENVIRONMENT" envDefault:"live" help:"environment that is served: live or test"`
	Carriers    Carriers              `env:"ASSAY_CARRIERS" help:"carriers that are served, separated by commas; empty: all ten"`
	Reissued    Carriers              `env:"ASSAY_LTL_REISSUED" help:"carriers whose pages may contradict most of the weeks known of them: set it after a look with assay probe"`
	Capacity    int                   `env:"ASSAY_LTL_CAPACITY" envDefault:"256" help:"requests in work at the same time; further ones are refused as busy"`
	Refresh     bool                  `env:"ASSAY_REFRESH" envDefault:"true" help:"read each carrier by itself when it publishes"`
	Renderer    bool                  `env:"ASSAY_RENDER_ENABLED" envDefault:"false" help:"a captcha-worker takes render jobs: use them as the last path"`

	// Clock replaces time.Now where a date is decided: tests move through the weeks.
	Clock func() time.Time `env:"-"`
}

// Validate checks the settings that are this service's own.
func (c Config) Validate() error {
	if c.Capacity < 0 {
		return fmt.Errorf("ASSAY_LTL_CAPACITY=%d: want at least 1", c.Capacity)
	}
	return nil
}

// withDefaults fills what a literal Config leaves out.
func (c Config) withDefaults() Config {
	if len(c.Carriers) == 0 {
		c.Carriers = contracts.Carriers
	}
	if c.Capacity == 0 {
		c.Capacity = 256
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return c
}

// Carriers is a set of carriers in the contract's order.
type Carriers []contracts.Carrier

// UnmarshalText reads codes as [contracts.ParseCodes] does.
func (cs *Carriers) UnmarshalText(text []byte) (err error) {
	*cs, err = contracts.ParseCodes(string(text), contracts.Carriers)
	return err
}
