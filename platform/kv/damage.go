package kv

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// Damaged is the error of a store that lost a part of its content. No answer may be made from it.
type Damaged struct {
	// Stream is one of package contracts.
	Stream string
	What   string
	// Unconfirmed: the stream is whole, and was restored from a backup that nobody confirmed.
	Unconfirmed bool
	// Torn: it says so because the server could not write, or read, its end. On a full disk, nothing is lost that was
	// acknowledged.
	Torn bool
	// lagging: a replica that has not caught up yet would look the same.
	lagging bool
}

func (d *Damaged) Error() string {
	state := "is damaged"
	switch {
	case d.Unconfirmed:
		state = "is not to be used"
	case d.Torn:
		state = "is torn, as by a write on a full disk"
	}
	return fmt.Sprintf("the stream %s %s: %s; see StoreDamaged in the runbook, docs/runbook.md", d.Stream,
		state, d.What)
}

// DiskFull is the error of a server that could not write these streams, because its disk had no space left. It writes
// them again when it starts anew with space; what was acknowledged is not lost.
type DiskFull struct{ Streams []string }

func (d *DiskFull) Error() string {
	return fmt.Sprintf("DISK_FULL: the disk had no space left for %s: make room and restart, see DiskFull in "+
		"the runbook, docs/runbook.md",
		strings.Join(d.Streams, ", "))
}

// StreamDamage is what a stream's own numbers say against it: a *[Damaged], or nil.
//
// A stream that drops messages at its beginning only, when they are too old or too many, holds as many as there are
// from its first to its last, and none was deleted. A bucket holds at least one message a key and at most as many as
// its history has. Of any stream the server may say itself that it lost something, when info was asked with deleted
// details.
func StreamDamage(info *jetstream.StreamInfo) error {
	name, s := info.Config.Name, info.State
	damaged := func(format string, args ...any) error {
		return &Damaged{Stream: name, What: fmt.Sprintf(format, args...)}
	}
	if s.Lost != nil {
		return &Damaged{Stream: name, What: fmt.Sprintf("the server lost %d bytes of it", s.Lost.Bytes), Torn: true}
	}
	for _, known := range contracts.Streams {
		if known.Name == name && !known.WorkQueue {
			if span := span(s); s.Msgs != span || s.Msgs > 0 && s.NumDeleted > 0 {
				return damaged("%d messages are there of %d", s.Msgs, span)
			}
		}
	}
	for _, b := range contracts.Buckets {
		if b.Stream() == name && (s.Msgs < s.NumSubjects || s.Msgs > s.NumSubjects*uint64(b.History)) {
			return damaged("%d entries for %d keys, %d of which are kept each", s.Msgs, s.NumSubjects, b.History)
		}
	}
	return nil
}

// span is how many messages there are from the first to the last.
func span(s jetstream.StreamState) uint64 {
	if s.LastSeq == 0 || s.FirstSeq > s.LastSeq {
		return 0
	}
	return s.LastSeq - s.FirstSeq + 1
}

// detailsUpTo is the number of deleted messages up to which the server is asked for details: it lists each of them.
const detailsUpTo = 10_000

// checkTime bounds [CheckStream].
const checkTime = 5 * time.Second

// CheckStream asks the stream of that name for its numbers, and compares them with what was seen before. The error is a
// *[Damaged], also for a stream that is gone, or that of the question. A new leader of a replicated stream may show
// less for a moment: then the stream is asked again.
func CheckStream(ctx context.Context, js jetstream.JetStream, name string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	for {
		err := checkOnce(ctx, js, name)
		var fallen *Damaged
		if !errors.As(err, &fallen) || !fallen.lagging || clock.Sleep(ctx, lagPause) != nil {
			return err
		}
	}
}

func checkOnce(ctx context.Context, js jetstream.JetStream, name string) error {
	ctx, cancel := context.WithTimeout(ctx, exchangeTime)
	defer cancel()
	var w Witness
	var unread error
	if name != contracts.WitnessesBucket.Stream() {
		w, unread = ReadWitness(ctx, js, name) // before the stream, as in Attest
	}
	stream, err := find(ctx, js, name)
	if err != nil {
		return err
	}
	for _, err := range []error{StreamDamage(stream.CachedInfo()), unread, w.fallen(stream.CachedInfo())} {
		if err != nil {
			return err
		}
	}
	if c := stream.CachedInfo().Cluster; c != nil && c.Leader == "" {
		// A server may answer for a stream all the same, such as one that stepped down for good.
		return fmt.Errorf("stream %s has no leader: %w", name, jetstream.ErrNoStreamResponse)
	}
	if stream.CachedInfo().State.NumDeleted > detailsUpTo {
		return nil
	}
	info, err := stream.Info(ctx, jetstream.WithDeletedDetails(true))
	if err != nil {
		return fmt.Errorf("stream %s: %w", name, err)
	}
	return StreamDamage(info)
}

// CheckLasting is [CheckStream] for each stream that holds what nothing can replace.
func CheckLasting(ctx context.Context, js jetstream.JetStream) error {
	var errs []error
	for _, s := range contracts.Streams {
		if !contracts.Disposable(s.Name) {
			errs = append(errs, CheckStream(ctx, js, s.Name))
		}
	}
	for _, b := range contracts.Buckets {
		if !b.Disposable {
			errs = append(errs, CheckStream(ctx, js, b.Stream()))
		}
	}
	return errors.Join(errs...)
}

// entriesTime bounds the reading of a bucket: who waits is to know within 10 s which one it was.
const entriesTime = 8 * time.Second

// Entries reads the newest entries of all keys that match pattern, deletions included, of a bucket that loses no key by
// age. It fails with a *[Damaged] when the bucket does not deliver as many as it says that it holds. A replica may lag
// behind the leader, which says how many there are: too few are asked for again until entriesTime has passed.
func Entries(
	ctx context.Context, js jetstream.JetStream, bucket jetstream.KeyValue, pattern string,
) ([]jetstream.KeyValueEntry, error) {
	ctx, cancel := context.WithTimeout(ctx, entriesTime)
	defer cancel()
	for {
		entries, err := entriesOnce(ctx, js, bucket, pattern)
		var short *Damaged
		if !errors.As(err, &short) || !short.lagging || clock.Sleep(ctx, lagPause) != nil {
			return entries, err
		}
	}
}

// lagPause is the time that a replica gets to catch up before a bucket is read again.
const lagPause = 250 * time.Millisecond

func entriesOnce(
	ctx context.Context, js jetstream.JetStream, bucket jetstream.KeyValue, pattern string,
) ([]jetstream.KeyValueEntry, error) {
	b := contracts.Bucket{Name: bucket.Bucket()}
	held, err := keysHeld(ctx, js, b, pattern)
	if err != nil {
		return nil, err
	}
	w, err := bucket.Watch(ctx, pattern)
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", b.Name, err)
	}
	defer EndWatch(w)
	entries := make([]jetstream.KeyValueEntry, 0, held)
	short := func() *Damaged {
		what := fmt.Sprintf("it says that it holds %d entries and delivers %d", held, len(entries))
		return &Damaged{Stream: b.Stream(), What: what, lagging: true}
	}
	for {
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, fmt.Errorf("%w (%w)", short(), ctx.Err())
			}
			return nil, ctx.Err()
		case e, open := <-w.Updates():
			switch {
			case !open:
				return nil, fmt.Errorf("bucket %s: the watch ended", b.Name)
			case e != nil:
				entries = append(entries, e)
			case uint64(len(entries)) < held:
				return nil, short()
			default:
				return entries, nil
			}
		}
	}
}

// keysHeld is how many keys a bucket says that match.
func keysHeld(ctx context.Context, js jetstream.JetStream, b contracts.Bucket, pattern string) (uint64, error) {
	stream, err := js.Stream(ctx, b.Stream())
	if err != nil {
		return 0, fmt.Errorf("bucket %s: %w", b.Name, err)
	}
	info := stream.CachedInfo()
	if err := StreamDamage(info); err != nil {
		return 0, err
	}
	if pattern == jetstream.AllKeys {
		return info.State.NumSubjects, nil
	}
	if info, err = stream.Info(ctx, jetstream.WithSubjectFilter(b.Subject(pattern))); err != nil {
		return 0, fmt.Errorf("bucket %s: %w", b.Name, err)
	}
	return uint64(len(info.State.Subjects)), nil
}

// Absent is nil when a key that a read did not find is not in the bucket, or was deleted. A server that cannot read an
// entry says that there is none, though it counts it: that is a *[Damaged].
func Absent(ctx context.Context, js jetstream.JetStream, bucket jetstream.KeyValue, key string) error {
	b := contracts.Bucket{Name: bucket.Bucket()}
	stream, err := js.Stream(ctx, b.Stream())
	if err != nil {
		return fmt.Errorf("bucket %s: %w", b.Name, err)
	}
	if err := StreamDamage(stream.CachedInfo()); err != nil {
		return err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(b.Subject(key)))
	if err != nil {
		return fmt.Errorf("bucket %s: %w", b.Name, err)
	}
	if len(info.State.Subjects) == 0 {
		return nil
	}
	_, err = stream.GetLastMsgForSubject(ctx, b.Subject(key)) // a deletion is a message too
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return &Damaged{Stream: b.Stream(), What: "it counts an entry that it cannot read"}
	}
	return err
}
