package system

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	abcworker "assay.dev/abc-worker"
	captchaworker "assay.dev/captcha-worker"
	"assay.dev/contracts"
	"assay.dev/gateway"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
	"assay.dev/sandbox/renderer"
	"assay.dev/sandbox/solver"
)

// settings are the settings of every service. They are read and checked before anything starts.
type settings struct {
	gateway gateway.Config
	ltl     ltlworker.Config
	abc     abcworker.Config
	captcha captchaworker.Config
}

func loadSettings(e daemon.Environ) (settings, error) {
	front, frontErr := daemon.Load[gateway.Config](e)
	ltl, ltlErr := daemon.Load[ltlworker.Config](e)
	abc, abcErr := daemon.Load[abcworker.Config](e)
	captcha, captchaErr := daemon.Load[captchaworker.Config](e)
	return settings{front, ltl, abc, captcha}, errors.Join(frontErr, ltlErr, abcErr, captchaErr)
}

// ServiceSettings lists the settings of each service. A setting that several services read is listed several times.
func ServiceSettings() []daemon.Setting {
	return slices.Concat(daemon.Settings[gateway.Config](), daemon.Settings[ltlworker.Config](),
		daemon.Settings[abcworker.Config](), daemon.Settings[captchaworker.Config]())
}

// Values lists each setting with its value, as VARIABLE=value. Secrets are redacted.
func Values(e daemon.Environ) ([]string, error) {
	cfg, err := Load(e)
	set, more := loadSettings(cfg.Environ)
	var lines []string
	all := slices.Concat(daemon.Values(cfg), daemon.Values(set.gateway), daemon.Values(set.ltl), daemon.Values(set.abc), daemon.Values(set.captcha))
	for _, line := range all {
		variable, _, _ := strings.Cut(line, "=")
		if !slices.Contains(lines, line) && !slices.Contains(notSettable, variable) {
			lines = append(lines, line)
		}
	}
	return lines, errors.Join(err, more)
}

// tiers lists the services in the order in which they start. A service that is asked starts before those that ask
// it: the gateway is last. The services of one tier stop at the same time.
func (s *system) tiers(set settings) [][]*service {
	test := s.sandboxed(set)
	front := set.gateway
	front.Config, front.Listener = s.join(front.Config), s.listener
	front.ConsoleSecret = cmp.Or(front.ConsoleSecret, s.consoleSecret)
	return [][]*service{
		{s.captchaWorker(contracts.Test, test), s.captchaWorker(contracts.Live, set)},
		{
			s.ltlWorker(contracts.Test, test), s.ltlWorker(contracts.Live, set),
			s.abcWorker(contracts.Test, test), s.abcWorker(contracts.Live, set),
		},
		{{name: contracts.Gateway, run: func(ctx context.Context) error { return gateway.Run(ctx, front) }}},
	}
}

func (s *system) captchaWorker(env contracts.Environment, set settings) *service {
	cfg := set.captcha
	cfg.Config, cfg.Environment = s.join(cfg.Config), env
	return &service{name: contracts.CaptchaWorker, env: env, run: func(ctx context.Context) error { return captchaworker.Run(ctx, cfg) }}
}

func (s *system) ltlWorker(env contracts.Environment, set settings) *service {
	cfg := set.ltl
	cfg.Config, cfg.Environment, cfg.Renderer = s.join(cfg.Config), env, set.captcha.RendererConfig.Key != ""
	return &service{name: contracts.LTLWorker, env: env, run: func(ctx context.Context) error { return ltlworker.Run(ctx, cfg) }}
}

func (s *system) abcWorker(env contracts.Environment, set settings) *service {
	cfg := set.abc
	cfg.Config, cfg.Environment, cfg.Jobs = s.join(cfg.Config), env, true
	return &service{name: contracts.ABCWorker, env: env, run: func(ctx context.Context) error { return abcworker.Run(ctx, cfg) }}
}

// join makes a service use the NATS connection, the logs and the admin address of this process.
func (s *system) join(c daemon.Config) daemon.Config {
	c.Host, c.NATSURL = s.host, s.nats.url
	return c
}

// sandboxed leads all workers to the sandbox.
func (s *system) sandboxed(set settings) settings {
	set.ltl.ScrapeConfig = Sandboxed(set.ltl.ScrapeConfig, s.sandbox)
	set.abc.ScrapeConfig = Sandboxed(set.abc.ScrapeConfig, s.sandbox)
	set.captcha = SandboxedPaid(set.captcha, s.sandbox)
	return set
}

// SandboxedPaid sends paid calls to the services that the sandbox plays, with the keys that those know.
func SandboxedPaid(c captchaworker.Config, s *sandbox.Sandbox) captchaworker.Config {
	c.Egress = scrape.Egress{HTTPProxy: s.ProxyURL(), HTTPSProxy: s.ProxyURL(), CAFile: s.CAFile()}
	c.SolverConfig.Key, c.SolverConfig.URL = solver.Key, ""
	c.RendererConfig.Key, c.RendererConfig.URL = renderer.Key, "https://"+renderer.Host
	return c
}

// Sandboxed makes a worker fetch from the sandbox, without pauses between its requests.
func Sandboxed(c scrape.Config, s *sandbox.Sandbox) scrape.Config {
	c.Egress = scrape.Egress{HTTPProxy: s.ProxyURL(), HTTPSProxy: s.ProxyURL(), CAFile: s.CAFile()}
	c.HostRate = 0
	return c
}
