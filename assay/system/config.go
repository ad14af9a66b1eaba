package system

import (
	"errors"
	"slices"

	abcworker "assay.dev/abc-worker"
	captchaworker "assay.dev/captcha-worker"
	"assay.dev/gateway"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
)

// Config holds the settings of the whole system: its own, and through Environ those of every service.
type Config struct {
	daemon.Config
	Data string `env:"ASSAY_DATA" envDefault:".assay" help:"directory of everything that is kept: streams, printed keys, the sandbox's authority"`

	// Environ is what the services read their settings from.
	Environ daemon.Environ `env:"-"`
}

// ready-made settings of a process for one person at a terminal; the environment overrides them.
var defaults = map[string]string{"ASSAY_LOG_LEVEL": "warn"}

// Load reads the settings.
func Load(e daemon.Environ) (Config, error) {
	for name, value := range defaults {
		e = e.WithDefault(name, value)
	}
	cfg, err := daemon.Load[Config](e)
	cfg.Environ = e
	if cfg.Data == "" {
		err = errors.Join(err, errors.New("ASSAY_DATA is empty: want a directory"))
	}
	return cfg, err
}

// notSettable are settings of services that have no meaning when all run in one process.
var notSettable = []string{"ASSAY_NATS_URL", "ASSAY_NATS_NKEY", "ASSAY_NATS_CA_FILE", "ASSAY_ENVIRONMENT", "ASSAY_RENDER_ENABLED",
	"ASSAY_JOBS_ENABLED",
}

// Ignored lists the variables of e that a service reads when it runs alone, and that mean nothing here.
func Ignored(e daemon.Environ) []string {
	return slices.DeleteFunc(slices.Clone(notSettable), func(name string) bool { return e[name] == "" })
}

// Settings lists what can be set, each setting once.
func Settings() []daemon.Setting {
	var listed []daemon.Setting
	for _, s := range slices.Concat(daemon.Settings[Config](), ServiceSettings()) {
		seen := slices.ContainsFunc(listed, func(l daemon.Setting) bool { return l.Variable == s.Variable })
		if seen || slices.Contains(notSettable, s.Variable) {
			continue
		}
		if value, ok := defaults[s.Variable]; ok {
			s.Default = value
		}
		listed = append(listed, s)
	}
	slices.SortStableFunc(listed, func(a, b daemon.Setting) int { return groupOrder(listed, a) - groupOrder(listed, b) })
	return listed
}

// ServiceSettings lists what the services read, also what several of them do.
func ServiceSettings() []daemon.Setting {
	return slices.Concat(daemon.Settings[gateway.Config](), daemon.Settings[ltlworker.Config](),
		daemon.Settings[abcworker.Config](), daemon.Settings[captchaworker.Config]())
}

// groupOrder keeps a group together at the place of its first setting.
func groupOrder(all []daemon.Setting, s daemon.Setting) int {
	return slices.IndexFunc(all, func(o daemon.Setting) bool { return o.Group == s.Group })
}
