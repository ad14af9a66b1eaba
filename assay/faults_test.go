package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	faultsWhole   = flag.Bool("faults.whole", false, "every row of the table, not only those that are brief; takes half an hour")
	faultsTable   = flag.String("faults.table", "", "file that gets the table, in Markdown")
	faultsKept    = flag.String("faults.kept", "", "file that keeps outcomes between runs, for the table; a row that is run again is replaced there")
	faultsMissing = flag.Bool("faults.missing", false, "only the rows that have no outcome yet")
	faultsOnly    = flag.String("faults.only", "", "regular expression of the rows to run")
	faultsBefore  = flag.String("faults.before", "", "git revision of the version before")
	faultsSeeds   = flag.String("faults.seeds", "1", "the table is run once with each of these seeds, separated by commas")
)

// fault is a row of the table: what is done to a running system, and what must hold.
type fault struct {
	name, must string
	// run does it. Its figures and failures are the row's.
	run func(*row)
	// command is what run runs, in rows that are shown elsewhere.
	command []string
	// brief rows take seconds, and `make volume` runs them.
	brief bool
}

// row is a running row of the table.
type row struct {
	*testing.T
	fault
	*rand.Rand
	seed    uint64
	whole   *testing.T // what starts in a row may live in the next
	systems *systems
	figures []string
	// untried is set by a row that finds that it cannot be tried.
	untried bool
}

// saw notes figures that anything may be.
func (r *row) saw(format string, args ...any) {
	r.figures = append(r.figures, fmt.Sprintf(format, args...))
}

// holds notes figures, which fail the row unless ok.
func (r *row) holds(ok bool, format string, args ...any) {
	r.Helper()
	said := strings.TrimSpace(fmt.Sprintf(format, args...))
	if !ok {
		r.Error(said)
		said = "**" + said + "**"
	}
	r.figures = append(r.figures, said)
}

// need ends the row when something fails that is not what it is about.
func (r *row) need(err error) {
	r.Helper()
	if err != nil {
		r.holds(false, "%v", err)
		r.FailNow()
	}
}

// bound is a bound on a time. `make volume` runs many tests at once: there it only tells what waits from what does not.
func (r *row) bound(most time.Duration) time.Duration {
	if *faultsWhole {
		return most
	}
	return 20 * most
}

// atMost shortens a pause of a row where it runs in `make volume`.
func (r *row) atMost(pause time.Duration) time.Duration {
	if *faultsWhole {
		return pause
	}
	return pause / 3
}

// faults is the whole table.
func faults() []fault {
	return slices.Concat(natsFaults, processFaults, courierFaults, upstreamFaults, loadFaults, tenantFaults, historyFaults, storeFaults, diskFaults, faultsElsewhere)
}

// TestSystemFaults runs the rows one after the other over systems of processes, prints them, and writes the table. `make faults` runs all
// of them, `make volume` those that are brief.
func TestSystemFaults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the services as processes")
	}
	only := regexp.MustCompile(*faultsOnly)
	report := openFaultsReport(t)
	for _, seed := range seeds(t) {
		whole := &systems{}
		for _, f := range report.rows {
			_, known := report.find(f, seed)
			if !f.brief && !*faultsWhole || !only.MatchString(f.name) || known && *faultsMissing {
				continue
			}
			r := &row{fault: f, seed: seed, Rand: rand.New(rand.NewPCG(seed, 0)), whole: t, systems: whole}
			report.add(t, f, r.try())
		}
	}
}

func seeds(t *testing.T) (all []uint64) {
	t.Helper()
	for text := range strings.SplitSeq(*faultsSeeds, ",") {
		var seed uint64
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatalf("-faults.seeds %s: %v", *faultsSeeds, err)
		}
		all = append(all, seed)
	}
	return all
}

// try runs the row as a test of its own.
func (r *row) try() outcomeOfRow {
	o := outcomeOfRow{Name: r.name, Seed: r.seed, At: time.Now(), Rate: *loadRate}
	passed := r.whole.Run(r.name, func(t *testing.T) {
		r.T = t
		r.run(r)
	})
	o.Took, o.Verdict, o.Figures, o.Load = time.Since(o.At), "PASS", strings.Join(r.figures, "; "), loadAverage()
	switch {
	case !passed:
		o.Verdict = "FAIL"
	case r.untried:
		o.Verdict = "not tried"
	}
	return o
}
