package wording

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
	"assay.dev/platform/kv"
)

// Store is what one worker knows. It holds everything in memory and follows the bucket, so that what an operator
// accepts is known within a second. While the bucket cannot be followed, what was known stays.
type Store struct {
	bucket Bucket
	log    *slog.Logger

	mu       sync.Mutex
	carriers map[contracts.Carrier]*copied
	accepted chan struct{} // receives when something was accepted or forgotten
}

// copied is what is known of one carrier. Nothing in it is changed in place.
type copied struct {
	shipped, accepted []trust.Edition
	learned           []trust.Learned
	doubts            Doubts
	acceptedAt        time.Time // by the server's clock
	revisions         map[string]uint64
}

// Open reads what is known in an environment. shipped are the editions of each carrier that come with the recipes.
func Open(
	ctx context.Context, env contracts.Environment, js jetstream.JetStream,
	shipped func(contracts.Carrier) []trust.Edition, log *slog.Logger,
) (*Store, error) {
	bucket, err := OpenBucket(ctx, env, js)
	if err != nil {
		return nil, err
	}
	s := &Store{bucket: bucket, log: log, carriers: map[contracts.Carrier]*copied{}, accepted: make(chan struct{}, 1)}
	for _, c := range contracts.Carriers {
		s.carriers[c] = &copied{revisions: map[string]uint64{}, shipped: shipped(c)}
	}
	err = kv.RetryAtStart(ctx, s.follower().Load)
	select { // what is known at the start is no news
	case <-s.accepted:
	default:
	}
	return s, err
}

// Accepted receives, at some time after, when something was accepted or forgotten.
func (s *Store) Accepted() <-chan struct{} { return s.accepted }

// Of is what is known of the words of a carrier. It is shared: do not change it.
func (s *Store) Of(c contracts.Carrier) trust.Wording {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.carriers[c]
	return trust.Wording{Editions: slices.Concat(of.shipped, of.accepted), Learned: of.learned}
}

// Recall reads from the bucket what is accepted and learned of a carrier now: the watch may be behind, and what was
// forgotten vouches for nothing.
func (s *Store) Recall(ctx context.Context, c contracts.Carrier) error {
	var reads errgroup.Group
	found := make([]jetstream.KeyValueEntry, 2)
	for i, what := range []string{accepted, learned} {
		reads.Go(func() (err error) {
			if found[i], err = s.bucket.kv.Get(ctx, s.bucket.key(c, what)); errors.Is(err, jetstream.ErrKeyNotFound) {
				return nil
			}
			return err
		})
	}
	err := reads.Wait()
	isAbsent := func(e jetstream.KeyValueEntry) bool { return e == nil }
	return errors.Join(err, s.takeAll(slices.DeleteFunc(found, isAbsent)...))
}

// Doubts is what is in doubt of a carrier. It is shared: do not change it.
func (s *Store) Doubts(c contracts.Carrier) Doubts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.carriers[c].doubts
}

// AcceptedAt is when something was accepted or forgotten last of a carrier; the zero time for never.
func (s *Store) AcceptedAt(c contracts.Carrier) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.carriers[c].acceptedAt
}

// sightEvery is how often it is written, at most, that learned lines are still shown.
const sightEvery = 24 * time.Hour

// Learn notes a clean reading: the lines that its verdict learned, and that those of before are still there.
func (s *Store) Learn(ctx context.Context, c contracts.Carrier, r trust.Reading, lines []trust.Line,
	at time.Time) error {
	known := s.Of(c)
	isOld := func(l trust.Learned) bool { return l.Path == r.Path && at.Sub(l.Last) > sightEvery }
	if len(lines) == 0 && !slices.ContainsFunc(known.Learned, isOld) {
		return nil
	}
	return change(ctx, s.bucket, c, learned, func(all *[]trust.Learned) error {
		*all = trust.Wording{Learned: *all}.Learn(r, lines, at).Learned
		return nil
	})
}

// Doubt notes what is in doubt of a carrier by an edit of what was. An edit that changes nothing is not written.
func (s *Store) Doubt(ctx context.Context, c contracts.Carrier, edit func(Doubts) Doubts) error {
	if now := s.Doubts(c); reflect.DeepEqual(edit(now), now) {
		return nil
	}
	var next Doubts
	err := change(ctx, s.bucket, c, doubts, func(d *Doubts) error {
		*d = edit(*d)
		next = *d
		return nil
	})
	if err == nil {
		s.mu.Lock()
		s.carriers[c].doubts = next // the watch tells it later
		s.mu.Unlock()
	}
	return err
}

func (s *Store) takeAll(all ...jetstream.KeyValueEntry) error {
	var errs []error
	for _, e := range all {
		errs = append(errs, s.takeEntry(e))
	}
	return errors.Join(errs...)
}

// takeEntry takes an entry in, unless a newer one of its key is known.
func (s *Store) takeEntry(e jetstream.KeyValueEntry) error {
	parts := strings.Split(e.Key(), ".")
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(parts) != 3 || s.carriers[contracts.Carrier(parts[1])] == nil {
		return nil // of another version
	}
	of, what := s.carriers[contracts.Carrier(parts[1])], parts[2]
	if of.revisions[what] >= e.Revision() {
		return nil
	}
	var err error
	switch what {
	case accepted:
		var editions []trust.Edition
		if err = decode(e.Value(), &editions); err == nil {
			of.accepted, of.acceptedAt = editions, e.Created()
			s.tell()
		}
	case learned:
		var lines []trust.Learned
		if err = decode(e.Value(), &lines); err == nil {
			of.learned = lines
		}
	case doubts:
		var d Doubts
		if err = decode(e.Value(), &d); err == nil {
			of.doubts = d
		}
	}
	if err != nil {
		return fmt.Errorf("wording of %s: %w", parts[1], err)
	}
	of.revisions[what] = e.Revision()
	return nil
}

func (s *Store) tell() {
	select {
	case s.accepted <- struct{}{}:
	default:
	}
}

// Follow keeps what is known current until ctx ends.
func (s *Store) Follow(ctx context.Context) error { return s.follower().Follow(ctx) }

func (s *Store) follower() kv.Follower {
	return kv.Follower{
		JS: s.bucket.js, KV: s.bucket.kv, Bucket: contracts.WordingBucket, Pattern: string(s.bucket.env) + ".>",
		Take:   s.takeAll,
		Failed: func(err error) { s.log.Warn("the accepted wording cannot be followed", "error", err) },
	}
}
