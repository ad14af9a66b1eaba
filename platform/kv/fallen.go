package kv

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

// fallen returns a *[Damaged] when the stream shows less than the witness.
func (w *Witness) fallen(info *jetstream.StreamInfo) error {
	s, seen := info.State, w.At.UTC().Format(time.RFC3339)
	damaged := func(format string, args ...any) error {
		return &Damaged{Stream: info.Config.Name, What: fmt.Sprintf(format, args...), lagging: info.Config.Replicas > 1}
	}
	if w.Half {
		return &Damaged{Stream: info.Config.Name, What: "a restore of it has not ended: when none runs, repeat it, or " +
			"remove the stream and accept the loss"}
	}
	if s.LastSeq < w.Last.Sequence {
		return damaged("it ends with message %s, and message %s was there at %s: what was stored since the former is lost",
			mark{s.LastSeq, s.LastTime}, w.Last, seen)
	}
	if s.NumSubjects < w.Keys {
		return damaged("it holds %d keys, and held %d at %s", s.NumSubjects, w.Keys, seen)
	}
	if appended(info.Config.Name) {
		for _, m := range []mark{w.First, w.Last} {
			if m.Sequence > 0 && s.FirstSeq > m.Sequence && !w.explains(info, m) {
				return damaged("it begins with message %s, and message %s was there at %s and was to stay: "+
					"what lies between is lost",
					mark{s.FirstSeq, s.FirstTime}, m, seen)
			}
		}
	}
	return nil
}

// ClockSlack is how far the clocks of a NATS server and of another program may be apart.
const ClockSlack = 10 * time.Minute

// explains tells whether the stream's limits may have dropped a message: it is too old, or the stream is nearly full.
// The limits may have changed in between.
func (w *Witness) explains(info *jetstream.StreamInfo, m mark) bool {
	age := shorter(w.MaxAge, info.Config.MaxAge)
	if age > 0 && info.TimeStamp.Sub(m.Time) > age-ClockSlack {
		return true
	}
	limit := shorter(w.MaxBytes, info.Config.MaxBytes)
	return limit > 0 && info.State.Bytes > uint64(limit-limit/8)
}

// shorter is the smaller limit; 0 and less are none.
func shorter[N ~int64](a, b N) N {
	if a <= 0 || b > 0 && b < a {
		return b
	}
	return a
}

// grown is the witness with what the stream shows now.
func (w *Witness) grown(info *jetstream.StreamInfo) Witness {
	s, next := info.State, *w
	next.Last = mark{s.LastSeq, s.LastTime}
	if appended(info.Config.Name) {
		next.First = mark{s.FirstSeq, s.FirstTime}
		next.MaxAge, next.MaxBytes = info.Config.MaxAge, info.Config.MaxBytes
	}
	if keepsKeys(info.Config.Name) {
		next.Keys = s.NumSubjects
	}
	return next
}

// compare returns a *[Damaged] when the last message that was seen is another one now.
func (w *Witness) compare(ctx context.Context, stream jetstream.Stream) error {
	info := stream.CachedInfo()
	if w.Hash == "" || info.State.FirstSeq > w.Last.Sequence {
		return nil
	}
	if hash, err := hashAt(ctx, stream, w.Last.Sequence); err != nil || hash == w.Hash {
		return nil // one that cannot be read shows in the stream's own numbers
	}
	return &Damaged{Stream: info.Config.Name, What: fmt.Sprintf("message %s is another one than at %s", w.Last,
		w.At.UTC().Format(time.RFC3339))}
}

func hashAt(ctx context.Context, stream jetstream.Stream, sequence uint64) (string, error) {
	msg, err := stream.GetMsg(ctx, sequence)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(msg.Subject+"\x00"), msg.Data...))
	return hex.EncodeToString(sum[:]), nil
}

// appended tells whether a stream only ever loses messages at its beginning.
func appended(stream string) bool {
	for _, s := range contracts.Streams {
		if s.Name == stream {
			return !s.WorkQueue
		}
	}
	return false
}

// keepsKeys tells whether a stream is a bucket from which no key goes.
func keepsKeys(stream string) bool {
	for _, b := range contracts.Buckets {
		if b.Stream() == stream {
			return b.TTL == 0 && !b.PerKeyTTL && !b.Disposable
		}
	}
	return false
}
