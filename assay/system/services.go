package system

import (
	"context"
	"errors"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
)

// settings are those of every service, read and checked before anything starts.
type settings struct {
	gateway gateway.Config
	ltl     ltlworker.Config
}

func loadSettings(e daemon.Environ) (settings, error) {
	front, frontErr := daemon.Load[gateway.Config](e)
	ltl, ltlErr := daemon.Load[ltlworker.Config](e)
	return settings{front, ltl}, errors.Join(frontErr, ltlErr)
}

// Values lists what everything is set to, each setting once.
func Values(e daemon.Environ) ([]string, error) {
	cfg, err := Load(e)
	set, more := loadSettings(cfg.Environ)
	var lines []string
	for _, line := range slices.Concat(daemon.Values(cfg), daemon.Values(set.gateway), daemon.Values(set.ltl)) {
		variable, _, _ := strings.Cut(line, "=")
		if !slices.Contains(lines, line) && !slices.Contains(notSettable, variable) {
			lines = append(lines, line)
		}
	}
	return lines, errors.Join(err, more)
}

// services lists the services in the order of their start: the gateway last, when there is somebody to answer it.
func (s *system) services(set settings) []*service {
	var all []*service
	for _, env := range []contracts.Environment{contracts.Test, contracts.Live} {
		ltl := set.ltl
		ltl.Config, ltl.ScrapeConfig, ltl.Environment = s.join(ltl.Config), s.outside(env, ltl.ScrapeConfig), env
		all = append(all, &service{name: contracts.LTLWorker, env: env, run: func(ctx context.Context) error { return ltlworker.Run(ctx, ltl) }})
	}
	front := set.gateway
	front.Config, front.Listener = s.join(front.Config), s.listener
	return append(all, &service{name: contracts.Gateway, run: func(ctx context.Context) error { return gateway.Run(ctx, front) }})
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
