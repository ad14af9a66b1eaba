package carriers

import (
	"slices"
	"sync"

	"assay.dev/contracts"
	"assay.dev/sandbox/tariff"
)

// Change is what a carrier did to a week that it had posted: another percent, or, when that is zero, it took the week
// back.
type Change struct {
	Carrier contracts.Carrier `json:"carrier"`
	Week    contracts.Date    `json:"week"` // its first day
	Percent tariff.Percent    `json:"percent_hundredths"`
}

// maxChanges bounds how many there may be at once.
const maxChanges = 1000

// changes are those in force.
type changes struct {
	mu  sync.RWMutex
	all []Change
}

func newChanges() *changes { return &changes{} }

// Set makes a carrier's site show a week otherwise from now on. It is false when there are too many changes.
func (s *Sites) Set(c Change) bool {
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	s.changes.all = slices.DeleteFunc(s.changes.all, func(old Change) bool {
		return old.Carrier == c.Carrier && old.Week == c.Week
	})
	if len(s.changes.all) >= maxChanges {
		return false
	}
	s.changes.all = append(s.changes.all, c)
	return true
}

// Unset makes the sites show all weeks as they were posted.
func (s *Sites) Unset() {
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	s.changes.all = nil
}

// Changes lists those in force.
func (s *Sites) Changes() []Change {
	s.changes.mu.RLock()
	defer s.changes.mu.RUnlock()
	return append([]Change{}, s.changes.all...)
}

// apply is the weeks as the site shows them.
func (cs *changes) apply(c contracts.Carrier, weeks []tariff.Week) []tariff.Week {
	cs.mu.RLock()
	defer cs.mu.RUnlock()
	for _, change := range cs.all {
		if change.Carrier != c {
			continue
		}
		i := slices.IndexFunc(weeks, func(w tariff.Week) bool { return w.Effective == change.Week })
		switch {
		case i < 0:
		case change.Percent == 0:
			weeks = slices.Delete(weeks, i, i+1)
		default:
			weeks[i].LTL, weeks[i].Truckload = change.Percent, 2*change.Percent
		}
	}
	return weeks
}
