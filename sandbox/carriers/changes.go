package carriers

import (
	"errors"
	"fmt"
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
	// early are the Mondays up to whose prices carriers show weeks before their time.
	early map[contracts.Carrier]contracts.Date
}

func newChanges() *changes { return &changes{early: map[contracts.Carrier]contracts.Date{}} }

// PublishNext makes a carrier's site show the week after its newest one, as it will when its price is out. The error is
// for a week that is shown already, and for a carrier that prints no price: what it prints before the price is out is
// not believed.
func (s *Sites) PublishNext(c contracts.Carrier) error {
	if !s.tariffs[c].PrintsDiesel {
		return fmt.Errorf("%s prints no price of diesel beside its percents: a week whose price is not out yet is in doubt",
			c)
	}
	newest := s.tariffs[c].PostedWeeks(s.prices, s.now(), 1)
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	if len(newest) == 0 || s.changes.early[c] > newest[0].Diesel.Monday {
		return fmt.Errorf("the site of %s shows its next week already", c)
	}
	s.changes.early[c] = newest[0].Diesel.Monday.AddDays(7)
	return nil
}

// ahead is how far a carrier shows weeks before their time: the Monday of the price of the last one; empty for none.
func (cs *changes) ahead(c contracts.Carrier) contracts.Date {
	cs.mu.RLock()
	defer cs.mu.RUnlock()
	return cs.early[c]
}

// Set makes a carrier's site show a week otherwise from now on. The error is for a week that was never posted, and for
// too many changes.
func (s *Sites) Set(c Change) error {
	shown := s.tariffs[c.Carrier].Weeks(s.prices, s.now(), s.changes.ahead(c.Carrier))
	if !slices.ContainsFunc(shown, func(w tariff.Week) bool { return w.Effective == c.Week }) &&
		!slices.ContainsFunc(s.tariffs[c.Carrier].PostedWeeks(s.prices, s.now(), -1),
			func(w tariff.Posted) bool { return w.Effective == c.Week }) {
		return fmt.Errorf("%s has posted no week that begins on %s", c.Carrier, c.Week)
	}
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	s.changes.all = slices.DeleteFunc(s.changes.all, func(old Change) bool {
		return old.Carrier == c.Carrier && old.Week == c.Week
	})
	if len(s.changes.all) >= maxChanges {
		return errors.New("too many weeks are changed: restore them first")
	}
	s.changes.all = append(s.changes.all, c)
	return nil
}

// Unset makes the sites show all weeks as they were posted.
func (s *Sites) Unset() {
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	s.changes.all = nil
	clear(s.changes.early)
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
