package usage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/clock"
)

// reserve is the size of the file of an [Aside]: room for some 5,000 events, taken while there is space, so that it can
// be written to on a full disk.
const reserve = 1 << 20

// Aside is a file that keeps events between a stop without a store and the next start, a line each. Behind them are
// zeros. One gateway has it, by a lock beside it: another one would write over what it keeps.
type Aside struct {
	path string
	lock *flock.Flock
}

// OpenAside makes the file, with mode 0600, or finds the one that is there. An empty path keeps nothing. The caller
// calls [Aside.Close].
func OpenAside(path string) (*Aside, error) {
	if path == "" {
		return nil, nil
	}
	a := &Aside{path, flock.New(path+".lock", flock.SetPermissions(0o600))}
	isMine, err := a.lock.TryLock()
	if err == nil && !isMine {
		err = errors.New("another gateway has this file; each needs one of its own")
	}
	if err == nil {
		err = a.prepare()
	}
	return a, err
}

// Close lets another gateway have the file.
func (a *Aside) Close() error {
	if a == nil {
		return nil
	}
	return a.lock.Close()
}

// prepare makes the file, and takes its room.
func (a *Aside) prepare() error {
	f, err := os.OpenFile(a.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Size() < reserve {
		_, err = f.WriteAt(make([]byte, reserve-info.Size()), info.Size())
	}
	return err
}

// readEvents gives the events that were kept, and how many lines are none.
func (a *Aside) readEvents() (events []*Event, broken int, err error) {
	if a == nil {
		return nil, 0, nil
	}
	f, err := os.Open(a.path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, queueSize<<10))
	if err != nil {
		return nil, 0, err
	}
	text, _, _ = bytes.Cut(text, []byte{0})
	for line := range bytes.Lines(text) {
		e := &Event{}
		if json.Unmarshal(line, e) != nil || e.ID == "" {
			broken++
			continue
		}
		events = append(events, e)
	}
	return events, broken, nil
}

// writeEvents keeps these events and no others, and tells how many of them there was room for.
func (a *Aside) writeEvents(events []*Event) (kept int, err error) {
	if a == nil {
		return 0, errors.New("there is no file for them")
	}
	var text bytes.Buffer
	for _, e := range events {
		data, _ := json.Marshal(e) // strings and a time always marshal
		text.Write(append(data, '\n'))
	}
	if rest := reserve - text.Len(); rest > 0 {
		text.Write(make([]byte, rest))
	}
	f, err := os.OpenFile(a.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := f.WriteAt(text.Bytes(), 0)
	if err != nil {
		n = bytes.LastIndexByte(text.Bytes()[:n], '\n') + 1
	}
	return min(len(events), bytes.Count(text.Bytes()[:n], []byte{'\n'})), errors.Join(err, f.Truncate(int64(n)), f.Sync())
}

// restore sends the events that an earlier stop left, once the store can be asked which of them it has. They stay in
// the file until all of them are stored.
func (p *Publisher) restore(ctx context.Context) {
	events, broken, err := p.aside.readEvents()
	if err != nil || broken > 0 {
		p.log.Error("usage events that were written aside cannot be read", "events", broken, "error", err)
	}
	p.lost.Add(float64(broken))
	if len(events) == 0 {
		return
	}
	for _, e := range events {
		e.sent = e.moment() // it may have been, by the process before
	}
	for {
		var missing []*Event
		if missing, err = missingOf(ctx, p.js, events); err == nil {
			p.failing.Store(0)
			for _, e := range missing {
				e.sent = time.Time{}
			}
			p.log.Info("usage events that were written aside are sent", "events", len(missing), "stored before",
				len(events)-len(missing))
			events = missing
			break
		}
		if p.failing.CompareAndSwap(0, time.Now().UnixNano()) {
			p.log.Warn("usage events that were written aside wait: the stream cannot be read", "error", err)
		}
		if clock.Sleep(ctx, retryEvery) != nil {
			break // Flush sends them, or writes them aside again
		}
	}
	p.unstored.Add(int64(len(events)))
	for len(events) > 0 {
		n := min(batchSize, len(events))
		p.deliver(ctx, events[:n])
		events = events[n:]
	}
	if ctx.Err() == nil {
		p.clearAside()
	}
}

func (p *Publisher) clearAside() {
	if _, err := p.aside.writeEvents(nil); p.aside != nil && err != nil {
		p.log.Error("stored usage events are left in the aside file", "error", err)
	}
}

// missingOf are the events that the stream does not have.
func missingOf(ctx context.Context, js jetstream.JetStream, events []*Event) (missing []*Event, err error) {
	from, wanted := events[0].moment(), map[string]bool{}
	for _, e := range events {
		wanted[e.ID] = true
		if e.moment().Before(from) {
			from = e.moment()
		}
	}
	stream, pending, err := openEvents(ctx, js, from)
	if err != nil {
		return nil, err
	}
	defer stream.Stop()
	defer context.AfterFunc(ctx, stream.Stop)()
	for ; pending > 0 && len(wanted) > 0; pending-- {
		e, _, err := nextEvent(stream, jetstream.NextMaxWait(nextTime))
		if err != nil {
			return nil, fmt.Errorf("%d events cannot be read: %w", pending, err)
		}
		delete(wanted, e.ID)
	}
	for _, e := range events {
		if wanted[e.ID] {
			missing = append(missing, e)
		}
	}
	return missing, nil
}
