package system

import (
	"context"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	platform "assay.dev/platform/worker"
)

// workers are those of all products, in the order of their start.
var workers = []worker{
	workerOf(contracts.LTL, ltlworker.Run, func(c *ltlworker.Config, p place) { c.Renderer = p.hasRenderer }),
	workerOf(contracts.ABC, abcworker.Run, func(c *abcworker.Config, p place) {
		c.Jobs = true
		if p.environment == contracts.Test { // the stand-in's registers change when somebody wants them to
			c.Watched, c.WatchEvery, c.Watching = contracts.States, sandboxWatchEvery, p.isWatching
		}
	}),
}

// sandboxWatchEvery is how often the stand-in's registers are asked for changes.
const sandboxWatchEvery = 5 * time.Second

// worker is a product's worker before its settings are read.
type worker struct {
	settings []daemon.Setting
	load     func(daemon.Environ) (configured, error)
}

// configured is a product's worker with its settings. It runs once an environment.
type configured struct {
	values  []string // as [Values] lists them
	service func(place) *service
}

// place is where a worker runs: the process, and one of its environments.
type place struct {
	environment contracts.Environment
	// settle makes what all workers have that of the place.
	settle      func(*platform.Config)
	hasRenderer bool // a captcha-worker takes render jobs
	isWatching  func() bool
}

// workerOf describes the worker of a product, which has settings of type C. fit changes those that only it has to what
// they are at a place; nil where there are none.
func workerOf[C any, P interface {
	*C
	Shared() *platform.Config
}](p contracts.Product, run func(context.Context, C) error, fit func(P, place)) worker {
	return worker{daemon.Settings[C](), func(e daemon.Environ) (configured, error) {
		set, err := daemon.Load[C](e)
		return configured{daemon.Values(set), func(at place) *service {
			cfg := set
			at.settle(P(&cfg).Shared())
			if fit != nil {
				fit(&cfg, at)
			}
			return &service{name: p.Worker(), env: at.environment, run: func(ctx context.Context) error { return run(ctx, cfg) }}
		}}, err
	}}
}

// place is where the workers of an environment run. Those of test are led to the sandbox.
func (s *system) place(env contracts.Environment, set settings) place {
	isTest := env == contracts.Test
	return place{
		environment: env, isWatching: s.watching.Load, hasRenderer: isTest || set.captcha.RendererConfig.Key != "",
		settle: func(c *platform.Config) {
			c.Config, c.Environment = s.join(c.Config), env
			if isTest {
				c.ScrapeConfig = Sandboxed(c.ScrapeConfig, s.sandbox)
			}
		},
	}
}
