package jobs

import "time"

// SetGrace sets how long handlers that were cancelled may take: on a busy machine they need more than a second.
func (w *Workers) SetGrace(d time.Duration) { w.grace = d }
