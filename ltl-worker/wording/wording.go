// Package wording keeps what is known of the words around each carrier's percents, in [contracts.WordingBucket]. Three
// keys hold what is known of one carrier in one environment:
//
//	live.SAIA.accepted  the editions that a person accepted; only operators write it
//	live.SAIA.learned   lines that were new beside proven figures; workers add them
//	live.SAIA.doubts    what is in doubt now, by path, and since when; workers note it
//
// No key is ever deleted: a forgotten one is empty. The editions that are shipped with the recipes come on top.
package wording

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
	"assay.dev/platform/kv"
)

// The last parts of keys.
const (
	accepted = "accepted"
	learned  = "learned"
	doubts   = "doubts"
)

// Doubts is what is in doubt of one carrier.
type Doubts struct {
	// Since is when its answers began to be in doubt; nil while they are not.
	Since *time.Time `json:"since,omitempty"`
	// Paths are the paths whose last reading was in doubt.
	Paths map[string]Doubt `json:"paths,omitempty"`
}

// Doubt is the last reading of a path, which is in doubt.
type Doubt struct {
	Since time.Time        `json:"since"`
	Last  time.Time        `json:"last"`
	Notes []contracts.Note `json:"notes"`
	// Document is the one that was read; nil where it could not be kept.
	Document *contracts.Evidence `json:"document,omitempty"`
}

// Bucket reads and writes what is known. Operators work on it; workers use a [Store], which has it all in memory.
type Bucket struct {
	env contracts.Environment
	js  jetstream.JetStream
	kv  jetstream.KeyValue
}

// OpenBucket are those of an environment.
func OpenBucket(ctx context.Context, env contracts.Environment, js jetstream.JetStream) (Bucket, error) {
	bucket, err := kv.Open(ctx, js, contracts.WordingBucket)
	return Bucket{env, js, bucket}, err
}

// Known is what was accepted and learned of a carrier, without what is shipped.
func (b Bucket) Known(ctx context.Context, c contracts.Carrier) (w trust.Wording, err error) {
	if w.Editions, err = b.accepted(ctx, c); err != nil {
		return w, err
	}
	return w, b.readKey(ctx, c, learned, &w.Learned)
}

// Doubts are those of a carrier.
func (b Bucket) Doubts(ctx context.Context, c contracts.Carrier) (d Doubts, err error) {
	return d, b.readKey(ctx, c, doubts, &d)
}

// maxAccepted bounds what is accepted of one carrier, in bytes of JSON: some hundred editions.
const maxAccepted = 8 << 20

// Accept adds editions to those of a carrier.
func (b Bucket) Accept(ctx context.Context, c contracts.Carrier, added ...trust.Edition) error {
	return change(ctx, b, c, accepted, func(all *[]trust.Edition) error {
		*all = append(*all, added...)
		if doc, err := json.Marshal(*all); err != nil || len(doc) > maxAccepted {
			return errors.Join(err, fmt.Errorf("%s has %d accepted editions, which is too much: forget it, "+
				"and accept what it shows now", c, len(*all)-len(added)))
		}
		return nil
	})
}

func (b Bucket) accepted(ctx context.Context, c contracts.Carrier) (all []trust.Edition, err error) {
	return all, b.readKey(ctx, c, accepted, &all)
}

// replace puts editions in the place of all that the same person accepted.
func (b Bucket) replace(ctx context.Context, c contracts.Carrier, with []trust.Edition) error {
	return change(ctx, b, c, accepted, func(all *[]trust.Edition) error {
		*all = append(slices.DeleteFunc(*all, func(old trust.Edition) bool { return old.By == with[0].By }), with...)
		return nil
	})
}

// Forget removes accepted editions.
func (b Bucket) Forget(ctx context.Context, c contracts.Carrier, goes func(trust.Edition) bool) error {
	return forget(ctx, b, c, accepted, goes)
}

// ForgetLearned removes lines that were learned.
func (b Bucket) ForgetLearned(ctx context.Context, c contracts.Carrier, goes func(trust.Learned) bool) error {
	return forget(ctx, b, c, learned, goes)
}

func forget[T any](ctx context.Context, b Bucket, c contracts.Carrier, what string, goes func(T) bool) error {
	return change(ctx, b, c, what, func(all *[]T) error {
		*all = append([]T{}, slices.DeleteFunc(*all, goes)...)
		return nil
	})
}

func (b Bucket) key(c contracts.Carrier, what string) string {
	return string(b.env) + "." + string(c) + "." + what
}

func (b Bucket) readKey(ctx context.Context, c contracts.Carrier, what string, into any) error {
	value, _, err := kv.Get(ctx, b.kv, b.key(c, what))
	if err == nil && value == nil {
		err = kv.Absent(ctx, b.js, b.kv, b.key(c, what))
	}
	if err != nil {
		return fmt.Errorf("wording of %s: %w", c, err)
	}
	return decode(value, into)
}

// change edits one entry by compare-and-set.
func change[T any](ctx context.Context, b Bucket, c contracts.Carrier, what string, edit func(*T) error) error {
	err := kv.Change(ctx, b.kv, b.key(c, what), func(old []byte) ([]byte, error) {
		var all T
		if err := decode(old, &all); err != nil {
			return nil, err
		}
		if err := edit(&all); err != nil {
			return nil, err
		}
		doc, err := json.Marshal(all)
		return kv.Compress(doc), err
	})
	if err != nil {
		return fmt.Errorf("wording of %s: %w", c, err)
	}
	return nil
}

// decode reads an entry; nothing of no value.
func decode(value []byte, into any) error {
	if len(value) == 0 {
		return nil
	}
	doc, err := kv.Expand(value)
	if err == nil {
		err = json.Unmarshal(doc, into)
	}
	if err != nil {
		return &kv.Damaged{Stream: contracts.WordingBucket.Stream(), What: "an entry cannot be understood: " + err.Error()}
	}
	return nil
}
