package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/daemon"
	"assay.dev/sandbox"
	"assay.dev/sandbox/renderer"
	"assay.dev/sandbox/solver"
)

// binaryFile is the real program. It is built once for all tests of the package.
func binaryFile(t *testing.T) string {
	t.Helper()
	file, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

var (
	// binaryDir is set by TestMain. Programs stay there: go build links one again only when it differs, which takes seconds each.
	binaryDir string
	built     = sync.OnceValues(func() (string, error) {
		file := filepath.Join(binaryDir, "assay")
		out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
		return file, err
	})
)

// runBinary runs the program with no other environment than e.
func runBinary(t *testing.T, file string, e daemon.Environ, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(t.Context(), file, args...)
	c.Dir, c.Env = t.TempDir(), []string{"HOME=" + t.TempDir()}
	for name, value := range e {
		c.Env = append(c.Env, name+"="+value)
	}
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &stdout, &stderr
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

func TestExitCodesOfTheProgram(t *testing.T) {
	t.Parallel()
	file := binaryFile(t)
	for name, c := range map[string]struct {
		args      []string
		code      int
		out, errs string
	}{
		"bare":              {nil, 2, "", "Usage: assay <command>"},
		"help":              {[]string{"help"}, 0, "Exit codes: 0", ""},
		"version":           {[]string{"-v"}, 0, "assay ", ""},
		"an unknown source": {[]string{"probe", "UPS"}, 2, "", "want one of"},
		"an unknown flag":   {[]string{"usage", "--yaml"}, 2, "", "`assay usage --help`"},
		"no deployment":     {[]string{"keys", "list"}, 1, "", "start one, or set ASSAY_NATS_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := runBinary(t, file, nil, "", c.args...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || (c.out == "") != (out == "") {
				t.Errorf("exit %d\nout: %s\nerrs: %s", code, out, errs)
			}
		})
	}
}

// TestScriptsReadTheProgram reads each JSON document into a form that refuses members it does not know.
func TestScriptsReadTheProgram(t *testing.T) {
	t.Parallel()
	file, e := binaryFile(t), deployment(t)
	ask := func(in string, into any, args ...string) string {
		t.Helper()
		code, out, errs := runBinary(t, file, e, in, args...)
		if code != 0 {
			t.Fatalf("%v: exit %d\n%s%s", args, code, out, errs)
		}
		if into != nil {
			d := json.NewDecoder(strings.NewReader(out))
			d.DisallowUnknownFields()
			if err := d.Decode(into); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
		return errs
	}
	ask("", nil, "provision", "--first")
	var made shownKey
	ask("", &made, "keys", "create", "--tenant", "acme", "--products", "abc", "--limit", "7", "--expires", "1d", "--json")
	if _, err := keys.Parse(made.Key); err != nil || made.Limit != 7 || made.State != "good" ||
		time.Until(made.ExpiresAt) > day || time.Until(made.ExpiresAt) < day-time.Minute {
		t.Errorf("%v: %+v", err, made)
	}
	code, out, errs := runBinary(t, file, e, "", "keys", "create", "--tenant", "acme")
	if _, err := keys.Parse(strings.TrimSuffix(out, "\n")); code != 0 || err != nil {
		t.Errorf("exit %d, %v: standard output is no key: %q", code, err, out)
	}
	for _, want := range []string{"id ", "environment  test", "products     ltl,abc", "60 requests in any minute", "expires      never"} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %q in\n%s", want, errs)
		}
	}
	secret := "a-marketplace-key-1"
	if said := ask(secret+"\n", nil, "keys", "import", "--tenant", "bazaar", "--product", "ltl"); strings.Contains(said, secret) {
		t.Errorf("the key is shown: %s", said)
	}
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	ask("", nil, "keys", "import", "--tenant", "bazaar", "--product", "abc", "--key-file", keyFile)
	var all []shownKey
	ask("", &all, "keys", "list", "--json")
	if len(all) != 3 || all[2].Tenant != "bazaar" || len(all[2].Products) != 2 || all[0].Key != "" {
		t.Errorf("%+v", all)
	}
	var accounts []account
	ask("", &accounts, "credits", "--json", "--environment", "test")
	if len(accounts) != 2 || accounts[0].Environment != contracts.Test || accounts[0].Budget != 20 || accounts[1].Left != 1000 {
		t.Errorf("%+v", accounts)
	}
	var seen overview
	ask("", &seen, "top", "--json")
	if seen.Workers == nil || seen.Sources == nil || len(seen.Queues) != 4 || len(seen.Credits) != 4 {
		t.Errorf("%+v", seen)
	}
}

// TestAProbePaysOnlyWhenAsked probes live, with the operator's own keys, through a proxy that is the sandbox.
func TestAProbePaysOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	box, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = box.Close() }()
	file := binaryFile(t)
	keyFile := filepath.Join(t.TempDir(), "render-key")
	if err := os.WriteFile(keyFile, []byte(renderer.Key), 0o600); err != nil {
		t.Fatal(err)
	}
	e := daemon.Environ{
		"HTTPS_PROXY": box.ProxyURL(), "HTTP_PROXY": box.ProxyURL(), "SSL_CERT_FILE": box.CAFile(), "ASSAY_HOST_RATE": "0",
		"ASSAY_RENDER_KEY_FILE": keyFile, "ASSAY_SOLVER_KEY": string(solver.Key), "ASSAY_SOLVER_POLL": "100ms",
		"ASSAY_CHROMIUM": "/nonexistent",
	}
	number := func(s contracts.State) string {
		l, _ := box.Licensing().Register.Case(s, "plain")
		return l.Number
	}
	for name, c := range map[string]struct {
		args           []string
		path           string
		credits, solve bool
	}{
		"Illinois": {[]string{"IL", "--number", number(contracts.IL)}, "render", true, false},
		"Texas":    {[]string{"TX", "--number", number(contracts.TX)}, "inquiry", false, true},
		"SAIA":     {[]string{"SAIA"}, "scraper", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			probe := func(more ...string) (path probedPath, result probeResult, errs string) {
				t.Helper()
				code, out, errs := runBinary(t, file, e, "", append(append([]string{"probe"}, c.args...), more...)...)
				if err := json.Unmarshal([]byte(out), &result); err != nil || code != 0 {
					t.Fatalf("exit %d, %v\n%s\n%s", code, err, out, errs)
				}
				for _, path = range result.Paths {
					if path.Name == c.path {
						return path, result, errs
					}
				}
				t.Fatalf("no path %s in %s", c.path, out)
				return
			}
			path, result, _ := probe("--json")
			if !strings.Contains(path.Error, "add --paid") || result.Spent.Renders+result.Spent.Solves != 0 {
				t.Errorf("not asked: %+v, spent %+v", path, result.Spent)
			}
			path, result, errs := probe("--json", "--paid")
			if path.Error != "" || path.Found == nil || path.ReadAt.IsZero() ||
				(result.Spent.RenderCredits > 0) != c.credits || (result.Spent.SolveUSD > 0) != c.solve {
				t.Errorf("asked: %+v, spent %+v", path, result.Spent)
			}
			if !strings.Contains(errs, "trying the path "+c.path) || strings.Contains(errs, renderer.Key) {
				t.Errorf("progress: %s", errs)
			}
		})
	}
}
