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

	"pgregory.net/rapid"
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
		"defaults":             {environ: Environ{}},
		"a secret from a file": {environ: Environ{"ASSAY_TOKEN_FILE": file}},
		"a secret twice": {environ: Environ{"ASSAY_TOKEN_FILE": file, "ASSAY_TOKEN": "x"},
			wrong: "ASSAY_TOKEN and ASSAY_TOKEN_FILE are both set"},
		"a file that is missing": {environ: Environ{"ASSAY_TOKEN_FILE": file + "x"}, wrong: "ASSAY_TOKEN_FILE: open"},
		"not a duration":         {environ: Environ{"ASSAY_WAIT": "soon"}, wrong: "ASSAY_WAIT: "},
		"the service's own rule": {environ: Environ{"ASSAY_WAIT": "2m"}, wrong: "ASSAY_WAIT: want at most 1m"},
		"every service's rule": {environ: Environ{"ASSAY_ADMIN_LISTEN": "nine"},
			wrong: "ASSAY_ADMIN_LISTEN=nine: want host:port"},
		"a log level":  {environ: Environ{"ASSAY_LOG_LEVEL": "loud"}, wrong: "ASSAY_LOG_LEVEL: "},
		"a log format": {environ: Environ{"ASSAY_LOG_FORMAT": "xml"}, wrong: "ASSAY_LOG_FORMAT: "},
		"a sampler":    {environ: Environ{"OTEL_TRACES_SAMPLER": "dice"}, wrong: "OTEL_TRACES_SAMPLER: "},
		"a share": {environ: Environ{"OTEL_TRACES_SAMPLER_ARG": "7"},
			wrong: "OTEL_TRACES_SAMPLER_ARG=7: want 0 to 1"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, err := Load[siteConfig](tt.environ)
			switch {
			case tt.wrong == "" && err != nil:
				t.Error(err)
			case tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)):
				t.Errorf("got %v, want %q", err, tt.wrong)
			case tt.wrong == "" && (cfg.Listen != "127.0.0.1:8080" || cfg.Wait != 2*time.Second ||
				cfg.AdminListen != "127.0.0.1:9090"):
				t.Errorf("got %+v", cfg)
			case tt.environ["ASSAY_TOKEN_FILE"] != "" && err == nil && cfg.Token.Reveal() != "hunter2":
				t.Errorf("token %q", cfg.Token.Reveal())
			}
		})
	}
}

func TestUnknownVariables(t *testing.T) {
	for name, tt := range map[string]struct {
		variable string
		nearest  string // "" for a variable that is known
	}{
		"a setting":                     {variable: "ASSAY_LISTEN"},
		"the file of a secret":          {variable: "ASSAY_TOKEN_FILE"},
		"the system's":                  {variable: "HOME"},
		"no prefix of ours":             {variable: "ASSAYER"},
		"two letters swapped":           {variable: "ASSAY_LSITEN", nearest: "ASSAY_LISTEN"},
		"a letter too many":             {variable: "ASSAY_WAITS", nearest: "ASSAY_WAIT"},
		"a misspelt file":               {variable: "ASSAY_TOKENS_FILE", nearest: "ASSAY_TOKEN_FILE"},
		"a file of what is no secret":   {variable: "ASSAY_LISTEN_FILE", nearest: "ASSAY_TOKEN_FILE"},
		"another service's":             {variable: "ASSAY_SANDBOX_LISTEN", nearest: "ASSAY_ADMIN_LISTEN"},
		"the prefix and nothing behind": {variable: "ASSAY_", nearest: "ASSAY_WAIT"},
	} {
		t.Run(name, func(t *testing.T) {
			err := CheckUnknown("site", Environ{tt.variable: ""}, Settings[siteConfig]())
			want := tt.variable + " is not a setting of site, the nearest is " + tt.nearest
			if (err == nil) != (tt.nearest == "") || err != nil && err.Error() != want {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

func TestEditDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[AB_]{0,8}`)
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		longest := max(len(a), len(b))
		d := editDistance(a, b)
		if d != editDistance(b, a) || (d == 0) != (a == b) || d > longest || d < longest-min(len(a), len(b)) {
			t.Fatalf("distance %d of %q and %q", d, a, b)
		}
		if got := editDistance(a+c, b+c); got > d {
			t.Fatalf("a common end makes %q and %q differ more: %d, %d", a, b, d, got)
		}
	})
}

// Solver and Renderer name their fields alike, so that neither is promoted to a struct that embeds both.
type Solver struct {
	Key  Secret        `env:"ASSAY_SOLVER_KEY" help:"key of the solver"`
	Poll time.Duration `env:"ASSAY_SOLVER_POLL" envDefault:"5s" help:"pause between questions"`
}

type Renderer struct {
	Key  Secret        `env:"ASSAY_RENDER_KEY" help:"key of the renderer"`
	Poll time.Duration `env:"ASSAY_RENDER_POLL" envDefault:"6s" help:"pause between questions"`
}

type paidConfig struct {
	Solver
	Paid struct{ Renderer }
}

func TestSettingsOfFieldsThatAreNamedAlike(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := Environ{"ASSAY_SOLVER_KEY_FILE": file, "ASSAY_RENDER_KEY": "hunter3", "ASSAY_RENDER_POLL": "1s"}
	cfg, err := Load[paidConfig](e)
	if err != nil || cfg.Key != "hunter2" || cfg.Paid.Key != "hunter3" || cfg.Poll != 5*time.Second ||
		cfg.Paid.Poll != time.Second {
		t.Errorf("loaded %#v, %v", cfg, err)
	}
	want := "ASSAY_SOLVER_KEY=(redacted) ASSAY_SOLVER_POLL=5s ASSAY_RENDER_KEY=(redacted) ASSAY_RENDER_POLL=1s"
	if got := strings.Join(Values(cfg), " "); got != want {
		t.Errorf("the values are %s", got)
	}
	if err := CheckUnknown("paid", e, Settings[paidConfig]()); err != nil {
		t.Error(err)
	}
	_, err = Load[paidConfig](e.With("ASSAY_RENDER_POLL", "soon"))
	if err == nil || !strings.HasPrefix(err.Error(), "ASSAY_RENDER_POLL: ") ||
		strings.Contains(err.Error(), "ASSAY_SOLVER_POLL") {
		t.Errorf("a wrong value of the second: %v", err)
	}
}

type (
	hidden struct{ Renderer }
	twice  struct {
		Solver
		Again Solver
	}
	twoStructs struct {
		Solver
		Key Secret `env:"ASSAY_SOLVER_KEY" help:"key of the solver"`
	}
	inUnexported  struct{ hidden }
	behindPointer struct{ *Renderer }
	cyclic        struct {
		Next *cyclic
		Name string `env:"ASSAY_NAME" help:"name"`
	}
	unexported struct {
		wait time.Duration `env:"ASSAY_WAIT" help:"how long to wait"` //nolint:unused // what the test is about
	}
	untold struct {
		Wait time.Duration `env:"ASSAY_WAIT"`
	}
)

func TestAConfigThatCannotBeSetStartsNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		load func() error
		want string // "" for one that can
	}{
		"a struct that holds itself": {loads[cyclic], ""},
		"one struct in two fields": {loads[twice],
			"ASSAY_SOLVER_KEY is read by two fields, twice.Solver.Key and twice.Again.Key"},
		"one variable in two structs": {loads[twoStructs],
			"ASSAY_SOLVER_KEY is read by two fields, twoStructs.Key and twoStructs.Solver.Key"},
		"an unexported struct": {loads[inUnexported],
			"ASSAY_RENDER_KEY cannot be set: inUnexported.hidden.Renderer.Key"},
		"a struct behind a pointer": {loads[behindPointer],
			"ASSAY_RENDER_POLL cannot be set: behindPointer.Renderer.Poll"},
		"an unexported field":          {loads[unexported], "ASSAY_WAIT cannot be set: unexported.wait"},
		"a setting that says not what": {loads[untold], "ASSAY_WAIT has no help: untold.Wait"},
	} {
		t.Run(name, func(t *testing.T) {
			err := tt.load()
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	t.Run("its start", func(t *testing.T) {
		var out, errs bytes.Buffer
		p := &program{name: "site", environ: Environ{}, args: []string{"--check-config"}, stdout: &out, stderr: &errs}
		code := start(t.Context(), p, func(context.Context, inUnexported) error { return nil })
		if code != 1 || !strings.Contains(errs.String(), "ASSAY_RENDER_KEY cannot be set") {
			t.Errorf("exit %d: %s", code, errs.String())
		}
	})
}

func loads[C any]() error {
	_, err := Load[C](Environ{})
	return err
}

func TestMainCommandLine(t *testing.T) {
	environ := Environ{"ASSAY_TOKEN": "hunter2", "HTTPS_PROXY": "http://u:hunter2@127.0.0.1:1"}
	for name, tt := range map[string]struct {
		args    []string
		environ Environ
		code    int
		out     []string
		err     string
	}{
		"help": {args: []string{"--help"}, environ: environ, out: []string{
			"site: serves", "-check-config", "Settings of daemon",
			"ASSAY_LISTEN (default 127.0.0.1:8080)\n      address of the site",
			"ASSAY_ADMIN_LISTEN (default 127.0.0.1:9099)", "ASSAY_TOKEN_FILE, a file",
		}},
		"version": {args: []string{"--version"}, environ: environ, out: []string{"site "}},
		"effective": {args: []string{"--check-config"}, environ: environ,
			out: []string{"ASSAY_TOKEN=(redacted)\n", "HTTPS_PROXY=http://u:xxxxx@127.0.0.1:1\n",
				"ASSAY_ADMIN_LISTEN=127.0.0.1:9099\n"}},
		"misspelt": {args: []string{"--check-config"}, environ: environ.With("ASSAY_WIAT", "1s"), code: 1,
			out: []string{"ASSAY_WAIT=2s\n"}, err: "site: ASSAY_WIAT is not a setting of site, the nearest is ASSAY_WAIT\n"},
		"a misspelt run": {environ: Environ{"ASSAY_TOKEM": "fail"}, code: 1, err: "the nearest is ASSAY_TOKEN"},
		"wrong settings": {args: []string{"--check-config"}, environ: Environ{"ASSAY_WAIT": "x"}, code: 1,
			err: "ASSAY_WAIT"},
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
			if code != tt.code || !strings.Contains(errs.String(), tt.err) ||
				strings.Contains(out.String()+errs.String(), "hunter2") {
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

// What is wrong with a value is said in words for people.
func TestWrongValuesAreToldInPlainWords(t *testing.T) {
	type config struct {
		Count int           `env:"ASSAY_COUNT" help:"a count"`
		Share float64       `env:"ASSAY_SHARE" help:"a share"`
		On    bool          `env:"ASSAY_ON" help:"a switch"`
		Wait  time.Duration `env:"ASSAY_WAIT" help:"a wait"`
	}
	for variable, want := range map[string]string{
		"ASSAY_COUNT": "want a whole number", "ASSAY_SHARE": "want a number", "ASSAY_ON": "want true or false", "ASSAY_WAIT": "want a time such as",
	} {
		_, err := Load[config](Environ{variable: "x\x1b"})
		if err == nil || !strings.HasPrefix(err.Error(), variable+": want ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "pars") {
			t.Errorf("%s: %v", variable, err)
		}
	}
	if _, err := Load[config](Environ{"ASSAY_WAIT": "5"}); err == nil || !strings.Contains(err.Error(), "want a time such as") {
		t.Errorf("a number without a unit: %v", err)
	}
	if _, err := Load[config](Environ{"ASSAY_COUNT": "99999999999999999999"}); err == nil || !strings.Contains(err.Error(), "a smaller number") {
		t.Errorf("%v", err)
	}
}

// What can be told of a path or a URL before it is used is told by the check of the settings.
func TestPathsAndURLsAreChecked(t *testing.T) {
	for text, good := range map[string]bool{"": true, "https://x.example": true, "http://127.0.0.1:4318/v1": true, "foo": false, "ftp://x": false, "http://": false, "://": false} {
		if err := CheckURL("ASSAY_X", text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
	dir := t.TempDir()
	for path, good := range map[string]bool{"": true, dir + "/new": true, dir: false, dir + "/none/new": false} {
		if err := CheckFile("ASSAY_X", path); (err == nil) != good {
			t.Errorf("%q: %v", path, err)
		}
	}
}
