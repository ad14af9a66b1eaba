// Command bench measures Assay on the machine that it runs on. When it compares two things, it runs them in turn and
// takes the median of the rounds, so that other load on the machine slows both alike.
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

// options are the settings of all measurements.
type options struct {
	binary string        // path of the program assay
	time   time.Duration // length of one run
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
	{"miss", measureMiss},
	{"memory", measureMemory},
	{"keys", measureKeys},
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == bareArgument {
		serveBare()
		return
	}
	if len(os.Args) > 2 && os.Args[1] == copyArgument {
		if err := serveCopy(context.Background(), os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	o := options{}
	flag.StringVar(&o.binary, "binary", "bin/assay", "the assay to measure")
	flag.DurationVar(&o.time, "time", 2*time.Second, "length of one run under load")
	flag.IntVar(&o.rounds, "rounds", 7, "how often each side of a comparison runs")
	only := flag.String("only", "", "measurements to make, separated by commas, of "+names()+"; all when empty")
	profile := flag.String("profile", "", "in place of measurements, write a CPU profile of the "+
		"assay under load to this file")
	flag.Parse()
	ctx, stop := daemon.Signals(context.Background())
	defer stop()
	if *profile != "" {
		if err := writeProfile(ctx, o, *profile); err != nil {
			fmt.Fprintf(os.Stderr, "bench: %v\n", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(measure(ctx, o, *only))
}

func names() string {
	var all []string
	for _, m := range measurements {
		all = append(all, m.name)
	}
	return strings.Join(all, ", ")
}

// measure returns 1 when a measurement failed. A missed target is printed and is no failure, because the machine may
// be slow or busy.
func measure(ctx context.Context, o options, only string) (code int) {
	var all []figure
	for i, m := range measurements {
		if only != "" && !slices.Contains(strings.Split(only, ","), m.name) {
			continue
		}
		fmt.Printf("%d of %d  %s\n", i+1, len(measurements), m.name)
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
