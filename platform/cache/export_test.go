package cache

import "time"

// KeepFailures sets how long failures last: a crowd needs longer than two seconds to ask on a busy machine.
func (s *Store) KeepFailures(d time.Duration) { s.failed = d }
