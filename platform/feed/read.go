package feed

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sort"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// unknown tells whether the feed still loads what the stream held at the beginning: its newest change is old. The
// caller has the lock.
func (f *Feed) unknown() bool { return f.epoch == "" || f.last < f.before }

// errUnknown is the failure of a reader while the stream is not known yet.
func errUnknown() error {
	return contracts.Errorf(contracts.SourceUnavailable,
		"the changes cannot be read at the moment; retry later").After(2 * time.Second)
}

// Newest is the place behind the newest change.
func (f *Feed) Newest() (Cursor, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.unknown() {
		return Cursor{}, errUnknown()
	}
	return Cursor{f.epoch, f.last}, nil
}

// Place is where a reader goes on who remembers a place: the same, unless the stream was restored, or the changes
// behind it are kept no longer. It never lies behind a change that the reader was not told.
func (f *Feed) Place(c Cursor) (Cursor, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.unknown() {
		return c, errUnknown()
	}
	if c.Epoch != f.epoch {
		c = Cursor{f.epoch, min(c.Sequence, f.restored)}
	}
	return Cursor{f.epoch, max(c.Sequence, f.first-1)}, nil
}

// Read gives the changes that follow a cursor, at most limit. A cursor that is of another life of the stream, too old,
// or ahead of it is GONE.
func (f *Feed) Read(ctx context.Context, filter *Filter, since Cursor, limit int) (Page, error) {
	page, isHeld, err := f.readHeld(filter, since, limit)
	if err != nil || isHeld {
		return page, err
	}
	return f.readPast(ctx, filter, since, page.Next.Sequence, limit)
}

// readHeld reads what is held here. Where some of it is not, the page is empty, and its place where that begins.
func (f *Feed) readHeld(filter *Filter, since Cursor, limit int) (page Page, isHeld bool, err error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	page.Next = Cursor{f.epoch, f.last}
	switch {
	case f.unknown():
		return Page{}, false, errUnknown()
	case since.Epoch != f.epoch || since.Sequence+1 < f.first:
		return Page{}, false, &GoneError{Cursor{f.epoch, f.first - 1}}
	case since.Sequence < f.begins || since.Sequence > f.last: // another gateway may be ahead of this one
		page.Next.Sequence = f.begins // a replica that is read to the end may lack what is held here
		return page, false, nil
	}
	from := sort.Search(len(f.entries), func(i int) bool { return f.entries[i].sequence > since.Sequence })
	for i := range f.entries[from:] {
		e := &f.entries[from+i]
		if !filter.takes(e) {
			continue
		}
		page.Sequences = append(page.Sequences, e.sequence)
		if page.Changes = append(page.Changes, e.doc); len(page.Changes) == limit {
			page.Next.Sequence = e.sequence
			break
		}
	}
	return page, true, nil
}

// Latest gives the newest of the held changes, newest first, at most limit; older than the sequence before where that
// is not 0. next is where to go on; 0 where nothing older is held.
func (f *Feed) Latest(filter *Filter, before uint64, limit int) (changes []json.RawMessage, next uint64, err error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.unknown() {
		return nil, 0, errUnknown()
	}
	for i := range slices.Backward(f.entries) {
		e := &f.entries[i]
		switch {
		case before > 0 && e.sequence >= before || !filter.takes(e):
		case len(changes) == limit:
			return changes, next, nil
		default:
			changes, next = append(changes, e.doc), e.sequence
		}
	}
	return changes, 0, nil
}

// GoneError is the GONE of a cursor that leads to nothing any more. Who asked begins anew with the oldest one.
type GoneError struct{ Oldest Cursor }

func (e *GoneError) Error() string { return e.Unwrap().Error() }

func (e *GoneError) Unwrap() error {
	return contracts.Errorf(contracts.Gone, "no change is kept that follows this cursor; the oldest cursor is %s",
		e.Oldest)
}

// pastTime bounds one reading of the stream.
const pastTime = 10 * time.Second

// readPast reads from the stream what is not held here any more, or not yet.
func (f *Feed) readPast(ctx context.Context, filter *Filter, since Cursor, last uint64, limit int) (Page, error) {
	ctx, cancel := context.WithTimeout(ctx, pastTime)
	defer cancel()
	select {
	case f.past <- struct{}{}:
		defer func() { <-f.past }()
	case <-ctx.Done():
		return Page{}, contracts.AsError(ctx.Err())
	}
	readers := f.readers.WithLabelValues("past")
	readers.Inc()
	defer readers.Dec()
	info, err := f.look(ctx)
	if err != nil {
		return Page{}, contracts.Wrap(err, contracts.SourceUnavailable,
			"the changes cannot be read at the moment; retry later").After(2 * time.Second)
	}
	oldest, newest := max(info.State.FirstSeq, 1)-1, info.State.LastSeq
	if epoch := info.Config.Metadata[contracts.EpochKey]; epoch != since.Epoch || since.Sequence < oldest ||
		since.Sequence > newest {
		return Page{}, &GoneError{Cursor{epoch, oldest}}
	}
	page := Page{Next: Cursor{since.Epoch, max(last, since.Sequence)}}
	subjects := filter.subjects()
	if len(subjects) == 0 || since.Sequence == newest {
		return page, nil
	}
	if err := f.fetch(ctx, filter, subjects, since.Sequence+1, limit, &page); err != nil {
		return Page{}, contracts.Wrap(err, contracts.SourceUnavailable,
			"the changes cannot be read at the moment; retry later").After(2 * time.Second)
	}
	return page, nil
}

// licensesScan is how many changes are looked at for those of a portfolio's licenses, which are few.
const licensesScan = 1000

// fetch adds the messages from a sequence on to a page, as many as limit: those of other licenses than the filter's are
// left out.
func (f *Feed) fetch(ctx context.Context, filter *Filter, subjects []string, from uint64, limit int, page *Page) error {
	consumer, err := f.js.CreateConsumer(ctx, contracts.ChangesStream.Name, jetstream.ConsumerConfig{
		AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from,
		FilterSubjects: subjects, MemoryStorage: true, InactiveThreshold: 2 * pastTime, Replicas: 1,
	})
	if err != nil {
		return err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = f.js.DeleteConsumer(end, contracts.ChangesStream.Name, consumer.CachedInfo().Name) // else it ends by itself
	}()
	scan := limit
	if filter.Licenses != nil {
		scan = max(limit, licensesScan)
	}
	batch, err := consumer.FetchNoWait(scan)
	if err != nil {
		return err
	}
	n := 0
	for msg := range batch.Messages() {
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		if n++; len(page.Changes) == limit {
			continue // it is for the next page
		}
		if e, ok := entryOf(msg); ok && filter.takesLicense(&e) {
			page.Changes, page.Sequences = append(page.Changes, msg.Data()), append(page.Sequences, meta.Sequence.Stream)
		}
		if n == scan || len(page.Changes) == limit || meta.Sequence.Stream > page.Next.Sequence {
			page.Next.Sequence = meta.Sequence.Stream
		}
	}
	if err := batch.Error(); err != nil && !errors.Is(err, jetstream.ErrNoMessages) {
		return err
	}
	if uint64(n) < min(uint64(scan), consumer.CachedInfo().NumPending) {
		return errBehind // a silence of a second ends a batch as its end does
	}
	return ctx.Err()
}

// At is the change of a sequence; nil where it is kept no longer.
func (f *Feed) At(ctx context.Context, sequence uint64) (json.RawMessage, error) {
	f.mu.RLock()
	i := sort.Search(len(f.entries), func(i int) bool { return f.entries[i].sequence >= sequence })
	if i < len(f.entries) && f.entries[i].sequence == sequence {
		defer f.mu.RUnlock()
		return f.entries[i].doc, nil
	}
	f.mu.RUnlock()
	var msg *jetstream.RawStreamMsg
	err := kv.Retry(ctx, func(ctx context.Context) error {
		stream, err := f.js.Stream(ctx, contracts.ChangesStream.Name)
		if err == nil {
			msg, err = stream.GetMsg(ctx, sequence)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return msg.Data, nil
}

// subjects are those of the changes that the filter takes.
func (f *Filter) subjects() (all []string) {
	sources, types := f.Sources, f.Types
	if len(types) == 0 {
		types = []contracts.ChangeType{">"}
	}
	for _, p := range f.Products {
		of := sources
		if len(of) == 0 {
			of = []string{"*"}
		}
		for _, s := range of {
			for _, t := range types {
				all = append(all, contracts.ChangeSubject(f.Environment, p, s, t).Name)
			}
		}
	}
	return all
}

// Wait returns when there is more than up to the cursor, when ctx ends, or when the feed does: then done is true.
func (f *Feed) Wait(ctx context.Context, since Cursor) (done bool) {
	f.mu.RLock()
	more, isMore := f.more, f.last > since.Sequence || f.epoch != since.Epoch
	f.mu.RUnlock()
	if isMore {
		return false
	}
	readers := f.readers.WithLabelValues("waiting")
	readers.Inc()
	defer readers.Dec()
	select {
	case <-more:
		return false
	case <-ctx.Done():
		return false
	case <-f.stop:
		return true
	}
}
