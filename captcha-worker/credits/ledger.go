// Package credits keeps the ledger of paid calls in JetStream key-value, exact under any number of workers: what a call may
// cost is reserved before it, and what it did cost is settled after it. A job's reservation carries the job's id, so
// that a job delivered twice finds its own and does not pay twice.
package credits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"assay.dev/contracts"
	"github.com/nats-io/nats.go/jetstream"
)

// Ledger is the ledger of one environment and one kind of call.
type Ledger struct {
	bucket jetstream.KeyValue
	prefix string
	budget int64
	// counted is set where the provider keeps a count of its own.
	counted bool
	now     func() time.Time
	// mu lets one goroutine of the process contend for the key at a time.
	mu sync.Mutex
}

// Open uses bucket ([contracts.CreditsBucket]). A month begins with the budget given, unless one was set with
// [Ledger.SetBudget]. Where the provider keeps a count of its own, a month's ledger grants nothing before it was reconciled
// with that count: a lost ledger must not spend a budget twice.
func Open(bucket jetstream.KeyValue, env contracts.Environment, kind contracts.JobKind, budget int64, counted bool) *Ledger {
	return &Ledger{
		bucket: bucket, prefix: string(env) + "." + string(kind) + ".",
		budget: budget, counted: counted, now: time.Now,
	}
}

// Reserve sets amount aside for the job and says whether the grant is fresh. A grant that is not fresh was opened by an
// earlier delivery of the same job: its call may have been made, and must not be made again. The error is [ErrSpent],
// [ErrUncounted] or a failure of the bucket.
func (l *Ledger) Reserve(ctx context.Context, id string, amount int64) (g Grant, fresh bool, err error) {
	if g, ok, err := l.lastMonth(ctx, id); ok || err != nil {
		return g, false, err
	}
	_, err = l.change(ctx, l.month(), func(m *Month) (err error) {
		if l.counted && m.ReconciledAt.IsZero() {
			return ErrUncounted
		}
		g, fresh, err = m.reserve(id, amount, l.now())
		return err
	})
	return g, fresh, err
}

// Note keeps the provider's id of the job's call.
func (l *Ledger) Note(ctx context.Context, id, task string) error {
	return l.changeOf(ctx, id, func(m *Month) error { m.note(id, task, l.now()); return nil })
}

// Settle books what the job's call cost: 0 gives the reservation back. Settling again changes nothing.
func (l *Ledger) Settle(ctx context.Context, id string, cost int64) error {
	return l.changeOf(ctx, id, func(m *Month) error { m.settle(id, cost, l.now()); return nil })
}

// Reconcile makes what was spent this month the provider's own count, and says whether it did: not while calls are pending, nor
// within settling of the last one, because providers count late.
func (l *Ledger) Reconcile(ctx context.Context, used int64, settling time.Duration) (done bool, err error) {
	_, err = l.change(ctx, l.month(), func(m *Month) error {
		done = l.now().Sub(m.busyUntil()) >= settling && m.reconcile(used, l.now())
		return nil
	})
	return done, err
}

// SetBudget changes this month's budget.
func (l *Ledger) SetBudget(ctx context.Context, budget int64) error {
	_, err := l.change(ctx, l.month(), func(m *Month) error { m.Budget = budget; return nil })
	return err
}

// Read is this month's ledger.
func (l *Ledger) Read(ctx context.Context) (Month, error) {
	m, _, err := l.load(ctx, l.month())
	return m, err
}

func (l *Ledger) month() string { return l.now().UTC().Format("2006-01") }

func (l *Ledger) monthBefore() string {
	return l.now().UTC().Add(-settledKept).Format("2006-01")
}

// lastMonth finds a grant from just before the turn of the month.
func (l *Ledger) lastMonth(ctx context.Context, id string) (Grant, bool, error) {
	if l.monthBefore() == l.month() {
		return Grant{}, false, nil
	}
	m, _, err := l.load(ctx, l.monthBefore())
	g, ok := m.Grants[id]
	return g, ok, err
}

// changeOf changes the month that holds id's grant.
func (l *Ledger) changeOf(ctx context.Context, id string, f func(*Month) error) error {
	month := l.month()
	if _, ok, err := l.lastMonth(ctx, id); err != nil {
		return err
	} else if ok {
		month = l.monthBefore()
	}
	_, err := l.change(ctx, month, f)
	return err
}

// change is compare-and-set until it succeeds, ctx ends or f fails.
func (l *Ledger) change(ctx context.Context, month string, f func(*Month) error) (Month, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for backoff := time.Millisecond; ; backoff = min(2*backoff, 100*time.Millisecond) {
		m, revision, err := l.load(ctx, month)
		if err != nil {
			return m, err
		}
		if err := f(&m); err != nil {
			return m, err
		}
		switch err := l.store(ctx, month, m, revision); {
		case err == nil:
			return m, nil
		case !errors.Is(err, jetstream.ErrKeyRevisionMismatch) && !errors.Is(err, jetstream.ErrKeyExists):
			return m, fmt.Errorf("credits: %w", err)
		}
		select {
		case <-time.After(rand.N(backoff) + time.Millisecond/2):
		case <-ctx.Done():
			return m, ctx.Err()
		}
	}
}

func (l *Ledger) load(ctx context.Context, month string) (Month, uint64, error) {
	m := Month{Budget: l.budget}
	entry, err := l.bucket.Get(ctx, l.prefix+month)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return m, 0, nil
	}
	if err != nil {
		return m, 0, fmt.Errorf("credits: %w", err)
	}
	if err := json.Unmarshal(entry.Value(), &m); err != nil {
		return m, 0, fmt.Errorf("credits: the ledger of %s cannot be read: %w", month, err)
	}
	return m, entry.Revision(), nil
}

func (l *Ledger) store(ctx context.Context, month string, m Month, revision uint64) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if revision == 0 {
		_, err = l.bucket.Create(ctx, l.prefix+month, data)
		return err
	}
	_, err = l.bucket.Update(ctx, l.prefix+month, data, revision)
	return err
}
