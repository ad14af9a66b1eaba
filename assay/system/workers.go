package system

import (
	"context"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
)

// workers are those of all products, in the order of their start.
var workers = []worker{
	workerOf(contracts.LTL, ltlworker.Run, func(c *ltlworker.Config, p place) {
		c.Config, c.Environment, c.ScrapeConfig, c.Renderer = p.join(c.Config), p.environment, p.sandboxed(c.ScrapeConfig), p.hasRenderer
	}),
	workerOf(contracts.ABC, abcworker.Run, func(c *abcworker.Config, p place) {
		c.Config, c.Environment, c.ScrapeConfig, c.Jobs = p.join(c.Config), p.environment, p.sandboxed(c.ScrapeConfig), true
	}),
}

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
	join        func(daemon.Config) daemon.Config
	// sandboxed leads the worker to the sandbox, if the environment is test.
	sandboxed   func(scrape.Config) scrape.Config
	hasRenderer bool // a captcha-worker takes render jobs
}

// workerOf describes the worker of a product, which has settings of type C. fit changes them to those of a place.
func workerOf[C any](p contracts.Product, run func(context.Context, C) error, fit func(*C, place)) worker {
	return worker{daemon.Settings[C](), func(e daemon.Environ) (configured, error) {
		set, err := daemon.Load[C](e)
		return configured{daemon.Values(set), func(at place) *service {
			cfg := set
			fit(&cfg, at)
			return &service{name: p.Worker(), env: at.environment, run: func(ctx context.Context) error { return run(ctx, cfg) }}
		}}, err
	}}
}

// place is where the workers of an environment run.
func (s *system) place(env contracts.Environment, set settings) place {
	p := place{
		environment: env, join: s.join, hasRenderer: set.captcha.RendererConfig.Key != "",
		sandboxed: func(c scrape.Config) scrape.Config { return c },
	}
	if env == contracts.Test {
		p.hasRenderer = true
		p.sandboxed = func(c scrape.Config) scrape.Config { return Sandboxed(c, s.sandbox) }
	}
	return p
}
