// Package feed gives a gateway's readers what changed. One consumer of the stream of changes feeds all of them: the
// newest changes are held in memory, and a reader that comes back after a long time is read to from the stream.
package feed

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/telemetry"
)

const (
	// Held is how many changes are kept in memory at least: some 8 MB.
	Held = 10_000
	// lookEvery is how often the stream is looked at for its beginning and its epoch.
	lookEvery = 5 * time.Second
	// restart is the pause after the consumer failed.
	restart = time.Second
)

// held is Held, and fewer in tests.
var held uint64 = Held

// Page is what a reader gets: changes, and the place behind the last one that was looked at.
type Page struct {
	Changes []json.RawMessage
	// Sequences are those of the changes.
	Sequences []uint64
	Next      Cursor
}

// Feed is what changed. [Feed.Follow] keeps it current.
type Feed struct {
	js  jetstream.JetStream
	log *slog.Logger
	// told is called with each new change before a reader gets it.
	told func(contracts.Environment, *contracts.Change)
	// past bounds the readers that are read to from the stream at the same time.
	past chan struct{}

	readers *prometheus.GaugeVec

	mu      sync.RWMutex
	current time.Time // when what is here was last known to be all, or to grow
	epoch   string    // empty while nothing is known
	first   uint64    // the stream's first sequence
	// restored is the last sequence from before a restore that still means the same change; 0 for none.
	restored uint64
	last     uint64 // the newest change that is here
	before   uint64 // those up to this sequence were there at the beginning
	checked  uint64 // the stream's last sequence at the check before
	entries  []entry
	begins   uint64        // the entries are all after this sequence
	more     chan struct{} // closed when there is more
	stop     chan struct{}
	stopped  sync.Once
}

type entry struct {
	sequence uint64
	env      contracts.Environment
	product  contracts.Product
	source   string
	kind     contracts.ChangeType
	doc      json.RawMessage
	license
}

// license is of which license a change is.
type license struct {
	Data struct {
		LicenseNumber   string `json:"license_number"`
		LicenseTypeCode string `json:"license_type_code"`
	} `json:"data"`
}

// maxPast is how many readers may be read to from the stream at once. Others wait for their turn.
const maxPast = 8

// New makes a feed that knows nothing before [Feed.Follow].
func New(js jetstream.JetStream, log *slog.Logger, r prometheus.Registerer,
	told func(contracts.Environment, *contracts.Change)) (*Feed, error) {
	m := telemetry.NewMetrics(r)
	readers := m.Gauges("feed_readers",
		"Readers of changes: waiting for the next one, or being read to from the stream.", "doing")
	for _, doing := range []string{"waiting", "past"} {
		readers.WithLabelValues(doing)
	}
	f := &Feed{
		js: js, log: log, told: told, past: make(chan struct{}, maxPast), readers: readers, current: time.Now(),
		more: make(chan struct{}), stop: make(chan struct{}),
	}
	m.GaugeFunc("feed_age_seconds", "Seconds since the feed of changes was last known to follow the stream.", f.age)
	return f, m.Err()
}

// age is for how long the feed stands still, in seconds.
func (f *Feed) age() float64 {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return time.Since(f.current).Seconds()
}

// Close ends all waits.
func (f *Feed) Close() { f.stopped.Do(func() { close(f.stop) }) }

// Follow reads changes until ctx ends.
func (f *Feed) Follow(ctx context.Context) error {
	var told telemetry.Seldom
	for ctx.Err() == nil {
		if err := f.follow(ctx); err != nil && ctx.Err() == nil && told.Due("") {
			f.log.WarnContext(ctx, "the changes are not followed at the moment", "error", err)
		}
		_ = clock.Sleep(ctx, restart) // ctx is looked at next
	}
	return nil
}

// follow reads until the consumer fails or the stream is another one.
func (f *Feed) follow(ctx context.Context) error {
	info, err := f.look(ctx)
	if err != nil {
		return err
	}
	from := f.begin(info)
	consumer, err := f.js.OrderedConsumer(ctx, contracts.ChangesStream.Name, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from,
	})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	for err == nil {
		err = f.next(ctx, messages)
	}
	return err
}

// next takes the next change, or looks at the stream when none comes.
func (f *Feed) next(ctx context.Context, messages jetstream.MessagesContext) error {
	waiting, cancel := context.WithTimeout(ctx, lookEvery)
	defer cancel()
	msg, err := messages.Next(jetstream.NextContext(waiting))
	switch {
	case err == nil:
		return f.takeMessage(msg)
	case errors.Is(err, context.DeadlineExceeded):
		return f.check(ctx)
	}
	return err
}

func (f *Feed) look(ctx context.Context) (*jetstream.StreamInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, lookEvery)
	defer cancel()
	stream, err := f.js.Stream(ctx, contracts.ChangesStream.Name)
	if err != nil {
		return nil, err
	}
	return stream.CachedInfo(), nil
}

// begin notes what the stream is, and returns where the reading begins. What is held of the same stream stays.
func (f *Feed) begin(info *jetstream.StreamInfo) (from uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	epoch := info.Config.Metadata[contracts.EpochKey]
	f.first = max(info.State.FirstSeq, 1)
	f.restored, _ = strconv.ParseUint(info.Config.Metadata[contracts.RestoredKey], 10, 64)
	if epoch != f.epoch || f.last > info.State.LastSeq {
		f.epoch, f.entries = epoch, nil
		f.begins = f.first - 1
		if info.State.LastSeq > held {
			f.begins = max(f.begins, info.State.LastSeq-held)
		}
		f.last, f.before = f.begins, info.State.LastSeq
	}
	f.last = max(f.last, f.first-1) // what has aged does not come
	f.checked = 0
	return f.last + 1
}

var errBehind = errors.New("the consumer is behind the stream")

// check compares what is known with the stream. A change that was there at the check before has had lookEvery to come;
// one that is newer may be on its way.
func (f *Feed) check(ctx context.Context) error {
	info, err := f.look(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first = max(info.State.FirstSeq, 1)
	if info.Config.Metadata[contracts.EpochKey] != f.epoch || info.State.LastSeq < f.last ||
		f.last < f.checked {
		return errBehind
	}
	f.checked = info.State.LastSeq
	if f.last == f.checked {
		f.current = time.Now()
	}
	return nil
}

// takeMessage adds a change. One that is newer than the beginning is told before readers see it.
func (f *Feed) takeMessage(msg jetstream.Msg) error {
	meta, err := msg.Metadata()
	if err != nil {
		return err
	}
	e, ok := entryOf(msg)
	if ok && meta.Sequence.Stream > f.before && f.told != nil {
		var c contracts.Change
		if json.Unmarshal(e.doc, &c) == nil {
			f.told(e.env, &c)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	e.sequence, f.current = meta.Sequence.Stream, time.Now()
	if f.last = e.sequence; ok {
		f.entries = append(f.entries, e)
	}
	if n := uint64(len(f.entries)); n > held+held/4 {
		f.entries = slices.Clone(f.entries[n-held:])
		f.begins = f.entries[0].sequence - 1
	}
	close(f.more)
	f.more = make(chan struct{})
	return nil
}

// entryOf reads a message of the form assay.v1.<env>.changes.<product>.<source>.<type>.
func entryOf(msg jetstream.Msg) (entry, bool) {
	parts := strings.SplitN(msg.Subject(), ".", 7)
	if len(parts) < 7 {
		return entry{}, false
	}
	e := entry{
		env: contracts.Environment(parts[2]), product: contracts.Product(parts[4]), source: parts[5],
		kind: contracts.ChangeType(parts[6]), doc: msg.Data(),
	}
	_ = json.Unmarshal(e.doc, &e.license) // a change of no license has none
	return e, true
}
