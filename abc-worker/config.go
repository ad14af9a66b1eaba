// Package abcworker reads the liquor licenses of the states it serves, and answers for them on NATS.
//
// Each state is a package, such as california, that makes the state's recipe: the ways to read it, in order of
// preference. A read tries them one after the other, each behind its own breaker, until one gives the license or
// proves that there is none. The answer is cached for a day. Package mirror keeps the bulk files that some states
// publish, for all workers of a deployment. CAPTCHA solves and renders, which are slow and paid for, are jobs for
// captcha-worker.
package abcworker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/daemon"
	platform "assay.dev/platform/worker"
)

// Config holds the settings of an abc-worker.
type Config struct {
	platform.Config
	ListConfig

	States     States        `env:"ASSAY_STATES" help:"states that are served, separated by commas; empty: all five"`
	Resized    States        `env:"ASSAY_MIRROR_RESIZED" help:"states whose bulk file or data set may differ by more than a fifth (IL: lose more than 1 %) in its number of rows from the one before: set it after a look at what the publisher has, until the new one is read"`
	Capacity   int           `env:"ASSAY_ABC_CAPACITY" envDefault:"256" help:"requests in work at the same time; further ones are refused as busy"`
	Jobs       bool          `env:"ASSAY_JOBS_ENABLED" envDefault:"true" help:"a captcha-worker takes solve and render jobs: use the paths that need them"`
	Watched    States        `env:"ASSAY_WATCHED_STATES" help:"states whose copies are loaded and renewed without a question, and whose changes are published; empty: none. assay up watches all in the test environment, from when somebody reads changes or posts one"`
	WatchEvery time.Duration `env:"ASSAY_WATCH_EVERY" help:"how often the source of a watched copy is asked whether it changed, such as 5s in the test environment; 0: as often as any copy's"`
	SODAToken  daemon.Secret `env:"ASSAY_SODA_TOKEN" help:"application token for the open-data services of TX and NY; empty: none, which they allow"`

	// Watching says whether to watch Watched yet; nil means from the start.
	Watching func() bool `env:"-"`
	// Clock replaces time.Now where a date is decided, so that tests can move through the days.
	Clock func() time.Time `env:"-"`
	// MirrorMaxAge and MirrorRetry replace the times after which a bulk file is renewed, and a renewal tried again;
	// MirrorYoung is the age up to which a copy counts as a fresh reading. MirrorTakeOver is how long a comparison of
	// editions may stand still before another worker goes on with it.
	MirrorMaxAge, MirrorRetry, MirrorYoung, MirrorTakeOver time.Duration `env:"-"`
	// Solve and Render do the paid work of a probe, which has no captcha-worker, as in [register.Deps].
	Solve  func(context.Context, string, contracts.SolveJob) (contracts.SolveResult, error)   `env:"-"`
	Render func(context.Context, string, contracts.RenderJob) (contracts.RenderResult, error) `env:"-"`
}

// ListConfig are the settings of delinquent lists that states publish.
type ListConfig struct {
	HoldColumns register.HoldColumns `env:"ASSAY_TX_HOLDS_COLUMNS" envDefault:"license_number=license_id,since=effective_date" help:"columns of TX's Credit Law delinquent list (data set ix8u-msb9): license_number is required; since and exempt (bankruptcy) only where the list has them. A column that is not there fails the list, and no license of TX is DELIVER for wine and spirits"`
}

// Validate checks the settings that are this service's own.
func (c Config) Validate() error {
	var err error
	if c.WatchEvery < 0 || c.WatchEvery > 0 && c.WatchEvery < time.Second {
		err = fmt.Errorf("ASSAY_WATCH_EVERY=%s: want 0, or at least 1s", c.WatchEvery)
	}
	return errors.Join(err, platform.CheckCapacity("ASSAY_ABC_CAPACITY", c.Capacity))
}

// withDefaults sets what a Config leaves open: no states means all, and no clock means the computer's.
func (c Config) withDefaults() Config {
	if len(c.States) == 0 {
		c.States = contracts.States
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return c
}

// States is a set of states, in the order of [contracts.States].
type States []contracts.State

// UnmarshalText reads codes separated by commas, as [contracts.ParseCodes] does: "CA, tx".
func (ss *States) UnmarshalText(text []byte) (err error) {
	*ss, err = contracts.ParseCodes(string(text), contracts.States)
	return err
}

func (ss States) names() (names []string) {
	for _, s := range ss {
		names = append(names, string(s))
		if contracts.HasPublicList(s) {
			names = append(names, contracts.PublicListSource(s))
		}
	}
	return names
}
