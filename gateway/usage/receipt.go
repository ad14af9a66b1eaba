package usage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

// Receipts remember for a day how much of a request was charged, by its endpoint, its Idempotency-Key and its body, so
// that it is charged once however often and through however many gateways it is sent, and the key is not used for
// another body.
type Receipts struct {
	js                        jetstream.JetStream
	bucket                    jetstream.KeyValue
	charged, repeated, failed prometheus.Counter
}

// OpenReceipts binds [contracts.ReceiptsBucket].
func OpenReceipts(ctx context.Context, js jetstream.JetStream, r prometheus.Registerer) (*Receipts, error) {
	bucket, err := kv.Open(ctx, js, contracts.ReceiptsBucket)
	if err != nil {
		return nil, err
	}
	m := telemetry.NewMetrics(r)
	claims := m.Counters("gateway_receipts_total",
		"Parts of requests with an Idempotency-Key: charged for the first time, repeated without a "+
			"charge, or failed to be told.", "outcome")
	if err := m.Err(); err != nil {
		return nil, err
	}
	return &Receipts{
		js: js, bucket: bucket, charged: claims.WithLabelValues("charged"), repeated: claims.WithLabelValues("repeated"),
		failed: claims.WithLabelValues("failed"),
	}, nil
}

// Receipt says how much of one request was charged.
type Receipt struct {
	*Receipts
	// key is the entry's, body the hash of the request's.
	key      string
	revision uint64
	// stored is what was claimed, and before what it was before the last claim; nil where that one raised nothing.
	stored stored
	before *stored
}

// Of is the receipt of a tenant's request to an endpoint. It is not read before [Receipt.Claim].
func (r *Receipts) Of(env contracts.Environment, tenant, endpoint, idempotencyKey string, body []byte) *Receipt {
	content := sha256.Sum256(body)
	name := sha256.Sum256([]byte(strings.Join([]string{string(env), tenant, endpoint, idempotencyKey}, "\x00")))
	return &Receipt{Receipts: r, key: hex.EncodeToString(name[:16]), stored: stored{Body: hex.EncodeToString(content[:])}}
}

// claimTime bounds a claim: an answer waits for it.
const claimTime = 5 * time.Second

// Claim notes that the lines up to a number were answered, of which so many resolved ones are charged. It tells how
// many of those are not charged yet, to one of several claimants only, and whether the lines were answered before. A
// repetition that resolves more lines than were charged, such as by terms that are there now, owes the difference.
// After an error it is not known, and nobody may charge them: INVALID_REQUEST where another body came with the same
// key. The end of ctx does not end a claim, because it would not be known then.
func (r *Receipt) Claim(ctx context.Context, through, resolved int) (due int, isRepeated bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTime)
	defer cancel()
	var isRaised bool
	r.before = nil
	err = kv.RetryConflicts(ctx, func() (err error) {
		isRaised, err = r.raise(ctx, through, resolved)
		return err
	})
	switch {
	case contracts.CodeOf(err) == contracts.InvalidRequest:
		return 0, false, err
	case err != nil:
		r.failed.Inc()
		return 0, false, err
	case isRaised:
		r.charged.Inc()
		return r.stored.charged() - r.before.charged(), r.stored.Through == r.before.Through, nil
	}
	r.repeated.Inc()
	return 0, true, nil
}

// Next claims one more of as many as most, and tells whether one was left. Of all who claim, each is told so of another
// one.
func (r *Receipt) Next(ctx context.Context, most int) (isLeft bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTime)
	defer cancel()
	for !isLeft && r.stored.Through < most && err == nil { // one that is told no has read how far the others are
		err = kv.RetryConflicts(ctx, func() (err error) {
			isLeft, err = r.raise(ctx, r.stored.Through+1, r.stored.Through+1)
			return err
		})
	}
	return isLeft, err
}

// Release takes back the last claim, whose lines nobody got. Nothing changes where that one raised nothing, such as one
// that failed, or once another request has claimed more.
func (r *Receipt) Release(ctx context.Context) error {
	if r.before == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTime)
	defer cancel()
	value, err := json.Marshal(r.before)
	if err != nil {
		return err
	}
	revision, err := kv.Swap(ctx, r.js, contracts.ReceiptsBucket, r.key, value, r.revision)
	if kv.Conflict(err) {
		return nil
	}
	if err == nil {
		r.stored, r.revision, r.before = *r.before, revision, nil
	}
	return err
}

// stored is the entry of a receipt: up to which line the request was answered, and how many of those lines were not
// charged.
type stored struct {
	Through int    `json:"through"`
	Free    int    `json:"free,omitempty"`
	Body    string `json:"body"`
}

func (s stored) charged() int { return s.Through - s.Free }

func (s stored) covers(through, resolved int) bool {
	return through <= s.Through && resolved <= s.charged()
}

// raise puts higher numbers into the entry as it was read last, and tells whether one of them was. When another request
// came first the entry is read anew: it may hold the numbers already. Otherwise the error is the conflict.
func (r *Receipt) raise(ctx context.Context, through, resolved int) (isRaised bool, err error) {
	if r.stored.covers(through, resolved) {
		return false, nil
	}
	raised := stored{Through: max(through, r.stored.Through), Body: r.stored.Body}
	raised.Free = raised.Through - max(resolved, r.stored.charged())
	value, err := json.Marshal(raised)
	if err != nil {
		return false, err
	}
	revision, err := kv.Swap(ctx, r.js, contracts.ReceiptsBucket, r.key, value, r.revision)
	switch {
	case err == nil:
		r.before, r.stored, r.revision = new(r.stored), raised, revision
		return true, nil
	case !kv.Conflict(err):
		return false, err
	}
	if unread := r.readStored(ctx); unread != nil {
		return false, unread
	}
	if r.stored.covers(through, resolved) {
		return false, nil
	}
	return false, err
}

func (r *Receipt) readStored(ctx context.Context) error {
	entry, err := r.bucket.Get(ctx, r.key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		r.stored, r.revision = stored{Body: r.stored.Body}, 0
		return nil
	}
	if err != nil {
		return err
	}
	var s stored
	if err := json.Unmarshal(entry.Value(), &s); err != nil {
		return &kv.Damaged{Stream: contracts.ReceiptsBucket.Stream(), What: "a receipt cannot be understood: " + err.Error()}
	}
	if s.Body != r.stored.Body {
		return contracts.Invalid("header", "Idempotency-Key", "idempotency_key", "another body came with this key within "+
			"the last 24 hours: send this one with a key of its own")
	}
	r.stored, r.revision = s, entry.Revision()
	return nil
}
