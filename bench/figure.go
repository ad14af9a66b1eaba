package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// figure is a measured value and what it should be.
type figure struct {
	name   string
	value  float64
	unit   string
	target float64
	least  bool // the target is the least and not the most
	detail string
}

func (f figure) met() bool {
	if f.least {
		return f.value >= f.target
	}
	return f.value <= f.target
}

func printFigures(w io.Writer, figures []figure) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nMEASURED\tVALUE\tTARGET\t\tHOW")
	for _, f := range figures {
		bound, verdict := "at most", "met"
		if f.least {
			bound = "at least"
		}
		if !f.met() {
			verdict = "MISSED"
		}
		fmt.Fprintf(t, "%s\t%.2f %s\t%s %g %s\t%s\t%s\n", f.name, f.value, f.unit, bound, f.target, f.unit, verdict, f.detail)
	}
	_ = t.Flush()
}

// median of at least one value.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
