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

// Receipts remember for a day how much of a request was charged, by its Idempotency-Key, and its body, so that it is charged once however
// often and through however many gateways it is sent, and the key is not used for another body.
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
		"Parts of requests with an Idempotency-Key: charged for the first time, repeated without a charge, or failed to be told.", "outcome")
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
	key, body string
	revision  uint64
	// through is up to which line the request was charged, and before what it was before the last claim.
	through, before int
}

// Of is the receipt of a tenant's request. It is not read before [Receipt.Claim].
func (r *Receipts) Of(env contracts.Environment, tenant, idempotencyKey string, body []byte) *Receipt {
	content := sha256.Sum256(body)
	name := sha256.Sum256([]byte(strings.Join([]string{string(env), tenant, idempotencyKey}, "\x00")))
	return &Receipt{Receipts: r, key: hex.EncodeToString(name[:16]), body: hex.EncodeToString(content[:])}
}

// claimTime bounds a claim: an answer waits for it.
const claimTime = 5 * time.Second

// Claim notes that the lines up to a number are charged. It tells whether they were not yet: of all who claim the same
// lines one is told so. After an error it is not known, and nobody may charge them: INVALID_REQUEST where another body came with the same
// key. The end of ctx does not end a claim, because it would not be known then.
func (r *Receipt) Claim(ctx context.Context, through int) (isFirst bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTime)
	defer cancel()
	err = kv.Contend(ctx, func() (err error) {
		isFirst, err = r.raise(ctx, through)
		return err
	})
	switch {
	case contracts.CodeOf(err) == contracts.InvalidRequest:
		return false, err
	case err != nil:
		r.failed.Inc()
		return false, err
	case isFirst:
		r.charged.Inc()
	default:
		r.repeated.Inc()
	}
	return isFirst, nil
}

// Next claims one more of as many as most, and tells whether one was left. Of all who claim, each is told so of another one.
func (r *Receipt) Next(ctx context.Context, most int) (isLeft bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTime)
	defer cancel()
	for !isLeft && r.through < most && err == nil { // one that is told no has read how far the others are
		err = kv.Contend(ctx, func() (err error) {
			isLeft, err = r.raise(ctx, r.through+1)
			return err
		})
	}
	return isLeft, err
}

// Release takes back the last claim, whose lines nobody got. Once another request has claimed more, nothing changes.
func (r *Receipt) Release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTime)
	defer cancel()
	value, err := json.Marshal(stored{r.before, r.body})
	if err != nil {
		return err
	}
	revision, err := kv.Swap(ctx, r.js, contracts.ReceiptsBucket, r.key, value, r.revision)
	if kv.Conflict(err) {
		return nil
	}
	if err == nil {
		r.through, r.revision = r.before, revision
	}
	return err
}

// stored is the entry of a receipt.
type stored struct {
	Through int    `json:"through"`
	Body    string `json:"body"`
}

// raise puts a higher number into the entry as it was read last, and tells whether it did. When another request came
// first the entry is read anew: it may hold the number already. Otherwise the error is the conflict.
func (r *Receipt) raise(ctx context.Context, through int) (isRaised bool, err error) {
	if through <= r.through {
		return false, nil
	}
	value, err := json.Marshal(stored{through, r.body})
	if err != nil {
		return false, err
	}
	revision, err := kv.Swap(ctx, r.js, contracts.ReceiptsBucket, r.key, value, r.revision)
	switch {
	case err == nil:
		r.before, r.through, r.revision = r.through, through, revision
		return true, nil
	case !kv.Conflict(err):
		return false, err
	}
	if unread := r.readStored(ctx); unread != nil {
		return false, unread
	}
	if through <= r.through {
		return false, nil
	}
	return false, err
}

func (r *Receipt) readStored(ctx context.Context) error {
	entry, err := r.bucket.Get(ctx, r.key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		r.through, r.revision = 0, 0
		return nil
	}
	if err != nil {
		return err
	}
	var s stored
	if err := json.Unmarshal(entry.Value(), &s); err != nil {
		return &kv.Damaged{Stream: contracts.ReceiptsBucket.Stream(), What: "a receipt cannot be understood: " + err.Error()}
	}
	if s.Body != r.body {
		return contracts.Invalid("header", "Idempotency-Key", "idempotency_key", "another body came with this key within the last 24 hours: send this one with a key of its own")
	}
	r.through, r.revision = s.Through, entry.Revision()
	return nil
}
