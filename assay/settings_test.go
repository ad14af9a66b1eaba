package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/access"
	"assay.dev/platform/daemon"
)

const settingsTable = "../docs/settings.md"

func readFile(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheTableOfSettingsIsCurrent(t *testing.T) {
	table := must(t, daemon.Environ{}, "settings")
	if !strings.Contains(readFile(t, settingsTable), "<!-- settings -->\n"+table+"\n<!-- end of settings -->") {
		t.Errorf("the table in %s is old: run `make settings`", settingsTable)
	}
	for _, b := range binaries() {
		for _, variable := range daemon.Variables(b.settings) {
			if !strings.Contains(table, "`"+variable+"`") {
				t.Errorf("the table lacks %s of %s", variable, b.name)
			}
		}
	}
}

func TestEveryBinaryStartsWithItsDefaults(t *testing.T) {
	for _, b := range binaries() {
		if err := b.check(daemon.Environ{}); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
	}
}

// TestEverySettingStandsInHelp asks the real programs, whose main functions change defaults.
func TestEverySettingStandsInHelp(t *testing.T) {
	t.Parallel()
	dir := buildServices(t)
	for _, b := range binaries() {
		t.Run(b.name, func(t *testing.T) {
			var help string
			if b.name == "assay" {
				for _, command := range []string{"up", "provision", "probe", "keys", "mcp", "monitor"} {
					help += must(t, daemon.Environ{}, command, "--help")
				}
			} else {
				out, err := exec.Command(filepath.Join(dir, b.name), "--help").Output()
				if err != nil {
					t.Fatal(err)
				}
				help = string(out)
			}
			for _, s := range b.settings {
				want := "  " + s.Variable + "\n"
				if s.Default != "" {
					want = "  " + s.Variable + " (default " + s.Default + ")\n"
				}
				// What a command of assay reads beside assay up stands in the text of its help.
				if !strings.Contains(help, want) && (b.name != "assay" || !strings.Contains(help, s.Variable)) {
					t.Errorf("no %q", want)
				}
			}
		})
	}
}

// A setting that several services read is refused once, with what it may be.
func TestWrongValuesAreRefusedOnce(t *testing.T) {
	for variable, tt := range map[string]struct{ value, want string }{
		"ASSAY_LOG_LEVEL":        {"verbose", "least level logged: debug, info, warn or error"},
		"ASSAY_STOP_TIMEOUT":     {"5", "want a time such as 30s"},
		"ASSAY_HOST_RATE":        {"-1", "want 0 for no limit, or more"},
		"ASSAY_HOST_CONCURRENCY": {"0", "want at least 1"},
		"ASSAY_FETCH_TIMEOUT":    {"0s", "want more than 0"},
		"ASSAY_STALL_TIMEOUT":    {"-1s", "want more than 0"},
		"ASSAY_MAX_BODY":         {"0", "want at least 1"},
	} {
		code, _, errs := run(t, daemon.Environ{variable: tt.value}, "up", "--check-config")
		if code != 1 || strings.Count(errs, variable) != 1 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s=%s: exit %d, %s", variable, tt.value, code, errs)
		}
	}
}

func TestUnknownVariablesEndAssay(t *testing.T) {
	for name, tt := range map[string]struct {
		variable string
		args     []string
		code     int
		errs     string
	}{
		"a misspelt setting":       {"ASSAY_SLOVER_KEY", []string{"up", "--check-config"}, 1, "ASSAY_SLOVER_KEY is not a setting of assay, the nearest is ASSAY_SOLVER_KEY\n"},
		"at another command":       {"ASSAY_LISTENS", []string{"provision"}, 1, "the nearest is ASSAY_LISTEN\n"},
		"the sandbox's own":        {"ASSAY_SANDBOX_LISTEN", []string{"version"}, 1, "ASSAY_SANDBOX_LISTEN is not a setting of assay"},
		"another command's":        {"ASSAY_API_KEY", []string{"version"}, 0, ""},
		"another command's secret": {"ASSAY_NATS_NKEY_FILE", []string{"version"}, 0, ""},
		"of a service by itself":   {"ASSAY_ENVIRONMENT", []string{"version"}, 0, ""},
		"help comes first":         {"ASSAY_SLOVER_KEY", []string{"up", "--help"}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, errs := run(t, daemon.Environ{tt.variable: "x"}, tt.args...)
			if code != tt.code || !strings.Contains(errs, tt.errs) {
				t.Errorf("exit %d, %s", code, errs)
			}
		})
	}
}

func TestUpTellsWhatItIgnores(t *testing.T) {
	out := must(t, daemon.Environ{"ASSAY_ENVIRONMENT": "live"}, "up", "--check-config")
	if !strings.Contains(out, "warning: ASSAY_ENVIRONMENT means nothing to assay up") {
		t.Errorf("no warning in\n%s", out)
	}
}

var variables = regexp.MustCompile(`\b(ASSAY|OTEL)_[A-Z0-9_]*[A-Z0-9]\b`)

// TestEveryVariableThatIsNamedIsASetting walks all texts. In the code of a service only what it reads may be named;
// elsewhere what any program reads. What the manifests give to which container is
// TestEveryVariableOfTheOverlaysIsRead.
func TestEveryVariableThatIsNamedIsASetting(t *testing.T) {
	t.Parallel()
	files, found := 0, 0
	for _, root := range []string{"../README.md", "../docs", "../deploy", "../Makefile", "../Dockerfile", "../tools", "../contracts",
		"../platform", "../gateway", "../ltl-worker", "../abc-worker", "../captcha-worker", "../courier", "../sandbox", "../assay", "../bench"} {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && slices.Contains([]string{"node_modules", "generated", "testdata"}, entry.Name()):
				return fs.SkipDir
			case entry.IsDir() || madeUp(file):
				return nil
			}
			files++
			for _, name := range variables.FindAllString(readFile(t, file), -1) {
				if found++; !slices.Contains(variablesOf(file), name) && !otherName(name) {
					t.Errorf("%s names %s, which is no setting", strings.TrimPrefix(file, "../"), name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d names in %d files", found, files)
	if found < 200 {
		t.Errorf("only %d names were found", found)
	}
}

// madeUp tells the tests of settings themselves, which name what does not exist.
func madeUp(file string) bool {
	return strings.HasPrefix(file, "../platform/daemon/") && strings.HasSuffix(file, "_test.go") ||
		slices.Contains([]string{"../assay/settings_test.go", "../assay/overlays_test.go", "../platform/daemon/unknown.go"}, file)
}

// variablesOf lists what may be named in a file: in the code of one service only its own variables.
func variablesOf(file string) []string {
	var all []string
	for _, b := range binaries() {
		own := daemon.Variables(b.settings)
		if strings.HasPrefix(file, "../"+b.name+"/") && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && b.name != "assay" {
			return own
		}
		all = append(all, own...)
	}
	return all
}

// otherName tells names that look like variables of a program: streams, buckets and the NATS servers' own variables.
func otherName(name string) bool {
	return slices.ContainsFunc(contracts.Streams, func(s contracts.Stream) bool { return s.Name == name }) ||
		slices.ContainsFunc(contracts.Buckets, func(b contracts.Bucket) bool { return b.Name == name }) ||
		name == access.Variable(access.SystemUser) ||
		slices.ContainsFunc(access.Users(), func(u access.User) bool { return access.Variable(u.Name) == name })
}
