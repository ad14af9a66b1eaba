package bench

import (
	"flag"
	"os"
	"testing"
	"time"
)

var (
	binary  = flag.String("binary", "", "the assay to measure; nothing is measured without one")
	runTime = flag.Duration("time", 2*time.Second, "length of one run under load")
	rounds  = flag.Int("rounds", 7, "how often each side of a comparison runs")
	profile = flag.String("profile", "", "write a CPU profile of the assay under load to this file")
)

// TestMain is also the programs that measurements start: it is called anew with their arguments.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == bareArgument:
		serveBare()
	case len(os.Args) > 2 && os.Args[1] == copyArgument:
		if err := serveCopy(os.Args[2]); err != nil {
			panic(err)
		}
	default:
		os.Exit(m.Run())
	}
}

// TestMeasure prints what it measured. A missed target is printed and is no failure, because the machine may be slow or
// busy.
func TestMeasure(t *testing.T) {
	if *binary == "" {
		t.Skip("`make bench` names the assay to measure")
	}
	var all []figure
	for _, m := range []struct {
		name string
		run  func(*testing.T) []figure
	}{
		{"start", measureStart}, {"hit", measureHit}, {"miss", measureMiss}, {"memory", measureMemory}, {"keys", measureKeys},
	} {
		t.Run(m.name, func(t *testing.T) { all = append(all, m.run(t)...) })
	}
	printFigures(os.Stdout, all)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
