package daemon

import "runtime/debug"

const gcPercent = 300

// RelaxGC makes the process collect garbage when the heap is four times as large as what lives in it, where Go's
// default is twice. A service holds little and allocates on each request, so that costs a few MB and saves half of the
// collections. A main calls it once. It does nothing when e sets GOGC.
func RelaxGC(e Environ) {
	if e["GOGC"] == "" {
		debug.SetGCPercent(gcPercent)
	}
}
