// Package credits keeps the ledger of paid calls in JetStream key-value, exact under any number of workers: what a call
// may cost is reserved before it, and what it did cost is settled after it. A reservation carries the job's id, so that
// a job delivered twice finds its own and does not pay twice.
package credits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// paidKept is how long a settled job is remembered. It outlives the job stream's messages.
const paidKept = 30 * time.Minute

// Ledger is the ledger of one environment and one kind of call.
type Ledger struct {
	js     jetstream.JetStream
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
// [Ledger.SetBudget]. Where the provider keeps a count of its own, a month's ledger grants nothing before it was
// reconciled with that count: a lost ledger must not spend a budget twice.
func Open(
	js jetstream.JetStream, bucket jetstream.KeyValue, env contracts.Environment, kind contracts.JobKind,
	budget int64, counted bool,
) *Ledger {
	return &Ledger{
		js: js, bucket: bucket, prefix: string(env) + "." + string(kind) + ".",
		budget: budget, counted: counted, now: time.Now,
	}
}

// Reserve sets amount aside for the job and says whether the grant is fresh. A grant that is not fresh was opened by an
// earlier delivery of the same job: its call may have been made, and must not be made again. The error is [ErrSpent],
// [ErrUncounted] or a failure of the bucket.
func (l *Ledger) Reserve(ctx context.Context, id string, amount int64) (g Grant, fresh bool, err error) {
	if g, ok, err := l.earlier(ctx, id); ok || err != nil {
		return g, false, err
	}
	w, err := l.trusted(ctx)
	if err != nil {
		return g, false, failed(err)
	}
	attempt := nuid.Next()
	err = l.change(ctx, l.month(), func(m *Month) (err error) {
		if l.counted && m.ReconciledAt.IsZero() {
			return ErrUncounted
		}
		if restored := w.Unconfirmed(contracts.CreditsBucket.Stream()); restored != nil && !m.countedSince(w.Restored) {
			return fmt.Errorf("%w: %w", ErrUncounted, restored)
		}
		if _, pending := m.Pending[id]; !pending {
			// Another delivery may have reserved and settled since the look above. It remembered the job before it
			// booked it, so before m was read.
			var found bool
			if g, found, err = l.earlier(ctx, id); found {
				return errEarlier
			} else if err != nil {
				return err
			}
		}
		g, fresh, err = m.reserve(id, attempt, amount, l.now())
		return err
	})
	if errors.Is(err, errEarlier) {
		return g, false, nil
	}
	return g, fresh, err
}

// errEarlier ends a change of the ledger for a job that an earlier delivery has settled.
var errEarlier = errors.New("the job was settled by an earlier delivery")

// trusted returns what was seen of the ledgers, and a *[kv.Damaged] when they show less: what was spent may be more
// than they say then.
func (l *Ledger) trusted(ctx context.Context) (w kv.Witness, err error) {
	err = kv.Retry(ctx, func(ctx context.Context) (err error) {
		w, _, err = kv.Trust(ctx, l.js, contracts.CreditsBucket.Stream())
		return err
	})
	return w, err
}

// Attest notes the revision of this month's ledger, so that it cannot be lost in silence.
func (l *Ledger) Attest(ctx context.Context) error {
	key := l.prefix + l.month()
	value, revision, err := kv.Get(ctx, l.bucket, key)
	if err != nil || value == nil {
		return failed(err)
	}
	return failed(kv.AttestEntry(ctx, l.js, contracts.CreditsBucket, key, revision))
}

// Confirm says that ledgers that were restored from a backup may be used: those without a count of the provider's own
// grant nothing until then, because what was spent since the backup is not in them.
func Confirm(ctx context.Context, js jetstream.JetStream) error {
	return failed(kv.Retry(ctx, func(ctx context.Context) error {
		return kv.Confirm(ctx, js, contracts.CreditsBucket.Stream())
	}))
}

// Note keeps the provider's id of the job's call.
func (l *Ledger) Note(ctx context.Context, id, task string) error {
	month, err := l.monthOf(ctx, id)
	if err != nil {
		return err
	}
	return l.change(ctx, month, func(m *Month) error { m.noteTask(id, task, l.now()); return nil })
}

// Settle books what the job's call cost: 0 gives the reservation back. Settling again changes nothing.
func (l *Ledger) Settle(ctx context.Context, id string, cost int64) error {
	month, err := l.monthOf(ctx, id)
	if err != nil {
		return err
	}
	m, err := l.load(ctx, month)
	if err != nil {
		return err
	}
	// The job is remembered before it is booked: who comes between finds it paid, or pending.
	if g, ok := m.Pending[id]; ok {
		if err := l.remember(ctx, id, g); err != nil {
			return err
		}
	}
	return l.change(ctx, month, func(m *Month) error { m.settle(id, cost, l.now()); return nil })
}

// Reconcile makes what was spent this month the provider's own count, and says whether it did: not while calls are
// pending, nor within lag of the last one, because providers count late.
func (l *Ledger) Reconcile(ctx context.Context, used int64, lag time.Duration) (done bool, err error) {
	err = l.change(ctx, l.month(), func(m *Month) error {
		done = l.now().Sub(m.ChangedAt) >= lag && m.reconcile(used, l.now())
		return nil
	})
	return done, err
}

// SetBudget changes this month's budget.
func (l *Ledger) SetBudget(ctx context.Context, budget int64) error {
	return l.change(ctx, l.month(), func(m *Month) error { m.Budget = budget; return nil })
}

// Read is this month's ledger.
func (l *Ledger) Read(ctx context.Context) (Month, error) { return l.ReadMonth(ctx, l.now()) }

// ReadMonth is the ledger of the month of t.
func (l *Ledger) ReadMonth(ctx context.Context, t time.Time) (Month, error) {
	return l.load(ctx, monthName(t))
}

func (l *Ledger) month() string { return monthName(l.now()) }

func monthName(t time.Time) string { return t.UTC().Format("2006-01") }

// earlier finds what an earlier delivery of the job left: a settled call, or a grant from before the turn of the month.
func (l *Ledger) earlier(ctx context.Context, id string) (g Grant, found bool, err error) {
	paid, _, err := kv.Get(ctx, l.bucket, l.paidKey(id))
	if err != nil {
		return g, false, failed(err)
	}
	if paid != nil {
		err = json.Unmarshal(paid, &g)
		return g, true, err
	}
	month, err := l.monthOf(ctx, id)
	if err != nil || month == l.month() {
		return g, false, err
	}
	m, err := l.load(ctx, month)
	g, found = m.Pending[id]
	return g, found, err
}

func (l *Ledger) paidKey(id string) string { return l.prefix + "paid." + id }

func (l *Ledger) remember(ctx context.Context, id string, g Grant) error {
	data, err := json.Marshal(g)
	if err != nil {
		return err
	}
	err = kv.Retry(ctx, func(ctx context.Context) error {
		_, err := l.bucket.Create(ctx, l.paidKey(id), data, jetstream.KeyTTL(paidKept))
		return err
	})
	if err != nil && !kv.Conflict(err) {
		return fmt.Errorf("credits: %w", err)
	}
	return nil
}

// monthOf is the month that holds id's grant: this one, or the last one when it has just turned.
func (l *Ledger) monthOf(ctx context.Context, id string) (string, error) {
	before := monthName(l.now().Add(-paidKept))
	if before == l.month() {
		return before, nil
	}
	m, err := l.load(ctx, before)
	if _, ok := m.Pending[id]; ok || err != nil {
		return before, err
	}
	return l.month(), nil
}

// change edits the ledger of a month, until it is stored, ctx ends or edit fails.
func (l *Ledger) change(ctx context.Context, month string, edit func(*Month) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var refused error // edit's own, which callers tell apart
	err := kv.Change(ctx, l.bucket, l.prefix+month, func(old []byte) ([]byte, error) {
		m, err := l.decode(ctx, month, old)
		if err != nil {
			return nil, err
		}
		if refused = edit(&m); refused != nil {
			return nil, refused
		}
		return json.Marshal(m)
	})
	if refused != nil {
		return refused
	}
	return failed(err)
}

// load reads the ledger of a month; one that is not there has the budget given to [Open].
func (l *Ledger) load(ctx context.Context, month string) (Month, error) {
	value, _, err := kv.Get(ctx, l.bucket, l.prefix+month)
	if err != nil {
		return Month{}, failed(err)
	}
	m, err := l.decode(ctx, month, value)
	return m, failed(err)
}

// decode reads a ledger; nil stands for a ledger that was not found. It fails for a ledger that was lost, because
// money was spent of it.
func (l *Ledger) decode(ctx context.Context, month string, value []byte) (Month, error) {
	m := Month{Budget: l.budget}
	if value == nil {
		return m, kv.Retry(ctx, func(ctx context.Context) error { return l.absent(ctx, l.prefix+month) })
	}
	if err := json.Unmarshal(value, &m); err != nil {
		return m, fmt.Errorf("the ledger of %s cannot be read: %w", month, err)
	}
	return m, nil
}

// absent is nil when there never was a ledger under the key.
func (l *Ledger) absent(ctx context.Context, key string) error {
	if err := kv.Absent(ctx, l.js, l.bucket, key); err != nil {
		return err
	}
	w, err := kv.ReadWitness(ctx, l.js, contracts.CreditsBucket.Stream())
	if err != nil || w.Entries[key] == 0 {
		return err
	}
	begun, _, err := kv.Get(ctx, l.bucket, key) // by another, after it was not found here
	if err == nil && begun == nil {
		err = &kv.Damaged{Stream: contracts.CreditsBucket.Stream(), What: "the ledger " + key + " is gone"}
	}
	return err
}

func failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("credits: %w", err)
}
