// Command bench measures Assay on the machine it runs on. Where two things are compared, their runs alternate and the
// median of the rounds counts, so that what else the machine does meets both alike.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"assay.dev/platform/daemon"
)

// options are what the measurements share.
type options struct {
	binary string        // of assay
	time   time.Duration // of one run
	rounds int
}

// measurement prints what it measured and returns its figures.
type measurement struct {
	name string
	run  func(context.Context, options) ([]figure, error)
}

var measurements = []measurement{
	{"start", measureStart},
	{"hit", measureHit},
	{"tool", measureTool},
	{"miss", measureMiss},
	{"table", measureTable},
	{"audit", measureAudit},
	{"isolation", measureIsolation},
	{"hostile", measureHostile},
	{"scale", measureScale},
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == bareArgument {
		serveBare()
		return
	}
	o := options{}
	flag.StringVar(&o.binary, "binary", "bin/assay", "the assay to measure")
	flag.DurationVar(&o.time, "time", 2*time.Second, "length of one run under load")
	flag.IntVar(&o.rounds, "rounds", 9, "how often each side of a comparison runs")
	only := flag.String("only", "", "measurements to make, separated by commas, of "+names()+"; all when empty")
	flag.Parse()
	ctx, stop := daemon.Signals(context.Background())
	defer stop()
	os.Exit(measure(ctx, o, *only))
}

func names() string {
	var all []string
	for _, m := range measurements {
		all = append(all, m.name)
	}
	return strings.Join(all, ", ")
}

// measure returns 1 when a measurement could not be made. A target that is missed is told, and no failure: this machine
// may be slow or busy.
func measure(ctx context.Context, o options, only string) (code int) {
	var all []figure
	for _, m := range measurements {
		if only != "" && !slices.Contains(strings.Split(only, ","), m.name) {
			continue
		}
		figures, err := m.run(ctx, o)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", m.name, err)
			code = 1
		}
		all = append(all, figures...)
	}
	printFigures(os.Stdout, all)
	return code
}
