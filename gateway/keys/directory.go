package keys

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

const (
	// copyLife bounds how old a record may be when it is used unasked. With the time a probe and a look-up take it
	// stays below the 5 s within which a revocation must hold.
	copyLife = 4 * time.Second
	// outageLife bounds how long known keys are accepted while the bucket cannot be asked.
	outageLife = 30 * time.Minute
	// askTimeout bounds one look-up; askAgainTimeout one about a key that is known, which may be used without an answer.
	askTimeout      = time.Second
	askAgainTimeout = 400 * time.Millisecond
	// maxAsking bounds look-ups at one time.
	maxAsking = 64
	// never is before everything.
	never = math.MinInt64 / 2
	// restAfterFailure is how long the bucket is not asked about known keys after it did not answer. Probes that fail
	// prolong it, so that no request waits for a bucket without a leader.
	restAfterFailure = 2 * time.Second
)

// Directory is a copy of the keys' bucket, kept current by [Directory.Follow]. A watch of a bucket may lag silently, so
// the copy's age is the time since a probe last proved it complete; when that is too long ago, the bucket is asked about
// each key.
type Directory struct {
	js     jetstream.JetStream
	bucket jetstream.KeyValue

	mu      sync.RWMutex
	records map[Hash]*held

	loaded  atomic.Bool
	damage  atomic.Pointer[kv.Damaged] // of the bucket, as the last load found it
	born    time.Time
	current atomic.Int64 // when the copy was last proven complete, as sinceBorn tells time
	failed  atomic.Int64 // when the bucket last did not answer
	asking  chan struct{}

	applied uint64 // the newest revision in the copy; only Follow uses it
}

// held is one record in the copy; it is replaced, never changed, but for the time it was verified.
type held struct {
	Record
	hash     Hash
	revision uint64
	gone     bool // deleted from the bucket
	verified atomic.Int64
}

// OpenDirectory binds the bucket. The copy is empty until [Directory.Follow] runs.
func OpenDirectory(ctx context.Context, js jetstream.JetStream) (*Directory, error) {
	bucket, err := kv.Open(ctx, js, contracts.KeysBucket)
	if err != nil {
		return nil, err
	}
	d := &Directory{js: js, bucket: bucket, records: map[Hash]*held{}, born: time.Now(), asking: make(chan struct{}, maxAsking)}
	d.current.Store(never)
	d.failed.Store(never)
	return d, nil
}

// sinceBorn is monotonic: ages do not change when the wall clock is set.
func (d *Directory) sinceBorn() int64 { return int64(time.Since(d.born)) }

// Loaded tells whether the whole bucket has been copied once.
func (d *Directory) Loaded() bool { return d.loaded.Load() }

// Damage is what is wrong with the bucket as it was last copied: a *[kv.Damaged], or nil. Keys that are not known are
// then [ErrUnverifiable], not [ErrUnknown].
func (d *Directory) Damage() error {
	if damage := d.damage.Load(); damage != nil {
		return damage
	}
	return nil
}

// Age is the time since the copy was last proven complete; very long when it never was.
func (d *Directory) Age() time.Duration { return time.Duration(d.sinceBorn() - d.current.Load()) }

// Lookup returns the record of a key that may be used now. The record is shared: do not change it. The errors are
// [ErrUnknown], [ErrExpired], [ErrRevoked], [ErrUnverifiable] and what admit returns, which is called before the bucket
// is asked about a key that is not known here.
func (d *Directory) Lookup(ctx context.Context, h Hash, admit func() error) (*Record, error) {
	t := d.sinceBorn()
	known := d.get(h)
	if known == nil {
		if err := admit(); err != nil {
			return nil, err
		}
	}
	if known == nil || !d.fresh(known, t) {
		asked, err := d.ask(ctx, h, known)
		switch {
		case err == nil:
			known = asked
		case known == nil || t-d.lastProof(known) > int64(outageLife):
			return nil, err
		}
	}
	if known.gone {
		return nil, ErrUnknown
	}
	if err := known.Usable(); err != nil {
		return nil, err
	}
	return &known.Record, nil
}

func (d *Directory) get(h Hash) *held {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.records[h]
}

func (d *Directory) lastProof(k *held) int64 { return max(k.verified.Load(), d.current.Load()) }

// fresh also holds while the bucket rests after a failure: then there is no better knowledge to be had.
func (d *Directory) fresh(k *held, t int64) bool {
	return t-d.lastProof(k) < int64(copyLife) || t-d.failed.Load() < int64(restAfterFailure)
}

// ask reads the record from the bucket. Absence is an answer, kept only for keys that the copy knew.
func (d *Directory) ask(ctx context.Context, h Hash, known *held) (*held, error) {
	patience := askTimeout
	if known != nil {
		patience = askAgainTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case d.asking <- struct{}{}:
		defer func() { <-d.asking }()
	case <-ctx.Done():
		return nil, ErrUnverifiable
	}
	sent := d.sinceBorn()
	e, err := d.bucket.Get(ctx, h.String())
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		if d.incomplete(ctx, h, known) {
			return nil, ErrUnverifiable
		}
		return d.forget(h, sent)
	case err != nil:
		if !errors.Is(err, context.Canceled) {
			d.failed.Store(d.sinceBorn())
		}
		return nil, ErrUnverifiable
	}
	k, err := newHeld(e)
	if err != nil {
		return nil, ErrUnverifiable // somebody's key, and damaged
	}
	k = d.put(k)
	k.verified.Store(sent)
	return k, nil
}

// incomplete tells whether the bucket lost what it held, so that what it does not find says nothing. The bucket is asked
// when it was found short, or when a key is gone that was there.
func (d *Directory) incomplete(ctx context.Context, h Hash, known *held) bool {
	if known == nil {
		return d.Damage() != nil
	}
	return !known.gone && kv.Absent(ctx, d.js, d.bucket, h.String()) != nil
}

func (d *Directory) forget(h Hash, sent int64) (*held, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.records[h]
	if old == nil {
		return nil, ErrUnknown
	}
	k := &held{Record: old.Record, hash: h, revision: old.revision, gone: true}
	k.verified.Store(sent)
	d.records[h] = k
	return k, nil
}

// put keeps the newer of k and what is held, and returns it.
func (d *Directory) put(k *held) *held {
	d.mu.Lock()
	defer d.mu.Unlock()
	if old := d.records[k.hash]; old != nil && old.revision > k.revision {
		return old
	}
	d.records[k.hash] = k
	return k
}

func newHeld(e jetstream.KeyValueEntry) (*held, error) {
	k := &held{revision: e.Revision()}
	var err error
	if e.Operation() != jetstream.KeyValuePut {
		k.gone = true
		k.hash, err = parseHash(e.Key())
		return k, err
	}
	k.hash, k.Record, err = decode(e.Key(), e.Value())
	return k, err
}

// OfTenant are a tenant's keys in an environment as they are known here, the newest first. Keys of the marketplace's proxy
// secret have none.
func (d *Directory) OfTenant(env contracts.Environment, tenant string) []Listed {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var all []Listed
	for _, k := range d.records {
		if !k.gone && k.Environment == env && k.Tenant == tenant {
			all = append(all, Listed{ID: k.hash.ID(), Record: k.Record})
		}
	}
	slices.SortFunc(all, func(a, b Listed) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return all
}
