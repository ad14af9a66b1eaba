package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// outcomeOfRow is a row that was run. Outcomes are kept between runs, so that a row can be run again by itself.
type outcomeOfRow struct {
	Name    string        `json:"name"`
	Seed    uint64        `json:"seed"`
	Verdict string        `json:"verdict"`
	Figures string        `json:"figures"`
	Took    time.Duration `json:"took"`
	At      time.Time     `json:"at"`
	Load    string        `json:"load"`
	Rate    int           `json:"rate"`
}

// faultsReport is the table. It is written after each row: a run that is cut short leaves what it has.
type faultsReport struct {
	rows     []fault
	Outcomes []outcomeOfRow `json:"outcomes"`
}

// openFaultsReport takes over the outcomes of earlier runs of the table.
func openFaultsReport(t *testing.T) *faultsReport {
	t.Helper()
	r := &faultsReport{rows: faults()}
	if *faultsKept == "" {
		return r
	}
	text, err := os.ReadFile(*faultsKept)
	if errors.Is(err, fs.ErrNotExist) {
		return r
	}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Outcomes = slices.DeleteFunc(r.Outcomes, func(o outcomeOfRow) bool { // of a row that is no more
		return !slices.ContainsFunc(r.rows, func(f fault) bool { return f.name == o.Name })
	})
	return r
}

// index is where the row's outcome is, -1 when it has none.
func (r *faultsReport) index(f fault, seed uint64) int {
	return slices.IndexFunc(r.Outcomes, func(o outcomeOfRow) bool { return o.Name == f.name && o.Seed == seed })
}

func (r *faultsReport) find(f fault, seed uint64) (o outcomeOfRow, ok bool) {
	i := r.index(f, seed)
	if i < 0 {
		return o, false
	}
	return r.Outcomes[i], true
}

// add prints the outcome, and puts it in the place of the row's last one.
func (r *faultsReport) add(t *testing.T, f fault, o outcomeOfRow) {
	t.Helper()
	t.Logf("%s: %s\n    must hold: %s\n    seen:      %s\n    seed %d, %.1f s", o.Verdict, f.name, f.must, o.Figures, o.Seed, o.Took.Seconds())
	if i := r.index(f, o.Seed); i < 0 {
		r.Outcomes = append(r.Outcomes, o)
	} else {
		r.Outcomes[i] = o // where it was: git shows what is new
	}
	if *faultsTable == "" {
		return
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = errors.Join(os.WriteFile(*faultsKept, append(text, '\n'), 0o600), os.WriteFile(*faultsTable, []byte(r.document()), 0o600))
	}
	if err != nil {
		t.Error(err)
	}
}

// document is the table in Markdown.
func (r *faultsReport) document() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Faults

What the system is made to bear, and what was seen. `+"`make faults`"+` makes this document, and faults.json beside it,
which keeps outcomes between runs: do not edit them. The rows run over the services as processes, on three NATS servers as
processes, with a proxy before each server. What did not hold stands in bold. A row that names a command ran that. Bounds on
times are those of a quiet machine; *load* is the machine's load average after the row, of one minute, on %d cores (%s/%s),
and *rate* how many requests a second its clients sent.
`, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	var seeds []uint64
	for _, o := range r.Outcomes {
		seeds = append(seeds, o.Seed)
	}
	slices.Sort(seeds)
	for _, seed := range slices.Compact(seeds) {
		r.writeTable(&b, seed)
	}
	return b.String()
}

var inCell = strings.NewReplacer("|", "\\|", "\n", " ")

func (r *faultsReport) writeTable(b *strings.Builder, seed uint64) {
	fmt.Fprintf(b, "\n## Seed %d\n\n| fault | must hold | | seen | when | s | rate | load |\n|---|---|---|---|---|---|---|---|\n", seed)
	counts := map[string]int{}
	for _, f := range r.rows {
		o, ok := r.find(f, seed)
		if !ok {
			o.Verdict = "not run"
		}
		counts[o.Verdict]++
		when := ""
		if ok {
			when = o.At.UTC().Format("2006-01-02 15:04")
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %.0f | %d | %s |\n", inCell.Replace(f.name), inCell.Replace(f.must), o.Verdict,
			inCell.Replace(o.Figures), when, o.Took.Seconds(), o.Rate, o.Load)
	}
	fmt.Fprintf(b, "\n%d PASS, %d FAIL, %d not tried, %d not run.\n", counts["PASS"], counts["FAIL"], counts["not tried"], counts["not run"])
}

// loadAverage is that of one minute, where the system tells.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
		return fields[0]
	}
	return "unknown"
}
