package keys

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/kv"
)

const (
	// copyLife is how long a record of the copy is used without asking the bucket. A revocation must hold within 5 s:
	// that is copyLife and the time of a probe and a look-up.
	copyLife = 4 * time.Second
	// outageLife is how long a gateway accepts the keys that it knows while the bucket does not answer.
	outageLife = 30 * time.Minute
	// askTimeout bounds one look-up, and one probe. askAgainTimeout bounds the look-up of a known key, which may be used
	// without an answer.
	askTimeout      = time.Second
	askAgainTimeout = 400 * time.Millisecond
	// maxAsking bounds the look-ups at the same time.
	maxAsking = 64
	// neverChecked stands for "never checked". Every age counted from it is long, and none overflows.
	neverChecked = math.MinInt64 / 2
	// restAfterFailure is how long the bucket is not asked about known keys after it failed to answer. Each probe that
	// fails begins this time anew, so that no request waits for a bucket without a leader.
	restAfterFailure = 2 * time.Second
)

// Directory is a gateway's copy of the keys' bucket. [Directory.Follow] keeps it current with a watch. A watch may fall
// behind without an error, so Follow also compares the copy with the bucket each second. When the last comparison that
// found the copy complete is longer than copyLife ago, the directory asks the bucket about each key. A bucket that
// shows less than was seen of it counts as one that does not answer: a key that it does not hold may have been lost,
// and one that it holds may have been revoked.
type Directory struct {
	js     jetstream.JetStream
	bucket jetstream.KeyValue

	mu      sync.RWMutex
	records recordSet

	loaded   atomic.Bool
	damage   atomic.Pointer[kv.Damaged] // of the bucket, as the last load found it
	refused  atomic.Bool                // the bucket shows less than was seen of it, or was restored and not confirmed
	copyLife time.Duration              // the constant copyLife, or a shorter time in tests
	askTime  time.Duration
	born     time.Time
	current  atomic.Int64 // when the copy was last found complete, as sinceBorn tells time
	failed   atomic.Int64 // when the bucket last did not answer
	asking   chan struct{}
}

// OpenDirectory opens the bucket. The copy is empty until [Directory.Follow] runs. The look-up of a key that the copy
// does not have lasts for askTime at most; 0 is a second.
func OpenDirectory(ctx context.Context, js jetstream.JetStream, askTime time.Duration) (*Directory, error) {
	bucket, err := kv.Open(ctx, js, contracts.KeysBucket)
	if err != nil {
		return nil, err
	}
	d := &Directory{js: js, bucket: bucket, records: recordSet{}, copyLife: copyLife, born: time.Now(),
		askTime: cmp.Or(askTime, askTimeout),
		asking:  make(chan struct{}, maxAsking)}
	d.current.Store(neverChecked)
	d.failed.Store(neverChecked)
	return d, nil
}

// sinceBorn returns the nanoseconds since the directory was opened. It does not jump when somebody sets the clock.
func (d *Directory) sinceBorn() int64 { return int64(time.Since(d.born)) }

// Loaded tells whether the copy has been complete once.
func (d *Directory) Loaded() bool { return d.loaded.Load() }

// Damage returns what was wrong with the bucket when it was last copied, a *[kv.Damaged], or nil. While there is
// damage, a key that is not found is [ErrUnverifiable] and not [ErrUnknown]: its record may be among those that are
// lost.
func (d *Directory) Damage() error {
	if damage := d.damage.Load(); damage != nil {
		return damage
	}
	return nil
}

// staleAfter is how old the copy may be before [Directory.Stale] says so: longer than a change of leaders takes.
const staleAfter = 15 * time.Second

// Stale is an error while the copy cannot be compared with the bucket, such as while NATS is away.
func (d *Directory) Stale() error {
	age := d.Age()
	if !d.Loaded() || age < staleAfter {
		return nil
	}
	return fmt.Errorf("the copy of the keys was last proven complete %s ago: known keys are accepted for %s from "+
		"then on, also revoked ones",
		age.Round(time.Second), outageLife)
}

// Age returns the time since the copy was last found complete, and many years when it never was.
func (d *Directory) Age() time.Duration { return time.Duration(d.sinceBorn() - d.current.Load()) }

// Lookup returns the record of a key that may be used now. Other callers get the same record: do not change it. The
// errors are [ErrUnknown], [ErrExpired], [ErrRevoked] and [ErrUnverifiable]. Before Lookup asks the bucket about a key
// that is not in the copy, it calls admit, and returns admit's error if there is one: so strangers cannot make a
// gateway ask too often.
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
	record := known.record()
	if err := record.Usable(); err != nil {
		return nil, err
	}
	return record, nil
}

// ByID returns the hash of the key with that id in the copy, as [Hash.ID] has it. The error is [ErrUnknown] where none or
// several have it, and [ErrUnverifiable] where none has it and the copy may not be complete: the bucket cannot be asked
// about an id.
func (d *Directory) ByID(id string) (Hash, error) {
	beginning, err := hex.DecodeString(id)
	if err != nil || len(id) != idLength {
		return Hash{}, ErrUnknown
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	switch k := d.records[keyID(beginning)]; {
	case k == nil && (d.Age() > d.copyLife || d.refused.Load() || d.Damage() != nil):
		return Hash{}, ErrUnverifiable
	case k == nil || k.next != nil:
		return Hash{}, ErrUnknown
	default:
		return k.hash, nil
	}
}

func (d *Directory) get(h Hash) *heldRecord {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.records.get(h)
}

func (d *Directory) lastProof(k *heldRecord) int64 { return max(k.verified.Load(), d.current.Load()) }

// fresh tells whether k may be used without asking the bucket: it is young enough, or the bucket has just failed to
// answer.
func (d *Directory) fresh(k *heldRecord, t int64) bool {
	return t-d.lastProof(k) < int64(d.copyLife) || t-d.failed.Load() < int64(restAfterFailure)
}

// ask reads the record from the bucket. When the bucket has none, ask remembers that only for a key that the copy held.
func (d *Directory) ask(ctx context.Context, h Hash, known *heldRecord) (*heldRecord, error) {
	patience := d.askTime
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
	if d.refused.Load() {
		return nil, ErrUnverifiable
	}
	sent := d.sinceBorn()
	e, err := bus.WhileConnected(ctx, d.js.Conn(), func(ctx context.Context) (jetstream.KeyValueEntry, error) {
		return d.bucket.Get(ctx, h.String())
	})
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		if d.incomplete(ctx, h, known) {
			return nil, ErrUnverifiable
		}
		return d.forget(h, known, sent)
	case err != nil:
		if !errors.Is(err, context.Canceled) {
			d.failed.Store(d.sinceBorn())
		}
		return nil, ErrUnverifiable
	}
	k, err := newHeld(e)
	if err != nil {
		return nil, ErrUnverifiable // the key has a record, which is damaged
	}
	k = d.put(k)
	k.verified.Store(sent)
	return k, nil
}

// incomplete tells whether the bucket has lost records, so that a missing one proves nothing. It checks the bucket
// when the last copy found damage, or when a record is gone that the copy held.
func (d *Directory) incomplete(ctx context.Context, h Hash, known *heldRecord) bool {
	if known == nil {
		return d.Damage() != nil
	}
	return !known.gone && kv.Absent(ctx, d.js, d.bucket, h.String()) != nil
}

// forget marks a record that the bucket does not hold. One that came meanwhile stays: the bucket may have been asked
// before it was written.
func (d *Directory) forget(h Hash, known *heldRecord, sent int64) (*heldRecord, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch old := d.records.get(h); {
	case old == nil:
		return nil, ErrUnknown
	case old != known:
		return old, nil
	}
	k := &heldRecord{packed: known.packed, hash: h, revision: known.revision, gone: true}
	k.verified.Store(sent)
	d.records.put(k)
	return k, nil
}

// replace takes what a load found for the copy. Revisions of a bucket that was made anew, or came back as it was before,
// do not continue the old ones, so no record is compared. What a damaged bucket does not deliver stays.
func (d *Directory) replace(loaded recordSet) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Damage() != nil {
		loaded.addMissing(d.records)
	}
	d.records = loaded
}

// put keeps the newer one of k and the record in the copy, and returns it.
func (d *Directory) put(k *heldRecord) *heldRecord {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.records.renew(k)
}

func newHeld(e jetstream.KeyValueEntry) (*heldRecord, error) {
	k := &heldRecord{revision: e.Revision()}
	var err error
	if e.Operation() != jetstream.KeyValuePut {
		k.gone = true
		k.hash, err = parseHash(e.Key())
		return k, err
	}
	var r Record
	if k.hash, r, err = decode(e.Key(), e.Value()); err == nil {
		k.packed = pack(&r)
	}
	return k, err
}
