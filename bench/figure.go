package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// figure is a measured value and what it should be. A figure without a target is told to compare it with other versions.
type figure struct {
	name   string
	value  float64
	unit   string
	target float64 // 0: none
	least  bool    // the target is the least and not the most
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
		target, verdict := f.expected()
		fmt.Fprintf(t, "%s\t%.2f %s\t%s\t%s\t%s\n", f.name, f.value, f.unit, target, verdict, f.detail)
	}
	_ = t.Flush()
}

// expected tells the target and whether it is met; "none" and nothing for a figure without one.
func (f figure) expected() (target, verdict string) {
	if f.target == 0 {
		return "none", ""
	}
	bound, verdict := "at most", "met"
	if f.least {
		bound = "at least"
	}
	if !f.met() {
		verdict = "MISSED"
	}
	return fmt.Sprintf("%s %g %s", bound, f.target, f.unit), verdict
}

// median of at least one value.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
