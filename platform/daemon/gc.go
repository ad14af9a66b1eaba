package daemon

import "runtime/debug"

const gcPercent = 300

// RelaxGC is for a process's main: a service holds little and allocates on each request, so collecting at four times the
// live heap instead of twice costs few MB and saves half of the collections. GOGC in e wins.
func RelaxGC(e Environ) {
	if e["GOGC"] == "" {
		debug.SetGCPercent(gcPercent)
	}
}
