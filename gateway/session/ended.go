package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/kv"
)

const (
	// askAgain is after how long a gateway asks anew whether a session was ended: another gateway may have ended it.
	askAgain = 5 * time.Second
	// trusted is for how long a session goes on that was asked for, while nobody can be asked.
	trusted = 5 * time.Minute
	// askTime bounds one question.
	askTime = time.Second
	// maxAsked bounds what is remembered of sessions.
	maxAsked = 4096
)

// Ended remembers the sessions that were ended before their time, in [contracts.ReceiptsBucket]: for longer than a
// session lasts, and for all gateways. A copy of their cookie is then good for nothing.
type Ended struct {
	js     jetstream.JetStream
	bucket jetstream.KeyValue
	mu     sync.Mutex
	asked  map[string]looked
}

type looked struct {
	at    time.Time
	ended bool
}

// OpenEnded binds the bucket.
func OpenEnded(ctx context.Context, js jetstream.JetStream) (*Ended, error) {
	bucket, err := kv.Open(ctx, js, contracts.ReceiptsBucket)
	return &Ended{js: js, bucket: bucket, asked: map[string]looked{}}, err
}

// entryOf names a session without telling it. The name has no dot: a gateway may write keys of one token only.
func entryOf(sealed string) string {
	sum := sha256.Sum256([]byte(sealed))
	return "session-" + hex.EncodeToString(sum[:16])
}

// addSession ends a session. After an error it is not known whether it ended.
func (e *Ended) addSession(ctx context.Context, sealed string) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	name := entryOf(sealed)
	_, err := bus.WhileConnected(ctx, e.js.Conn(), func(ctx context.Context) (uint64, error) {
		return e.bucket.Put(ctx, name, []byte("{}"))
	})
	if err == nil {
		e.note(name, looked{time.Now(), true})
	}
	return err
}

// has tells whether a session was ended.
func (e *Ended) has(ctx context.Context, sealed string) (bool, error) {
	name := entryOf(sealed)
	e.mu.Lock()
	last := e.asked[name]
	e.mu.Unlock()
	if last.ended || time.Since(last.at) < askAgain {
		return last.ended, nil
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, err := bus.WhileConnected(ctx, e.js.Conn(), func(ctx context.Context) (jetstream.KeyValueEntry, error) {
		return e.bucket.Get(ctx, name)
	})
	switch {
	case err == nil:
		e.note(name, looked{time.Now(), true})
		return true, nil
	case errors.Is(err, jetstream.ErrKeyNotFound):
		e.note(name, looked{time.Now(), false})
	case time.Since(last.at) >= trusted:
		return false, contracts.Wrap(err, contracts.SourceUnavailable,
			"sessions cannot be checked at the moment; retry later").After(askAgain)
	}
	return false, nil
}

func (e *Ended) note(name string, l looked) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.asked) >= maxAsked {
		clear(e.asked)
	}
	e.asked[name] = l
}
