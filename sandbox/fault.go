package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Kind is a way in which a site fails.
type Kind string

// The kinds. What each of them does stands in faultKinds.
const (
	Down            Kind = "down"
	Slow            Kind = "slow"
	Drip            Kind = "drip"
	Reset           Kind = "reset"
	Forbidden       Kind = "forbidden"
	Throttled       Kind = "throttled"
	Broken          Kind = "broken"
	Challenge       Kind = "challenge"
	Empty           Kind = "empty"
	Redesigned      Kind = "redesigned"
	Swapped         Kind = "swapped"
	Reworded        Kind = "reworded"
	Huge            Kind = "huge"
	Bomb            Kind = "bomb"
	Headers         Kind = "headers"
	PrivateRedirect Kind = "private-redirect"
	ForeignRedirect Kind = "foreign-redirect"
)

// maxFaults bounds how many faults may be set at once.
const maxFaults = 256

// Fault makes a part of a site fail until it is cleared.
type Fault struct {
	Host string `json:"host"`
	// Path is the beginning of the paths that fail; all when it is empty. The longest one that fits wins.
	Path string `json:"path"`
	Kind Kind   `json:"fault"`
	// Seconds is how long Slow waits.
	Seconds int `json:"seconds,omitempty"`

	over chan struct{} // closed when it is cleared or replaced
}

func (f Fault) serve(w http.ResponseWriter, r *http.Request, site http.Handler) {
	if kind, ok := kindOf(f.Kind); ok { // a fault was validated before it was added
		kind.effect(f, w, r, site)
	}
}

func (f Fault) validate() error {
	if _, ok := kindOf(f.Kind); !ok {
		return fmt.Errorf("fault %q: want one of %s", f.Kind, strings.Join(kindNames(), ", "))
	}
	if f.Seconds < 0 || f.Seconds > 3600 {
		return fmt.Errorf("seconds %d: want 0 to 3600", f.Seconds)
	}
	if f.Path != "" && !strings.HasPrefix(f.Path, "/") {
		return fmt.Errorf("path %q: want it empty or beginning with /", f.Path)
	}
	return nil
}

// faults are those in force.
type faults struct {
	mu  sync.RWMutex
	set []Fault // longest path first
}

// addFault replaces the fault of the same host and path.
func (fs *faults) addFault(f Fault) error {
	if err := f.validate(); err != nil {
		return err
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.drop(func(old Fault) bool { return old.Host == f.Host && old.Path == f.Path })
	if len(fs.set) >= maxFaults {
		return fmt.Errorf("%d faults are set: clear them first", maxFaults)
	}
	f.over = make(chan struct{})
	fs.set = append(fs.set, f)
	slices.SortStableFunc(fs.set, func(a, b Fault) int { return len(b.Path) - len(a.Path) })
	return nil
}

func (fs *faults) match(host, path string) (Fault, bool) {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	for _, f := range fs.set {
		if f.Host == host && strings.HasPrefix(path, f.Path) {
			return f, true
		}
	}
	return Fault{}, false
}

func (fs *faults) all() []Fault {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	return append([]Fault{}, fs.set...)
}

// clear ends the faults of a host; of all hosts when it is empty.
func (fs *faults) clear(host string) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.drop(func(f Fault) bool { return host == "" || f.Host == host })
}

// drop ends faults; the caller holds the lock.
func (fs *faults) drop(which func(Fault) bool) {
	fs.set = slices.DeleteFunc(fs.set, func(f Fault) bool {
		if !which(f) {
			return false
		}
		close(f.over)
		return true
	})
}
