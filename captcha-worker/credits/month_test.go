package credits

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever workers do, in whatever order and however often, grants never exceed the budget, a job is granted once and
// booked once, and what is spent is the sum of what was booked.
func TestMonthNeverOverspends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.Int64Range(0, 100).Draw(t, "budget")
		m := Month{Budget: budget}
		now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		booked := map[string]int64{}
		granted := map[string]int64{}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "seconds")) * time.Second)
			id := fmt.Sprint(rapid.IntRange(0, 20).Draw(t, "job"))
			if rapid.Bool().Draw(t, "reserve") {
				before := m.Remaining()
				amount := rapid.Int64Range(1, 10).Draw(t, "amount")
				_, fresh, err := m.reserve(id, amount, now)
				switch {
				case errors.Is(err, ErrSpent) && amount <= before:
					t.Fatalf("refused %d of %d", amount, before)
				case fresh && amount > before:
					t.Fatalf("granted %d of %d", amount, before)
				case fresh:
					if _, again := granted[id]; again && now.Sub(m.Grants[id].At) < settledKept && booked[id] == 0 {
						t.Fatalf("granted job %s twice", id)
					}
					granted[id], booked[id] = amount, 0
				}
				continue
			}
			if g, ok := m.Grants[id]; ok && g.State == Pending {
				cost := rapid.Int64Range(0, g.Reserved).Draw(t, "cost")
				m.settle(id, cost, now)
				booked[id] = cost
			}
			spent := m.Spent
			m.settle(id, 7, now)
			if m.Spent != spent {
				t.Fatalf("job %s was booked twice", id)
			}
		}
		if m.Spent+m.Reserved() > budget {
			t.Fatalf("spent %d and reserved %d of %d", m.Spent, m.Reserved(), budget)
		}
	})
}

func TestReconcile(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	m := Month{Budget: 100}
	if _, _, err := m.reserve("dead", 5, now); err != nil {
		t.Fatal(err)
	}
	if m.reconcile(40, now.Add(time.Minute)) {
		t.Error("reconciled while a call was pending")
	}
	if !m.reconcile(40, now.Add(pendingKept)) || m.Spent != 40 || m.Reserved() != 0 {
		t.Errorf("after the worker died: %+v", m)
	}
	if g, fresh, _ := m.reserve("dead", 5, now.Add(pendingKept)); fresh {
		t.Errorf("a job that may have been paid was granted again: %+v", g)
	}
}
