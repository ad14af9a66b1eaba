package kv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// Witness is what was seen of a stream and can never fall, such as its last sequence. It is kept in
// [contracts.WitnessesBucket] under the stream's name. A stream that shows less has lost something, even when its own
// numbers agree: a bucket of keys whose file was cut is a whole bucket without its last keys.
type Witness struct {
	// At is when Last was seen, by the server's clock.
	At time.Time `json:"at"`
	// Last is the stream's last sequence, First its first one. No sequence is ever given twice.
	Last  mark `json:"last"`
	First mark `json:"first"`
	// Hash is the SHA-256 of the message Last in hex; "" where it is not read. Buckets have none: their messages are
	// replaced.
	Hash string `json:"hash,omitempty"`
	// Keys is how many keys a bucket holds from which none is ever removed.
	Keys uint64 `json:"keys,omitempty"`
	// MaxAge and MaxBytes are the stream's limits: they alone explain that its first sequence rises.
	MaxAge   time.Duration `json:"max_age,omitempty"`
	MaxBytes int64         `json:"max_bytes,omitempty"`
	// Entries are the revisions of keys that stay, such as the ledger of a month.
	Entries map[string]uint64 `json:"entries,omitempty"`
	// Restored is the moment of the backup from which the stream was put back, until an operator confirms it.
	Restored time.Time `json:"restored,omitzero"`
	// Gap is what a restored stream of events lacks; it stays, also once the stream is used again.
	Gap Gap `json:"gap,omitzero"`
	// Half tells that a restore of the stream began and has not come to its end.
	Half bool `json:"half,omitempty"`
}

// Gap is the time from a backup to its restore: what came between may be missing.
type Gap struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// mark is a message of a stream.
type mark struct {
	Sequence uint64    `json:"sequence"`
	Time     time.Time `json:"time,omitzero"`
}

func (m mark) String() string {
	return fmt.Sprintf("%d of %s", m.Sequence, m.Time.UTC().Format(time.RFC3339))
}

// ReadWitness returns the witness of a stream; one of which nothing was seen is empty.
func ReadWitness(ctx context.Context, js jetstream.JetStream, stream string) (Witness, error) {
	bucket, err := Open(ctx, js, contracts.WitnessesBucket)
	if err != nil {
		return Witness{}, err
	}
	value, _, err := Get(ctx, bucket, stream)
	if err == nil && value == nil {
		err = Absent(ctx, js, bucket, stream)
	}
	if err != nil {
		return Witness{}, fmt.Errorf("witness of %s: %w", stream, err)
	}
	return decodeWitness(stream, value)
}

func decodeWitness(stream string, value []byte) (w Witness, err error) {
	if value == nil {
		return w, nil
	}
	if err := json.Unmarshal(value, &w); err != nil {
		return w, &Damaged{Stream: contracts.WitnessesBucket.Stream(), What: "the witness of " + stream +
			" cannot be understood: " + err.Error()}
	}
	return w, nil
}

// errSame ends a change that changes nothing.
var errSame = errors.New("nothing changes")

// changeWitness edits the witness of a stream. The edit returns errSame when there is nothing to write.
func changeWitness(ctx context.Context, js jetstream.JetStream, stream string, edit func(*Witness) error) error {
	bucket, err := Open(ctx, js, contracts.WitnessesBucket)
	if err != nil {
		return err
	}
	err = Change(ctx, bucket, stream, func(old []byte) ([]byte, error) {
		if old == nil {
			if err := Absent(ctx, js, bucket, stream); err != nil {
				return nil, err
			}
		}
		w, err := decodeWitness(stream, old)
		if err != nil {
			return nil, err
		}
		if err := edit(&w); err != nil {
			return nil, err
		}
		return json.Marshal(w)
	})
	if errors.Is(err, errSame) {
		return nil
	}
	return err
}

// Attest compares a stream with its witness and notes what it holds now. It returns a *[Damaged] when the stream shows
// less than was seen, and the error of doubt, which is asked before anything is noted, where it is not nil. The user
// needs the right to read messages of a stream that is no bucket.
func Attest(ctx context.Context, js jetstream.JetStream, name string, doubt func() error) error {
	return changeWitness(ctx, js, name, func(w *Witness) error {
		// The stream is asked after its witness was read: a witness that another wrote in between would know more than
		// an older answer.
		stream, err := js.Stream(ctx, name)
		if err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
		info := stream.CachedInfo()
		if err := w.fallen(info); err != nil {
			return err
		}
		if err := w.compare(ctx, stream); err != nil {
			return err
		}
		next := w.grown(info)
		if reflect.DeepEqual(next, *w) {
			return errSame
		}
		if doubt != nil {
			if err := doubt(); err != nil {
				return err
			}
		}
		if next.Last != w.Last && appended(name) {
			next.Hash, _ = hashAt(ctx, stream, next.Last.Sequence) // without one, one check less
		}
		next.At = info.TimeStamp
		*w = next
		return nil
	})
}

// AttestEntry notes the revision of a key that must not go back.
func AttestEntry(ctx context.Context, js jetstream.JetStream, b contracts.Bucket, key string, revision uint64) error {
	return changeWitness(ctx, js, b.Stream(), func(w *Witness) error {
		if w.Entries[key] >= revision {
			return errSame
		}
		w.Entries = maps.Clone(w.Entries)
		if w.Entries == nil {
			w.Entries = map[string]uint64{}
		}
		w.Entries[key] = revision
		return nil
	})
}

// Confirm says that a restored stream may be used as it is.
func Confirm(ctx context.Context, js jetstream.JetStream, stream string) error {
	return changeWitness(ctx, js, stream, func(w *Witness) error {
		if w.Restored.IsZero() {
			return errSame
		}
		w.Restored = time.Time{}
		return nil
	})
}

// Forget drops what was seen of a stream that was made anew or restored, because the new stream begins from nothing.
// next is what is known of the new one; its Restored is set for a stream that then waits for [Confirm]. A gap that an
// earlier restore left becomes part of the next one.
func Forget(ctx context.Context, js jetstream.JetStream, stream string, next Witness) error {
	return changeWitness(ctx, js, stream, func(w *Witness) error {
		if before := w.Gap.From; !next.Gap.From.IsZero() && !before.IsZero() && before.Before(next.Gap.From) {
			next.Gap.From = before
		}
		*w = next
		return nil
	})
}

// BeginRestore says that a stream is being put back, from the sequence first on. It is damaged until [Forget].
func BeginRestore(ctx context.Context, js jetstream.JetStream, stream string, first uint64) error {
	return changeWitness(ctx, js, stream, func(w *Witness) error {
		w.Half, w.Last.Sequence = true, max(first, w.Last.Sequence)
		return nil
	})
}

// LifeGap is how far beyond what was last witnessed of a stream its next life begins: far more than it can have grown
// since.
const LifeGap = 1_000_000

// NextLife is the first sequence of a stream that is made anew. It lies far beyond every sequence that was ever
// given. So whoever holds an old sequence, such as a gateway with its copy of a key, never mistakes a new message for
// an old one.
func NextLife(last uint64) uint64 {
	if last == 0 {
		return 0 // the server's default, 1
	}
	return last + LifeGap
}

// Trust returns what was seen of a stream, and a *[Damaged] when the stream shows less. It makes the fewest exchanges
// of all such checks.
func Trust(ctx context.Context, js jetstream.JetStream, stream string) (Witness, *jetstream.StreamInfo, error) {
	w, unread := ReadWitness(ctx, js, stream) // before the stream, as in Attest
	s, err := find(ctx, js, stream)
	if err != nil {
		return Witness{}, nil, err
	}
	if unread == nil {
		unread = w.fallen(s.CachedInfo())
	}
	return w, s.CachedInfo(), unread
}

// find returns a stream, and a *[Damaged] when it is gone.
func find(ctx context.Context, js jetstream.JetStream, name string) (jetstream.Stream, error) {
	stream, err := js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, &Damaged{Stream: name, What: "it is gone, with all that it held"}
	}
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", name, err)
	}
	return stream, nil
}

// Unconfirmed returns a *[Damaged] when the stream was restored and nobody confirmed it.
func (w *Witness) Unconfirmed(stream string) error {
	if w.Restored.IsZero() {
		return nil
	}
	return &Damaged{Stream: stream, Unconfirmed: true, What: "it was restored from a backup of " +
		w.Restored.UTC().Format(time.RFC3339) +
		", what changed since is lost, and nobody confirmed it"}
}
