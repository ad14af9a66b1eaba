package license

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"assay.dev/contracts"
)

// Edit is what becomes of a license after it was invented. What is empty stays as it was.
type Edit struct {
	Status  contracts.Status
	Expires contracts.Date
	Owner   string
	// Gone licenses are in the register no longer.
	Gone bool
}

// Edition tells one state of a register from another, and when it was made; the zero time of the first.
type Edition struct {
	Number int
	At     time.Time
}

// words are what a register prints for a status. One that a state does not print is missing.
var words = map[contracts.State]map[contracts.Status]string{
	contracts.CA: {contracts.Active: "ACTIVE", contracts.Suspended: "SUSPEN", contracts.Expired: "CANCEL",
		contracts.Revoked: "DEPREV"},
	contracts.TX: {contracts.Active: "Active", contracts.Suspended: "Suspended", contracts.Expired: "Expired",
		contracts.Revoked: "Cancelled"},
	contracts.FL: {contracts.Active: "20", contracts.Suspended: "42", contracts.Expired: "45", contracts.Revoked: "61"},
	contracts.IL: {contracts.Active: "Active", contracts.Suspended: "Suspended", contracts.Expired: "Expired",
		contracts.Revoked: "Revoked"},
	contracts.NY: {contracts.Active: "active", contracts.Expired: "inactive", contracts.Revoked: "inactive"},
}

// Prints tells whether a state's register prints the status, on its pages or by the set in which it has a license.
func Prints(state contracts.State, status contracts.Status) bool {
	_, ok := words[state][status]
	return ok
}

// Edit makes a new edition of a state's register, in which the licenses of these numbers are as the edits say. An edit
// replaces the one before of the same license; an empty one makes it as it was invented.
func (r *Register) Edit(state contracts.State, at time.Time, edits map[string]Edit) error {
	for number, e := range edits {
		if e.Status != "" && !Prints(state, e.Status) {
			return fmt.Errorf("license %s: %s does not print the status %q", number, state, e.Status)
		}
	}
	if s, ok := r.states[state]; ok {
		return s.edit(at, edits)
	}
	return fmt.Errorf("state %q is not played", state)
}

// Edition is the newest edition of a state's register.
func (r *Register) Edition(state contracts.State) Edition { return r.states[state].edition() }

// LastAt is the last time that it was that hour (UTC).
func LastAt(hour int, now time.Time) time.Time {
	now = now.UTC()
	at := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, time.UTC)
	if at.After(now) {
		at = at.AddDate(0, 0, -1)
	}
	return at
}

// Modified is when the newest edition was made, or the time given where that is later.
func (r *Register) Modified(state contracts.State, published time.Time) time.Time {
	if at := r.Edition(state).At; at.After(published) {
		return at
	}
	return published
}

// Each makes something of a state's register, once for each edition.
func Each[T any](r *Register, state contracts.State, of func() T) func() T {
	var mu sync.Mutex
	var made T
	number := -1
	return func() T {
		mu.Lock()
		defer mu.Unlock()
		if now := r.Edition(state).Number; now != number {
			made, number = of(), now
		}
		return made
	}
}

// stateLicenses is the licenses of one state, as they were invented and as they are.
type stateLicenses[L any] struct {
	// invent makes the licenses with what a right reading of them gives; common returns the part of one that all states
	// have.
	invent func() []L
	common func(*L) *License
	change func(*L, Edit, string)

	mu    sync.Mutex
	edits map[string]Edit
	is    atomic.Pointer[shelved[L]]
	// told is kept only while somebody reads it: sites do not need what a right reading gives, and it is most of a
	// license.
	told weak.Pointer[[]L]
}

type shelved[L any] struct {
	Edition
	all []L
}

func newShelf[L any, P interface {
	*L
	core() *License
	edit(Edit, string)
}](invent func() []L) *stateLicenses[L] {
	return &stateLicenses[L]{
		invent: invent, edits: map[string]Edit{},
		common: func(l *L) *License { return P(l).core() },
		change: func(l *L, e Edit, word string) { P(l).edit(e, word) },
	}
}

// all returns the licenses of the newest edition as sites show them, without their records.
func (s *stateLicenses[L]) all() []L {
	if is := s.is.Load(); is != nil {
		return is.all
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.is.Load() == nil {
		s.put(Edition{})
	}
	return s.is.Load().all
}

// whole returns the licenses of the newest edition with their records.
func (s *stateLicenses[L]) whole() []L {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.edited()
}

// edited returns what whole does. The caller holds mu.
func (s *stateLicenses[L]) edited() []L {
	if told := s.told.Value(); told != nil {
		return *told
	}
	invented := s.invent()
	told := make([]L, 0, len(invented))
	for i := range invented {
		c := s.common(&invented[i])
		e := s.edits[c.Number]
		if e.Gone {
			continue
		}
		if e != (Edit{}) {
			s.change(&invented[i], e, words[c.State][e.Status])
			c.Truth = c.truth()
		}
		told = append(told, invented[i])
	}
	s.told = weak.Make(&told)
	return told
}

// put makes the licenses as they are now the newest edition. The caller holds mu.
func (s *stateLicenses[L]) put(e Edition) {
	all := slices.Clone(s.edited())
	for i := range all {
		c := s.common(&all[i])
		c.Primary, c.Mirror, c.Truth = nil, nil, nil
	}
	s.is.Store(&shelved[L]{e, all})
}

func (s *stateLicenses[L]) edition() Edition {
	if is := s.is.Load(); is != nil {
		return is.Edition
	}
	return Edition{}
}

func (s *stateLicenses[L]) edit(at time.Time, edits map[string]Edit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := make(map[string]bool, len(edits))
	for _, l := range s.invent() {
		c := s.common(&l)
		if e, ok := edits[c.Number]; ok && (c.Mirror != nil || c.Primary != nil || e == Edit{}) {
			known[c.Number] = true
		}
	}
	for number := range edits {
		if !known[number] {
			return fmt.Errorf("license %q: there is none, or it is no plain one", contracts.Printable(number))
		}
	}
	maps.Copy(s.edits, edits)
	s.told = weak.Pointer[[]L]{}
	next := s.edition()
	next.Number++
	// HTTP's dates have seconds: the edition is of the next one, so that it is newer than whatever was published before.
	if at = at.Truncate(time.Second).Add(time.Second); !at.After(next.At) {
		at = next.At.Add(time.Second)
	}
	next.At = at
	s.put(next)
	return nil
}

// statusAfter is the status that a license has after an edit.
func (l *License) statusAfter(e Edit) contracts.Status {
	switch {
	case e.Status != "":
		return e.Status
	case l.Primary != nil:
		return l.Primary.Status
	}
	return l.Mirror.Status
}

func (l *License) edit(e Edit) {
	l.Owner = cmp.Or(e.Owner, l.Owner)
}

func (l *California) edit(e Edit, word string) {
	status := l.statusAfter(e)
	l.License.edit(e)
	l.Blocks = slices.Clone(l.Blocks)
	b := &l.Blocks[0]
	if word != "" {
		b.Status, b.Exported = word, status == contracts.Active || status == contracts.Suspended
	}
	b.Expiry = cmp.Or(e.Expires, b.Expiry)
	l.want(status, b.Exported)
}

func (l *Texas) edit(e Edit, word string) {
	status := l.statusAfter(e)
	l.License.edit(e)
	l.PrimaryStatus = cmp.Or(word, l.PrimaryStatus)
	l.Expires = cmp.Or(e.Expires, l.Expires)
	l.want(status)
}

func (l *NewYork) edit(e Edit, set string) {
	status := l.statusAfter(e)
	l.License.edit(e)
	if set != "" {
		l.Inactive = set == "inactive"
	}
	l.Expiry = cmp.Or(e.Expires, l.Expiry)
	if l.Inactive {
		l.want(contracts.Expired) // as the inactive set is read
		return
	}
	l.want(status)
}

func (l *Florida) edit(e Edit, code string) {
	status := l.statusAfter(e)
	l.License.edit(e)
	if code != "" {
		l.Code, l.Revoked = code, status == contracts.Revoked
		l.Word = map[contracts.Status]string{
			contracts.Active: "Current, Active", contracts.Suspended: "Suspended", contracts.Expired: "Delinquent, Active",
			contracts.Revoked: "Revoked",
		}[status]
	}
	l.Expiry = cmp.Or(e.Expires, l.Expiry)
	l.want(status, status)
}

func (l *Illinois) edit(e Edit, word string) {
	status := l.statusAfter(e)
	l.License.edit(e)
	l.Word = cmp.Or(word, l.Word)
	l.Expiry = cmp.Or(e.Expires, l.Expiry)
	exported := contracts.Active // the export prints no status: it follows from the date
	if l.Mirror != nil {
		exported = l.Mirror.Status
	}
	l.want(status, exported)
}
