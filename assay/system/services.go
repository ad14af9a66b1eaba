package system

import (
	"cmp"
	"context"
	"slices"
	"strings"

	captchaworker "assay.dev/captcha-worker"
	"assay.dev/contracts"
	"assay.dev/courier"
	"assay.dev/gateway"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
	"assay.dev/sandbox/renderer"
	"assay.dev/sandbox/solver"
)

// settings are the settings of every service. They are read and checked before anything starts.
type settings struct {
	gateway gateway.Config
	workers []configured
	captcha captchaworker.Config
	courier courier.Config
}

func loadSettings(e daemon.Environ) (settings, error) {
	front, frontErr := daemon.Load[gateway.Config](e)
	captcha, captchaErr := daemon.Load[captchaworker.Config](e)
	delivering, courierErr := daemon.Load[courier.Config](e)
	set, errs := settings{gateway: front, captcha: captcha, courier: delivering}, []error{frontErr, courierErr}
	for _, w := range workers {
		loaded, err := w.load(e)
		set.workers, errs = append(set.workers, loaded), append(errs, err)
	}
	return set, daemon.Once(append(errs, captchaErr)...)
}

// ServiceSettings lists the settings of each service. A setting that several services read is listed several times.
func ServiceSettings() []daemon.Setting {
	all := daemon.Settings[gateway.Config]()
	for _, w := range workers {
		all = append(all, w.settings...)
	}
	return slices.Concat(all, daemon.Settings[captchaworker.Config](), daemon.Settings[courier.Config]())
}

// Values lists each setting with its value, as VARIABLE=value. Secrets are redacted.
func Values(e daemon.Environ) ([]string, error) {
	cfg, err := Load(e)
	set, more := loadSettings(cfg.Environ)
	all := slices.Concat(daemon.Values(cfg), daemon.Values(set.gateway))
	for _, w := range set.workers {
		all = append(all, w.values...)
	}
	var lines []string
	for _, line := range slices.Concat(all, daemon.Values(set.captcha), daemon.Values(set.courier)) {
		variable, _, _ := strings.Cut(line, "=")
		if !slices.Contains(lines, line) && !slices.Contains(notSettable, variable) {
			lines = append(lines, line)
		}
	}
	return lines, daemon.Once(err, more)
}

// tiers lists the services in the order in which they start. A service that is asked starts before those that ask
// it: the gateway is last. The services of one tier stop at the same time.
func (s *system) tiers(set settings) [][]*service {
	front := set.gateway
	front.Config, front.Listener = s.join(front.Config), s.listener
	front.UsageAside = cmp.Or(front.UsageAside, s.data.path("usage-aside"))
	front.ChangesRead, front.Confirm = s.beginWatch, s.cfg.Confirm
	front.ConsoleSecret = cmp.Or(front.ConsoleSecret, s.consoleSecret)
	front.WebhookKey = cmp.Or(front.WebhookKey, s.webhookKey)
	test, live := s.place(contracts.Test, set), s.place(contracts.Live, set)
	var products []*service
	for _, w := range set.workers {
		products = append(products, w.service(test), w.service(live))
	}
	return [][]*service{
		{s.captchaWorker(contracts.Test, SandboxedPaid(set.captcha, s.sandbox)),
			s.captchaWorker(contracts.Live, set.captcha)},
		append(products, s.courier(set.courier, front.WebhookKey)),
		{{name: contracts.Gateway, run: func(ctx context.Context) error { return gateway.Run(ctx, front) }}},
	}
}

func (s *system) captchaWorker(env contracts.Environment, cfg captchaworker.Config) *service {
	cfg.Config, cfg.Environment = s.join(cfg.Config), env
	return &service{name: contracts.CaptchaWorker, env: env,
		run: func(ctx context.Context) error { return captchaworker.Run(ctx, cfg) }}
}

// courier delivers for both environments, also to this machine, but to no port of this process.
func (s *system) courier(cfg courier.Config, key daemon.Secret) *service {
	cfg.Config, cfg.WebhookKey, cfg.Schedule = s.join(cfg.Config), key, s.cfg.Schedule
	for _, address := range []string{s.listener.Addr().String(), s.host.AdminURL(), s.sandbox.ProxyURL()} {
		cfg.OwnPorts = append(cfg.OwnPorts, address[strings.LastIndexByte(address, ':')+1:])
	}
	return &service{name: contracts.Courier, run: func(ctx context.Context) error { return courier.Run(ctx, cfg) }}
}

// join makes a service use the NATS connection, the logs and the admin address of this process.
func (s *system) join(c daemon.Config) daemon.Config {
	c.Host, c.NATSURL = s.host, s.nats.url
	return c
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
