package credits

import (
	"errors"
	"math"
	"time"
)

var (
	// ErrSpent says that the month's budget does not hold what was asked for.
	ErrSpent = errors.New("the month's budget is spent")
	// ErrUncounted says that the provider's own count of the month is not known yet.
	ErrUncounted = errors.New("the provider's count of this month is not known yet")
)

// Grant is the permission for one paid call.
type Grant struct {
	// Reserved is what was set aside.
	Reserved int64 `json:"reserved"`
	// Task is the provider's own id of the call, as soon as it is known: who takes the job over asks for that task
	// instead of paying for another.
	Task string `json:"task,omitempty"`
	// At is when the grant last changed.
	At time.Time `json:"at"`
	// Attempt names the call of [Ledger.Reserve] that made the grant. When NATS loses the acknowledgement of its write,
	// the call finds its own grant, and not that of an earlier delivery of the job.
	Attempt string `json:"attempt,omitempty"`
}

// Month is the ledger of one month: a value without storage, so that its rules can be tested by themselves. Amounts are
// in the ledger's smallest unit (render credits, or millionths of a US dollar).
type Month struct {
	Budget int64 `json:"budget"`
	Spent  int64 `json:"spent"`
	// Pending are the grants whose calls have no known cost yet, by job.
	Pending map[string]Grant `json:"pending"`
	// ChangedAt is when a call was last granted or settled.
	ChangedAt time.Time `json:"changed_at"`
	// ReconciledAt is when Spent last became the provider's own count.
	ReconciledAt time.Time `json:"reconciled_at"`
}

// MicroUSD is an amount of US dollars in the unit of a ledger that counts these.
func MicroUSD(usd float64) int64 { return int64(math.Round(usd * 1e6)) }

// USD is the reverse of [MicroUSD].
func USD(micro int64) float64 { return float64(micro) / 1e6 }

// pendingKept is how long a grant may be pending before its worker is taken for dead. It outlives the longest call by
// far. A ledger that is never reconciled keeps the grant until the month ends.
const pendingKept = 10 * time.Minute

// Reserved is what pending grants hold.
func (m Month) Reserved() int64 {
	var sum int64
	for _, g := range m.Pending {
		sum += g.Reserved
	}
	return sum
}

// Remaining is what may still be granted. It is negative when calls cost more than was set aside for them.
func (m Month) Remaining() int64 { return m.Budget - m.Spent - m.Reserved() }

// reserve opens a grant for id, or returns the one it has with fresh set to false. The error is [ErrSpent].
func (m *Month) reserve(id, attempt string, amount int64, now time.Time) (g Grant, fresh bool, err error) {
	if g, ok := m.Pending[id]; ok {
		return g, g.Attempt == attempt && attempt != "", nil
	}
	if amount > m.Remaining() {
		return Grant{}, false, ErrSpent
	}
	if m.Pending == nil {
		m.Pending = map[string]Grant{}
	}
	g = Grant{Reserved: amount, At: now, Attempt: attempt}
	m.Pending[id], m.ChangedAt = g, now
	return g, true, nil
}

// countedSince tells whether Spent became the provider's own count after a moment.
func (m *Month) countedSince(at time.Time) bool { return m.ReconciledAt.After(at) }

// noteTask keeps the provider's id of a pending grant's call.
func (m *Month) noteTask(id, task string, now time.Time) {
	if g, ok := m.Pending[id]; ok {
		g.Task, g.At = task, now
		m.Pending[id] = g
	}
}

// settle books the cost of a pending grant; further settlements of it change nothing.
func (m *Month) settle(id string, cost int64, now time.Time) {
	if _, ok := m.Pending[id]; !ok {
		return
	}
	delete(m.Pending, id)
	m.Spent += cost
	m.ChangedAt = now
}

// reconcile makes Spent the provider's count, which includes everything that was settled, and forgets the grants whose
// workers are taken for dead, because that count holds what they cost. It reports false, and changes nothing, while
// other calls are pending: the count then means nothing certain.
func (m *Month) reconcile(used int64, now time.Time) bool {
	for _, g := range m.Pending {
		if now.Sub(g.At) < pendingKept {
			return false
		}
	}
	m.Pending = nil
	m.Spent, m.ReconciledAt = used, now
	return true
}
