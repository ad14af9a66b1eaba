package system_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
)

const (
	rulesFile  = "../../deploy/k8s/components/prometheus-operator/rules.yaml"
	dashboards = "../../deploy/k8s/components/grafana/*.json"
	runbook    = "../../docs/runbook.md"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	quoted    = regexp.MustCompile(`"[^"]*"`)
	selectors = regexp.MustCompile(`\{[^}]*\}|\[[^\]]*\]|\b(by|without|on|ignoring|group_left|group_right) *\([^)]*\)`)
	names     = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*`)
	counters  = regexp.MustCompile(`(\w+_total|increase\(\w+)\{([^}]*)\}`)
	wants     = regexp.MustCompile(`(\w+)=~?"([^"]*)"`)
	functions = []string{
		"sum", "avg", "min", "max", "rate", "increase", "absent", "clamp_min", "histogram_quantile", "changes", "time", "and", "or", "unless", "max_over_time",
		"label_replace",
	}
)

// metricsOf lists what a PromQL expression reads.
func metricsOf(expr string) []string {
	var metrics []string
	for _, name := range names.FindAllString(selectors.ReplaceAllString(quoted.ReplaceAllString(expr, ""), " "), -1) {
		if !slices.Contains(functions, name) {
			metrics = append(metrics, name)
		}
	}
	return metrics
}

// expressions are those of the rules file, whose blocks are indented deeper than their keys.
func expressions(rules string) []string {
	var exprs []string
	lines := strings.Split(rules, "\n")
	for i := 0; i < len(lines); i++ {
		_, expr, ok := strings.Cut(lines[i], "expr: ")
		if !ok {
			continue
		}
		if expr == "|" {
			expr = ""
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], strings.Repeat(" ", 12)) {
				i++
				expr += lines[i] + "\n"
			}
		}
		exprs = append(exprs, expr)
	}
	return exprs
}

func dashboardExpressions(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(dashboards)
	if err != nil || len(files) == 0 {
		t.Fatalf("no dashboards: %v", err)
	}
	var exprs []string
	for _, file := range files {
		var d struct {
			Panels []struct{ Targets []struct{ Expr string } }
		}
		if err := json.Unmarshal([]byte(read(t, file)), &d); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, p := range d.Panels {
			for _, target := range p.Targets {
				exprs = append(exprs, target.Expr)
			}
		}
	}
	return exprs
}

// TestEveryMetricThatIsNamedExists asks a running system for an answer of each kind, and then for its metrics.
func everyMetricThatIsNamedExists(t *testing.T, r *running) {
	t.Helper()
	for _, path := range onePerSource(t, r) {
		if status, _, body := r.get(t, r.base+path, r.keys["test"]); status != http.StatusOK {
			t.Logf("%s: %d %.200s", path, status, body)
		}
	}
	rules := read(t, rulesFile)
	exprs := append(expressions(rules), dashboardExpressions(t)...)
	for _, expr := range exprs {
		if len(metricsOf(expr)) == 0 {
			t.Errorf("%s reads no metric", expr)
		}
	}
	var missing []string
	if !clocktest.Holds(func() bool { // copies are read while the system is used already
		missing = r.missing(t, rules, exprs)
		return len(missing) == 0
	}) {
		t.Errorf("these do not exist:\n%s", strings.Join(missing, "\n"))
	}
}

// missing are the metrics that expressions read, and that neither the system has nor the rules make.
func (r *running) missing(t *testing.T, rules string, exprs []string) (all []string) {
	t.Helper()
	exist := map[string]bool{}
	text := r.metrics(t)
	for _, line := range strings.Split(text, "\n") {
		exist[names.FindString(line)] = true
	}
	for _, record := range regexp.MustCompile(`record: (\S+)`).FindAllStringSubmatch(rules, -1) {
		exist[record[1]] = true
	}
	for _, expr := range exprs {
		for _, metric := range metricsOf(expr) {
			if !exist[metric] && !strings.HasPrefix(metric, "kube") { // of the cluster
				all = append(all, metric+": "+expr)
			}
		}
		for _, series := range countersOf(expr) {
			if !regexp.MustCompile(series).MatchString(text) {
				all = append(all, series+" from the start on, else its first increase is not seen: "+expr)
			}
		}
	}
	return all
}

// countersOf are patterns of the series whose increase a PromQL expression tells, one for each value that it names.
func countersOf(expr string) (series []string) {
	for _, selector := range counters.FindAllStringSubmatch(expr, -1) {
		for _, want := range wants.FindAllStringSubmatch(selector[2], -1) {
			for value := range strings.SplitSeq(want[2], "|") {
				series = append(series, `(?m)^`+strings.TrimPrefix(selector[1], "increase(")+`\{.*\b`+want[1]+`="`+value+`"`)
			}
		}
	}
	return series
}

func onePerSource(t *testing.T, r *running) []string {
	t.Helper()
	var paths []string
	for _, c := range contracts.Carriers {
		paths = append(paths, "/v1/ltl/fuel-surcharge?carriers="+string(c))
	}
	for _, s := range contracts.States {
		var licenses []struct{ Number string }
		_, _, body := r.get(t, r.admin+"/sandbox/licenses?limit=1&state="+string(s), "")
		if err := json.Unmarshal(body, &licenses); err != nil || len(licenses) == 0 {
			t.Fatalf("licenses of %s: %v", s, err)
		}
		paths = append(paths, "/v1/abc/license/"+url.PathEscape(licenses[0].Number)+"?state="+string(s))
	}
	return paths
}

func TestEveryAlertHasARunbookEntryAndATest(t *testing.T) {
	rules, entries := read(t, rulesFile), read(t, runbook)
	tests := read(t, filepath.Join(filepath.Dir(rulesFile), "alerts.test.yaml")) +
		read(t, filepath.Join(filepath.Dir(rulesFile), "hours.test.yaml"))
	alerts := regexp.MustCompile(`alert: (\S+)`).FindAllStringSubmatch(rules, -1)
	if len(alerts) == 0 {
		t.Fatal("no alerts")
	}
	for _, alert := range alerts {
		if !strings.Contains(entries, "### "+alert[1]+"\n") {
			t.Errorf("docs/runbook.md has no entry ### %s", alert[1])
		}
		if !strings.Contains(tests, "alertname: "+alert[1]+"\n") {
			t.Errorf("no test fires %s", alert[1])
		}
	}
}

func TestAlertsFire(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed: make programs installs Debian's")
	}
	dir := t.TempDir()
	_, spec, _ := strings.Cut(read(t, rulesFile), "\nspec:\n")
	plain := regexp.MustCompile(`(?m)^  `).ReplaceAllString(spec, "")
	write(t, filepath.Join(dir, "rules.yaml"), plain)
	run(t, promtool, "check", "rules", filepath.Join(dir, "rules.yaml"))
	// Annotations are prose for people: what fires is told by labels.
	bare := regexp.MustCompile(`(?m)^ *(annotations:|summary:.*|runbook:.*)\n`).ReplaceAllString(plain, "")
	write(t, filepath.Join(dir, "rules.yaml"), bare)
	for _, name := range []string{"alerts.test.yaml", "hours.test.yaml", "burns.test.yaml"} {
		file := filepath.Join(dir, name)
		write(t, file, read(t, filepath.Join(filepath.Dir(rulesFile), name)))
		run(t, promtool, "test", "rules", file)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
}
