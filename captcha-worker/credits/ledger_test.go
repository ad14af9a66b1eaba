package credits

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, srv *server.Server, budget int64, counted bool) *Ledger {
	t.Helper()
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	bucket, err := kv.Open(t.Context(), js, contracts.CreditsBucket)
	if err != nil {
		t.Fatal(err)
	}
	return Open(js, bucket, contracts.Test, contracts.Render, budget, counted)
}

// 64 workers on connections of their own ask for more than there is: exactly the budget is granted.
func TestRace(t *testing.T) {
	const workers, budget, each = 64, 100, 2 // all of them contend for the one entry, however many jobs they have
	srv := bustest.Server(t)
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	var granted, refused atomic.Int64
	var running sync.WaitGroup
	for worker := range workers {
		ledger := open(t, srv, budget, false)
		running.Go(func() {
			for i := range each {
				id := fmt.Sprintf("%d-%d", worker, i)
				switch _, fresh, err := ledger.Reserve(ctx, id, 1); {
				case errors.Is(err, ErrSpent):
					refused.Add(1)
				case err != nil || !fresh:
					t.Errorf("job %s: fresh %t, %v", id, fresh, err)
				default:
					granted.Add(1)
					if err := ledger.Settle(ctx, id, 1); err != nil {
						t.Errorf("job %s: %v", id, err)
					}
				}
			}
		})
	}
	running.Wait()
	if granted.Load() != budget || refused.Load() != workers*each-budget {
		t.Errorf("granted %d and refused %d of %d with a budget of %d", granted.Load(), refused.Load(), workers*each, budget)
	}
	if m, err := open(t, srv, budget, false).Read(ctx); err != nil || m.Spent != budget || m.Remaining() != 0 {
		t.Errorf("spent %d, remaining %d, %v", m.Spent, m.Remaining(), err)
	}
}

// A delivery that has looked for the job, and then waits while another one reserves and settles it, gets no grant of its own.
func TestAJobIsGrantedOnce(t *testing.T) {
	srv := bustest.Server(t)
	slow, quick := open(t, srv, 10, false), open(t, srv, 10, false)
	slow.mu.Lock() // it waits for its turn behind another job, after its look
	done := make(chan bool)
	go func() {
		_, fresh, err := slow.Reserve(t.Context(), "a", 1)
		done <- fresh || err != nil
	}()
	clocktest.Await(t, "it waits", func() bool { return strings.Contains(stacks(), "credits.(*Ledger).change") })
	if _, fresh, err := quick.Reserve(t.Context(), "a", 1); !fresh || err != nil {
		t.Error(fresh, err)
	}
	if err := quick.Settle(t.Context(), "a", 1); err != nil {
		t.Error(err)
	}
	slow.mu.Unlock()
	if <-done {
		t.Error("it was granted twice")
	}
	if m, err := quick.Read(t.Context()); err != nil || m.Spent != 1 || m.Reserved() != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}

func stacks() string {
	all := make([]byte, 1<<20)
	return string(all[:runtime.Stack(all, true)])
}

func TestLedgerOfACountedProvider(t *testing.T) {
	srv := bustest.Server(t)
	ledger := open(t, srv, 10, true)
	if _, _, err := ledger.Reserve(t.Context(), "a", 1); !errors.Is(err, ErrUncounted) {
		t.Fatalf("granted before the count was known: %v", err)
	}
	if done, err := ledger.Reconcile(t.Context(), 8, time.Minute); !done || err != nil {
		t.Fatal(done, err)
	}
	if _, _, err := ledger.Reserve(t.Context(), "a", 3); !errors.Is(err, ErrSpent) {
		t.Errorf("3 of 2: %v", err)
	}
	if _, fresh, err := ledger.Reserve(t.Context(), "a", 2); !fresh || err != nil {
		t.Errorf("2 of 2: %v", err)
	}
	if done, _ := ledger.Reconcile(t.Context(), 8, 0); done {
		t.Error("reconciled while a call was pending")
	}
	if err := ledger.SetBudget(t.Context(), 50); err != nil {
		t.Fatal(err)
	}
	if m, err := ledger.Read(t.Context()); err != nil || m.Remaining() != 40 {
		t.Errorf("%+v, %v", m, err)
	}
}

// A job that is delivered again after the turn of the month finds the grant of the month before.
func TestTurnOfTheMonth(t *testing.T) {
	ledger := open(t, bustest.Server(t), 10, false)
	now := time.Date(2026, 11, 30, 23, 59, 50, 0, time.UTC)
	ledger.now = func() time.Time { return now }
	if _, fresh, err := ledger.Reserve(t.Context(), "a", 4); !fresh || err != nil {
		t.Fatal(fresh, err)
	}
	now = now.Add(20 * time.Second)
	if _, fresh, err := ledger.Reserve(t.Context(), "a", 4); fresh || err != nil {
		t.Errorf("granted twice over the turn of the month, %v", err)
	}
	if err := ledger.Settle(t.Context(), "a", 3); err != nil {
		t.Fatal(err)
	}
	if m, _ := ledger.Read(t.Context()); m.Spent != 0 {
		t.Errorf("booked in the wrong month: %+v", m)
	}
	now = now.Add(-20 * time.Second)
	if m, _ := ledger.Read(t.Context()); m.Spent != 3 || m.Reserved() != 0 {
		t.Errorf("november: %+v", m)
	}
}

// Workers die between reserving, calling and settling. What the ledger says is then the provider's own count.
func TestLedgerEqualsTheProvidersCountAfterDeaths(t *testing.T) {
	const workers, each = 8, 40
	srv := bustest.Server(t)
	if done, err := open(t, srv, 10_000, true).Reconcile(t.Context(), 0, 0); !done || err != nil {
		t.Fatal(done, err)
	}
	var charged atomic.Int64 // by the provider
	var running sync.WaitGroup
	for worker := range workers {
		ledger, random := open(t, srv, 10_000, true), rand.New(rand.NewPCG(1, uint64(worker)))
		running.Go(func() {
			for i := range each {
				id := fmt.Sprintf("%d-%d", worker, i)
				if _, fresh, err := ledger.Reserve(t.Context(), id, 10); err != nil || !fresh {
					t.Errorf("job %s: fresh %t, %v", id, fresh, err)
					return
				}
				switch random.IntN(4) {
				case 0: // dies before the call
				case 1: // dies after the call
					charged.Add(5)
				default:
					charged.Add(5)
					if err := ledger.Settle(t.Context(), id, 5); err != nil {
						t.Errorf("job %s: %v", id, err)
					}
					continue
				}
				if _, fresh, err := ledger.Reserve(t.Context(), id, 10); fresh || err != nil {
					t.Errorf("job %s was granted again, %v", id, err)
				}
			}
		})
	}
	running.Wait()
	ledger := open(t, srv, 10_000, true)
	if done, _ := ledger.Reconcile(t.Context(), charged.Load(), 0); done {
		t.Error("reconciled before the workers could be taken for dead")
	}
	ledger.now = func() time.Time { return time.Now().Add(pendingKept) }
	if done, err := ledger.Reconcile(t.Context(), charged.Load(), 0); !done || err != nil {
		t.Fatal(done, err)
	}
	if m, err := ledger.Read(t.Context()); err != nil || m.Spent != charged.Load() || m.Reserved() != 0 {
		t.Errorf("the provider charged %d, the ledger says %d with %d reserved, %v", charged.Load(), m.Spent, m.Reserved(), err)
	}
}
