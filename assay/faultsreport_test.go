package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// outcomeOfRow is a row that was run.
type outcomeOfRow struct {
	fault
	seed             uint64
	verdict, figures string
	took             time.Duration
}

// faultsReport is the table as it is written to a file, from the first row on: a run that is cut short leaves what it has.
type faultsReport struct {
	began    time.Time
	outcomes []outcomeOfRow
	sections strings.Builder
	rows     []fault // that are not run yet
}

func newFaultsReport() *faultsReport {
	r := &faultsReport{began: time.Now()}
	fmt.Fprintf(&r.sections, `# Faults

What the system was made to bear, and what was seen. Made by `+"`make faults`"+`: do not edit. The rows run over the services as
processes, on three NATS servers as processes, with a proxy between services and servers; what stands in bold did not hold.
A row that names a test runs that test.

%s, %s/%s, %d cores, load average %s at the start; %d requests a second unless a row says otherwise.
`, r.began.UTC().Format("2006-01-02 15:04 UTC"), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), loadAverage(), *loadRate)
	return r
}

// begin begins the table of a seed. Rows that are never added stand in it as not run.
func (r *faultsReport) begin(seed uint64, rows []fault) {
	r.rows = slices.Clone(rows)
	fmt.Fprintf(&r.sections, "\n## Seed %d\n\n| fault | must hold | | seen | s | load |\n|---|---|---|---|---|---|\n", seed)
}

var inCell = strings.NewReplacer("|", "\\|", "\n", " ")

func (r *faultsReport) add(t *testing.T, o outcomeOfRow) {
	t.Helper()
	r.outcomes = append(r.outcomes, o)
	r.rows = slices.DeleteFunc(r.rows, func(f fault) bool { return f.name == o.name })
	t.Logf("%s: %s\n    must hold: %s\n    seen:      %s\n    seed %d, %.1f s", o.verdict, o.name, o.must, o.figures, o.seed, o.took.Seconds())
	fmt.Fprintf(&r.sections, "| %s | %s | %s | %s | %.0f | %s |\n", inCell.Replace(o.name), inCell.Replace(o.must), o.verdict,
		inCell.Replace(o.figures), o.took.Seconds(), strings.Fields(loadAverage())[0])
	if *faultsTable == "" {
		return
	}
	if err := os.WriteFile(*faultsTable, []byte(r.sections.String()+r.left()+r.sum()), 0o644); err != nil {
		t.Error(err)
	}
}

func (r *faultsReport) left() string {
	var b strings.Builder
	for _, f := range r.rows {
		fmt.Fprintf(&b, "| %s | %s | not run | the run ended before | | |\n", inCell.Replace(f.name), inCell.Replace(f.must))
	}
	return b.String()
}

func (r *faultsReport) sum() string {
	counts := map[string]int{}
	for _, o := range r.outcomes {
		counts[o.verdict]++
	}
	return fmt.Sprintf("\n%d PASS, %d FAIL, %d not tried, in %s.\n", counts["PASS"], counts["FAIL"], counts["not tried"],
		time.Since(r.began).Round(time.Second))
}

// loadAverage is that of one, five and fifteen minutes, where the system tells.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 2 {
		return strings.Join(fields[:3], " ")
	}
	return "unknown"
}
