package bus

import "time"

// SetGrace sets how long handlers that were cancelled may take: on a busy machine they need more than a second.
func (s *Server) SetGrace(d time.Duration) { s.grace = d }
