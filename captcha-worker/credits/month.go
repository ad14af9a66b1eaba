package credits

import (
	"errors"
	"time"
)

var (
	// ErrSpent says that the month's budget does not hold what was asked for.
	ErrSpent = errors.New("the month's budget is spent")
	// ErrUncounted says that the provider's own count of the month is not known yet.
	ErrUncounted = errors.New("the provider's count of this month is not known yet")
)

// State is where a grant stands.
type State string

const (
	// Pending: the call was allowed and its cost is not known yet.
	Pending State = "pending"
	// Settled: the cost is known.
	Settled State = "settled"
)

// Grant is the permission for one paid call, and what became of it.
type Grant struct {
	State State `json:"state"`
	// Reserved is what was set aside; Cost what the call really cost, once settled.
	Reserved int64 `json:"reserved"`
	Cost     int64 `json:"cost"`
	// Task is the provider's own id of the call, as soon as it is known: who takes the job over asks for that task
	// instead of paying for another.
	Task string `json:"task,omitempty"`
	// At is when the grant last changed.
	At time.Time `json:"at"`
}

// Month is the ledger of one month: a value without storage, so that its rules can be tested by themselves. Amounts are
// in the ledger's smallest unit (render credits, or millionths of a US dollar).
type Month struct {
	Budget int64            `json:"budget"`
	Spent  int64            `json:"spent"`
	Grants map[string]Grant `json:"grants"`
	// ReconciledAt is when Spent last became the provider's own count.
	ReconciledAt time.Time `json:"reconciled_at"`
}

const (
	// settledKept is how long a settled grant is remembered, so that a job that is delivered again does not pay again.
	// It outlives the job stream's messages.
	settledKept = 30 * time.Minute
	// pendingKept is how long a grant may be pending before its worker is taken for dead. It outlives the longest call by far.
	pendingKept = 10 * time.Minute
)

// Reserved is what pending grants hold.
func (m Month) Reserved() int64 {
	var sum int64
	for _, g := range m.Grants {
		if g.State == Pending {
			sum += g.Reserved
		}
	}
	return sum
}

// Remaining is what may still be granted. It is negative when calls cost more than was set aside for them.
func (m Month) Remaining() int64 { return m.Budget - m.Spent - m.Reserved() }

// reserve opens a grant for id, or returns the one it has with fresh set to false. The error is [ErrSpent].
func (m *Month) reserve(id string, amount int64, now time.Time) (g Grant, fresh bool, err error) {
	if g, ok := m.Grants[id]; ok {
		return g, false, nil
	}
	if amount > m.Remaining() {
		return Grant{}, false, ErrSpent
	}
	g = Grant{State: Pending, Reserved: amount, At: now}
	m.put(id, g)
	return g, true, nil
}

// note keeps the provider's id of a pending grant's call.
func (m *Month) note(id, task string, now time.Time) {
	if g, ok := m.Grants[id]; ok && g.State == Pending {
		g.Task, g.At = task, now
		m.put(id, g)
	}
}

// settle books the cost of a grant once; further settlements of it change nothing.
func (m *Month) settle(id string, cost int64, now time.Time) {
	g, ok := m.Grants[id]
	if !ok || g.State == Settled {
		return
	}
	g.State, g.Cost, g.At = Settled, cost, now
	m.put(id, g)
	m.Spent += cost
}

// reconcile makes Spent the provider's count, which includes everything that was settled. A grant whose worker is taken for
// dead is settled without cost, because that count holds what it cost. It reports false, and changes nothing, while
// other calls are pending: the count then means nothing certain.
func (m *Month) reconcile(used int64, now time.Time) bool {
	for _, g := range m.Grants {
		if g.State == Pending && now.Sub(g.At) < pendingKept {
			return false
		}
	}
	for id, g := range m.Grants {
		if g.State == Pending {
			m.settle(id, 0, now)
		}
	}
	m.Spent, m.ReconciledAt = used, now
	return true
}

// busyUntil is when the provider's count was last moved by one of our own calls.
func (m Month) busyUntil() time.Time {
	var last time.Time
	for _, g := range m.Grants {
		if g.At.After(last) {
			last = g.At
		}
	}
	return last
}

func (m *Month) put(id string, g Grant) {
	if m.Grants == nil {
		m.Grants = map[string]Grant{}
	}
	m.Grants[id] = g
	for other, o := range m.Grants {
		if o.State == Settled && g.At.Sub(o.At) > settledKept {
			delete(m.Grants, other)
		}
	}
}
