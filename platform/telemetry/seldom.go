package telemetry

import (
	"cmp"
	"sync"
	"time"
)

// Seldom bounds the log lines about what fails again and again: of each failure the first line is due, and then one a
// minute.
type Seldom struct {
	// Every replaces the minute.
	Every time.Duration

	mu   sync.Mutex
	told map[string]time.Time // by what fails
}

// Due tells whether a line about what fails is to be written now.
func (s *Seldom) Due(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.told[what]) < cmp.Or(s.Every, time.Minute) {
		return false
	}
	if s.told == nil {
		s.told = map[string]time.Time{}
	}
	s.told[what] = time.Now()
	return true
}

// Over says that it does not fail any more: the next failure of it is a first one.
func (s *Seldom) Over(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.told, what)
}
