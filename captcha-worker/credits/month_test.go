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
		var booked int64
		granted := map[string]int64{}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "seconds")) * time.Second)
			id := fmt.Sprint(rapid.IntRange(0, 20).Draw(t, "job"))
			if rapid.Bool().Draw(t, "reserve") {
				before := m.Remaining()
				amount := rapid.Int64Range(1, 10).Draw(t, "amount")
				_, fresh, err := m.reserve(id, "", amount, now)
				switch {
				case errors.Is(err, ErrSpent) && amount <= before:
					t.Fatalf("refused %d of %d", amount, before)
				case fresh && amount > before:
					t.Fatalf("granted %d of %d", amount, before)
				case fresh:
					granted[id] = amount
				}
				continue
			}
			if g, ok := m.Pending[id]; ok {
				if g.Reserved != granted[id] {
					t.Fatalf("job %s was granted %d and then %d", id, granted[id], g.Reserved)
				}
				cost := rapid.Int64Range(0, g.Reserved).Draw(t, "cost")
				m.settle(id, cost, now)
				booked += cost
			}
			spent := m.Spent
			m.settle(id, 7, now)
			if m.Spent != spent {
				t.Fatalf("job %s was booked twice", id)
			}
		}
		if m.Spent != booked {
			t.Fatalf("spent %d, booked %d", m.Spent, booked)
		}
		if m.Spent+m.Reserved() > budget {
			t.Fatalf("spent %d and reserved %d of %d", m.Spent, m.Reserved(), budget)
		}
	})
}

func TestReconcile(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	m := Month{Budget: 100}
	if _, _, err := m.reserve("dead", "", 5, now); err != nil {
		t.Fatal(err)
	}
	if m.reconcile(40, now.Add(time.Minute)) {
		t.Error("reconciled while a call was pending")
	}
	if !m.reconcile(40, now.Add(pendingKept)) || m.Spent != 40 || m.Reserved() != 0 {
		t.Errorf("after the worker died: %+v", m)
	}
}

// A call that wrote its grant without hearing so finds it again; an earlier delivery's grant is another's.
func TestAGrantKnowsItsAttempt(t *testing.T) {
	now, m := time.Now(), Month{Budget: 10}
	for _, c := range []struct {
		attempt string
		fresh   bool
	}{{"first", true}, {"first", true}, {"second", false}, {"", false}} {
		if g, fresh, err := m.reserve("job", c.attempt, 5, now); err != nil || fresh != c.fresh || g.Reserved != 5 {
			t.Errorf("%q: %+v, fresh %t, %v", c.attempt, g, fresh, err)
		}
	}
	if m.Remaining() != 5 {
		t.Errorf("%d remain", m.Remaining())
	}
}
