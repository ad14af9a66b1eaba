package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// figure is a measured value and its target. A figure without a target serves to compare versions.
type figure struct {
	name   string
	value  float64
	unit   string
	target float64 // 0: none
	least  bool    // the value should be at least the target, not at most
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

// expected returns the target, such as "at most 3 s", and whether it is met: "met" or "MISSED". A figure without a
// target has the target "none" and no verdict.
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

// median returns the median of values, which must not be empty. Of an even number of values it is the higher one of
// the two in the middle.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
