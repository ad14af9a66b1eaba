package system

import (
	"context"
	"errors"
	"io"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
)

// settings are those of every service, read and checked before anything starts.
type settings struct {
	ltl ltlworker.Config
}

func loadSettings(e daemon.Environ) (set settings, err error) {
	var errs [1]error
	set.ltl, errs[0] = daemon.Load[ltlworker.Config](e)
	return set, errors.Join(errs[:]...)
}

// PrintValues writes what every service is set to.
func PrintValues(w io.Writer, e daemon.Environ) error {
	cfg, err := Load(e)
	set, more := loadSettings(cfg.Environ)
	daemon.PrintValues(w, cfg)
	daemon.PrintValues(w, set.ltl)
	return errors.Join(err, more)
}

// services lists the services in the order of their start: the gateway last, when there is somebody to answer it.
func (s *system) services(set settings) []*service {
	var all []*service
	for _, env := range []contracts.Environment{contracts.Test, contracts.Live} {
		ltl := set.ltl
		ltl.Config, ltl.ScrapeConfig, ltl.Environment = s.join(ltl.Config), s.outside(env, ltl.ScrapeConfig), env
		all = append(all, &service{name: contracts.LTLWorker, env: env, run: func(ctx context.Context) error { return ltlworker.Run(ctx, ltl) }})
	}
	return all
}

// join makes a service part of this process.
func (s *system) join(c daemon.Config) daemon.Config {
	c.Host, c.NATSURL = s.host, s.nats.url
	return c
}

// outside is how workers of env reach the world: those of test through the sandbox.
func (s *system) outside(env contracts.Environment, c scrape.Config) scrape.Config {
	if env == contracts.Test {
		return Sandboxed(c, s.sandbox)
	}
	return c
}

// Sandboxed sends what a worker fetches to the sandbox, which needs no politeness.
func Sandboxed(c scrape.Config, s *sandbox.Sandbox) scrape.Config {
	c.Egress = scrape.Egress{HTTPProxy: s.ProxyURL(), HTTPSProxy: s.ProxyURL(), CAFile: s.CAFile()}
	c.HostRate = 0
	return c
}
