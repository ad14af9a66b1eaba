package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"assay.dev/platform/daemon"
	"assay.dev/sandbox/license"
)

// Config are the settings of a sandbox in a process of its own. It is no service of the bus: it needs no NATS.
type Config struct {
	Listen      string     `env:"ASSAY_SANDBOX_LISTEN" envDefault:"127.0.0.1:8081" help:"address of the forward proxy; workers of the test environment name it in HTTPS_PROXY"`
	AdminListen string     `env:"ASSAY_ADMIN_LISTEN" envDefault:"127.0.0.1:9090" help:"address of /faults, /requests, /livez and /readyz; off for none. POST /faults {\"host\":\"www.saia.com\",\"path\":\"/tools\",\"fault\":\"slow\",\"seconds\":5} sets a fault, DELETE /faults ends all"`
	Dir         string     `env:"ASSAY_SANDBOX_DIR" envDefault:".assay/sandbox" help:"directory that keeps the certificate authority; workers name its sandbox-ca.pem in SSL_CERT_FILE"`
	Licenses    string     `env:"ASSAY_SANDBOX_LICENSES" envDefault:"small" help:"how many licenses each state has: small (2,500) or real (as many as the real registers)"`
	LogLevel    slog.Level `env:"ASSAY_LOG_LEVEL" envDefault:"info" help:"least level logged: debug (a line for each fault served), info, warn or error"`
}

// Validate checks what can be checked before anything listens.
func (c Config) Validate() error {
	err := daemon.CheckAddress("ASSAY_SANDBOX_LISTEN", c.Listen)
	if c.AdminListen != "" && c.AdminListen != "off" {
		err = errors.Join(err, daemon.CheckAddress("ASSAY_ADMIN_LISTEN", c.AdminListen))
	}
	if c.sizes() == nil {
		err = errors.Join(err, fmt.Errorf("ASSAY_SANDBOX_LICENSES=%q: want small or real", c.Licenses))
	}
	if c.Dir == "" {
		err = errors.Join(err, fmt.Errorf("ASSAY_SANDBOX_DIR is empty: want a directory"))
	}
	return err
}

func (c Config) sizes() license.Sizes {
	return map[string]license.Sizes{"small": license.Small(), "real": license.RealSize()}[c.Licenses]
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: cfg.LogLevel})).With("service",
		"sandbox")
	o := Options{Listen: cfg.Listen, Dir: cfg.Dir, Log: log, Licenses: cfg.sizes()}
	if cfg.AdminListen != "off" {
		o.AdminListen = cfg.AdminListen
	}
	s, err := Start(o)
	if err != nil {
		return err
	}
	log.Info("started", "proxy", s.ProxyURL(), "admin", s.AdminURL(), "ca_file", s.CAFile(), "version",
		daemon.Version())
	<-ctx.Done()
	return s.Close()
}
