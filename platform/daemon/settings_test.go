package daemon

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type siteConfig struct {
	Config
	Listen string        `env:"ASSAY_LISTEN" envDefault:"127.0.0.1:8080" help:"address of the site"`
	Wait   time.Duration `env:"ASSAY_WAIT" envDefault:"2s" help:"how long to wait"`
	Token  Secret        `env:"ASSAY_TOKEN" help:"token of the site"`
	Proxy  string        `env:"HTTPS_PROXY" help:"proxy"`
}

func (c siteConfig) Validate() error {
	if c.Wait > time.Minute {
		return errors.New("ASSAY_WAIT: want at most 1m")
	}
	return nil
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		environ Environ
		wrong   string // text of the error
	}{
		"defaults":               {environ: Environ{}},
		"a secret from a file":   {environ: Environ{"ASSAY_TOKEN_FILE": file}},
		"a secret twice":         {environ: Environ{"ASSAY_TOKEN_FILE": file, "ASSAY_TOKEN": "x"}, wrong: "ASSAY_TOKEN and ASSAY_TOKEN_FILE are both set"},
		"a file that is missing": {environ: Environ{"ASSAY_TOKEN_FILE": file + "x"}, wrong: "ASSAY_TOKEN_FILE: open"},
		"not a duration":         {environ: Environ{"ASSAY_WAIT": "soon"}, wrong: "ASSAY_WAIT: "},
		"the service's own rule": {environ: Environ{"ASSAY_WAIT": "2m"}, wrong: "ASSAY_WAIT: want at most 1m"},
		"every service's rule":   {environ: Environ{"ASSAY_ADMIN_LISTEN": "nine"}, wrong: "ASSAY_ADMIN_LISTEN=nine: want host:port"},
		"a log level":            {environ: Environ{"ASSAY_LOG_LEVEL": "loud"}, wrong: "ASSAY_LOG_LEVEL: "},
		"a log format":           {environ: Environ{"ASSAY_LOG_FORMAT": "xml"}, wrong: "ASSAY_LOG_FORMAT: "},
		"a sampler":              {environ: Environ{"OTEL_TRACES_SAMPLER": "dice"}, wrong: "OTEL_TRACES_SAMPLER: "},
		"a share":                {environ: Environ{"OTEL_TRACES_SAMPLER_ARG": "7"}, wrong: "OTEL_TRACES_SAMPLER_ARG=7: want 0 to 1"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, err := Load[siteConfig](tt.environ)
			switch {
			case tt.wrong == "" && err != nil:
				t.Error(err)
			case tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)):
				t.Errorf("got %v, want %q", err, tt.wrong)
			case tt.wrong == "" && (cfg.Listen != "127.0.0.1:8080" || cfg.Wait != 2*time.Second || cfg.AdminListen != "127.0.0.1:9090"):
				t.Errorf("got %+v", cfg)
			case tt.environ["ASSAY_TOKEN_FILE"] != "" && err == nil && cfg.Token.Reveal() != "hunter2":
				t.Errorf("token %q", cfg.Token.Reveal())
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	got := Unknown(Environ{"ASSAY_LISTEN": "", "ASSAY_TOKEN_FILE": "", "ASSAY_LISTEN_FILE": "", "ASSAY_LSITEN": "", "HOME": ""}, Settings[siteConfig]())
	if strings.Join(got, " ") != "ASSAY_LISTEN_FILE ASSAY_LSITEN" {
		t.Errorf("got %v", got)
	}
}

func TestMainCommandLine(t *testing.T) {
	environ := Environ{"ASSAY_TOKEN": "hunter2", "HTTPS_PROXY": "http://u:hunter2@127.0.0.1:1", "ASSAY_OTHER": "1"}
	for name, tt := range map[string]struct {
		args    []string
		environ Environ
		code    int
		out     []string
		err     string
	}{
		"help": {args: []string{"--help"}, environ: environ, out: []string{
			"site: serves", "-check-config", "Settings of daemon", "ASSAY_LISTEN (default 127.0.0.1:8080)\n      address of the site",
			"ASSAY_ADMIN_LISTEN (default 127.0.0.1:9099)", "ASSAY_TOKEN_FILE, a file",
		}},
		"version":         {args: []string{"--version"}, environ: environ, out: []string{"site "}},
		"effective":       {args: []string{"--check-config"}, environ: environ, out: []string{"ASSAY_TOKEN=(redacted)\n", "HTTPS_PROXY=http://u:xxxxx@127.0.0.1:1\n", "ASSAY_ADMIN_LISTEN=127.0.0.1:9099\n"}, err: "warning: ASSAY_OTHER"},
		"wrong settings":  {args: []string{"--check-config"}, environ: Environ{"ASSAY_WAIT": "x"}, code: 1, err: "ASSAY_WAIT"},
		"a wrong flag":    {args: []string{"--frobnicate"}, environ: environ, code: 2, err: "frobnicate"},
		"a run":           {environ: environ},
		"a run that ends": {environ: Environ{"ASSAY_TOKEN": "fail"}, code: 1, err: "site: it broke"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			p := &program{name: "site", summary: "serves", args: tt.args, environ: tt.environ, stdout: &out, stderr: &errs}
			Default("ASSAY_ADMIN_LISTEN", "127.0.0.1:9099")(p)
			code := start(context.Background(), p, func(_ context.Context, c siteConfig) error {
				if c.Token == "fail" {
					return errors.New("it broke")
				}
				return nil
			})
			if code != tt.code || !strings.Contains(errs.String(), tt.err) || strings.Contains(out.String()+errs.String(), "hunter2") {
				t.Errorf("exit %d\n%s\n%s", code, out.String(), errs.String())
			}
			for _, want := range tt.out {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, out.String())
				}
			}
		})
	}
}
