package system

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay.dev/gateway/confirm"
	"assay.dev/platform/daemon"
	"assay.dev/platform/provision"
)

// Config holds the settings of assay up itself. The services read theirs from Environ.
type Config struct {
	daemon.Config
	provision.Retention
	Data string `env:"ASSAY_DATA" envDefault:".assay" help:"directory of everything that is kept: streams, printed keys, the sandbox's authority"`

	// ShowKeys prints the live key: a person reads what is written.
	ShowKeys bool `env:"-"`
	// Environ is the environment from which the services read their settings.
	Environ daemon.Environ `env:"-"`
	// Confirm replaces the usual pace at which licenses of portfolios are looked up.
	Confirm confirm.Pace `env:"-"`
	// AcceptLoss names streams that begin empty, though an earlier run made them and they are gone.
	AcceptLoss []string `env:"-"`
	// Schedule is how long after each failed attempt a webhook is tried again; nil is what is promised.
	Schedule []time.Duration `env:"-"`
}

// defaults are the defaults that differ from those of a service that runs alone. Assay up writes fewer log lines,
// because a person reads them at a terminal, sends webhooks to this machine too where it serves nobody else, and does
// not keep that person waiting after Ctrl-C: three tiers stop one after the other. NATS is in the same process: the
// gateway keeps fewer copies of answers, and a document that takes long to be kept waits for the processors, which the
// first readings and Chromium share with it. The environment overrides them.
var defaults = map[string]string{
	"ASSAY_LOG_LEVEL": "warn", "ASSAY_STOP_TIMEOUT": "1500ms", "ASSAY_WEBHOOK_LOOPBACK": "true",
	"ASSAY_CACHE_BYTES": "16777216", "ASSAY_EVIDENCE_WAIT": "2s",
}

// Load reads the settings of assay up. The error names each variable that is wrong.
func Load(e daemon.Environ) (Config, error) {
	if !isLoopback(e["ASSAY_LISTEN"]) || e["ASSAY_PUBLIC_URL"] != "" || e["ASSAY_TRUSTED_PROXIES"] != "" {
		e = e.WithDefault("ASSAY_WEBHOOK_LOOPBACK", "false")
	}
	for name, value := range defaults {
		e = e.WithDefault(name, value)
	}
	cfg, err := daemon.Load[Config](e)
	cfg.Environ = e
	return cfg, errors.Join(err, checkData(cfg.Data))
}

// isLoopback tells whether an address is of this machine alone, as the one is that an empty setting stands for.
func isLoopback(address string) bool {
	if address == "" {
		return true
	}
	a, err := net.ResolveTCPAddr("tcp", address)
	return err == nil && a.IP.IsLoopback()
}

// checkData fails unless the directory is there or can be made.
func checkData(dir string) error {
	if dir == "" {
		return errors.New("ASSAY_DATA is empty: want a directory")
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		switch info, err := os.Stat(at); {
		case err == nil && info.IsDir():
			return nil
		case err == nil:
			return fmt.Errorf("ASSAY_DATA=%s: %s is no directory", dir, at)
		case !errors.Is(err, os.ErrNotExist) || at == filepath.Dir(at):
			return fmt.Errorf("ASSAY_DATA=%s: %w", dir, err)
		}
	}
}

// notSettable are settings of the services that have no meaning when all of them run in one process.
var notSettable = []string{"ASSAY_NATS_URL", "ASSAY_NATS_NKEY", "ASSAY_NATS_CA_FILE", "ASSAY_ENVIRONMENT",
	"ASSAY_RENDER_ENABLED",
	"ASSAY_JOBS_ENABLED",
}

// Ignored lists the variables that are set in e and that assay up ignores. A service that runs alone reads them.
func Ignored(e daemon.Environ) []string {
	return slices.DeleteFunc(slices.Clone(notSettable), func(name string) bool { return e[name] == "" })
}

// Settings lists the settings of assay up and of its services. A setting that several services read is listed once.
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
	slices.SortStableFunc(listed, func(a, b daemon.Setting) int {
		return groupOrder(listed, a) - groupOrder(listed, b)
	})
	return listed
}

// groupOrder is the position of the first setting that has the same group as s. Sorting by it keeps each group
// together.
func groupOrder(all []daemon.Setting, s daemon.Setting) int {
	return slices.IndexFunc(all, func(o daemon.Setting) bool { return o.Group == s.Group })
}
