package evidence

import (
	"sync"
	"time"

	"assay.dev/platform/kv"
)

const (
	// recentFor is how long a document that was kept is not sent again.
	recentFor = time.Hour
	// maxRecent bounds what is remembered; the older half is forgotten at once.
	maxRecent = 8192
)

// recent remembers where documents were kept a short while ago, bulk files apart.
type recent struct {
	mu        sync.Mutex
	new, old  map[string]keptAt
	newestSeq uint64
}

type keptAt struct {
	sequence uint64
	at       time.Time
}

func newRecent() *recent {
	return &recent{new: map[string]keptAt{}, old: map[string]keptAt{}}
}

// find gives the sequence of a document that was kept lately; 0 when it was not.
func (r *recent) find(id string, now time.Time) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.new[id]
	if !ok {
		k = r.old[id]
	}
	if now.Sub(k.at) >= recentFor {
		return 0
	}
	return k.sequence
}

// addDocument remembers a document. A sequence below a known one, or far above, means that the stream was made anew:
// then all that was remembered is dropped.
func (r *recent) addDocument(id string, repeated bool, sequence uint64, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !repeated && (sequence+maxQueued < r.newestSeq || sequence > r.newestSeq+kv.LifeGap/2) {
		r.forgetLocked()
	}
	r.newestSeq = max(sequence, r.newestSeq)
	if len(r.new) >= maxRecent/2 {
		r.old, r.new = r.new, map[string]keptAt{}
	}
	r.new[id] = keptAt{sequence, now}
}

// forget drops all that is remembered. It is for a stream that is gone: the next one gives other sequences.
func (r *recent) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetLocked()
}

func (r *recent) forgetLocked() {
	r.new, r.old, r.newestSeq = map[string]keptAt{}, map[string]keptAt{}, 0
}
