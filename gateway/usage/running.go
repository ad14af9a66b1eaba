package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

// restart is the pause after a failure to read the month, before it is read again. A month that is not whole stays so.
const restart, restartNotWhole = 5 * time.Second, 10 * time.Minute

// errNotWhole is the error of a month that has no sum, although the stream is as it should be. That nothing came for
// longer than events are kept looks the same.
var errNotWhole = fmt.Errorf("%s no longer keeps all events of the month, or its loss was accepted, or a backup "+
	"restored: the month is not whole; see StreamFull in the runbook, docs/runbook.md", contracts.UsageStream.Name)

// Running is the usage of the running month (UTC) of all tenants, in memory. [Running.Follow] reads the month's events
// once and then each that comes, so that a look costs nothing.
type Running struct {
	js  jetstream.JetStream
	log *slog.Logger

	mu sync.Mutex
	// month is the month that days belongs to. isWhole tells that all of its events up to now were read.
	month   string
	isWhole bool
	days    map[string]map[dayKey]*used // by tenant
}

type dayKey struct {
	date    contracts.Date
	product contracts.Product
}

// Day is what a tenant used of a product on one day (UTC): answers, audited lines, what both cost, and answers to its
// test keys.
type Day struct {
	Date           contracts.Date
	Product        contracts.Product
	Answers, Lines int
	Price          contracts.Price
	Tested         int
}

// NewRunning makes one that knows nothing before [Running.Follow].
func NewRunning(js jetstream.JetStream, log *slog.Logger) *Running { return &Running{js: js, log: log} }

// Of is a tenant's usage in the month of now, by days and products. It is not known while the month's events are being
// read, or cannot be: a part is never shown as the whole.
func (r *Running) Of(tenant string, now time.Time) (days []Day, isKnown bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.isWhole || r.month != Month(now) {
		return nil, false
	}
	for key, u := range r.days[tenant] {
		days = append(days, Day{key.date, key.product, u.answers, u.lines, u.price, u.tested})
	}
	slices.SortFunc(days, func(a, b Day) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Product, b.Product))
	})
	return days, true
}

// Follow reads events until ctx ends.
func (r *Running) Follow(ctx context.Context) error {
	var told telemetry.Seldom
	for ctx.Err() == nil {
		err := r.followMonth(ctx, time.Now().UTC())
		r.beginMonth("")
		if err != nil && ctx.Err() == nil {
			if told.Due("") {
				r.log.Warn("the usage of the month is not known", "error", err)
			}
			pause := restart
			if errors.Is(err, errNotWhole) {
				pause = restartNotWhole
			}
			_ = clock.Sleep(ctx, pause) // ctx is looked at next
		}
	}
	return nil
}

// followMonth reads the events of a month until it is over. The error says why they cannot be read.
func (r *Running) followMonth(ctx context.Context, now time.Time) error {
	first := firstOf(now)
	gap, err := Missing(ctx, r.js, first)
	if err == nil && gap != (kv.Gap{}) {
		err = errNotWhole
	}
	if err != nil {
		return err
	}
	events, pending, err := openMonth(ctx, r.js, first)
	if err != nil {
		return err
	}
	defer events.Stop()
	inMonth, cancel := context.WithDeadline(ctx, first.AddDate(0, 1, 0))
	defer cancel()
	r.beginMonth(Month(first))
	r.takeEvent(nil, pending)
	var before uint64
	for Month(time.Now()) == Month(first) {
		e, meta, err := nextEvent(events, jetstream.NextContext(inMonth))
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			return nil // the month is over
		case err != nil:
			return err
		case before > 0 && meta.Sequence.Stream != before+1:
			return damaged("the events %d to %d are missing", before+1, meta.Sequence.Stream-1)
		}
		before = meta.Sequence.Stream
		r.takeEvent(&e, meta.NumPending)
	}
	return nil
}

// readAhead is how many events are on their way here at most: some 1 MB.
const readAhead = 4096

// openMonth is [openEvents] of a month. It returns errNotWhole where the stream begins later and had other events
// before: too old, too many, or lost.
func openMonth(ctx context.Context, js jetstream.JetStream,
	first time.Time) (jetstream.MessagesContext, uint64, error) {
	events, pending, err := openEvents(ctx, js, first)
	if err != nil {
		return nil, 0, err
	}
	stream, err := js.Stream(ctx, contracts.UsageStream.Name)
	if err == nil {
		s := stream.CachedInfo().State
		isNew := s.Msgs == 0 && s.LastTime.IsZero() // where it does not begin with 1, it was made in place of a lost one
		if s.FirstSeq > 1 && (s.FirstTime.After(first.Add(-kv.ClockSlack)) || isNew) {
			err = errNotWhole
		}
	}
	if err != nil {
		events.Stop()
	}
	return events, pending, err
}

// openEvents begins to read the events from a moment on, and tells how many there are already. Some are of before: the
// stream dates an event by another clock than its gateway.
func openEvents(ctx context.Context, js jetstream.JetStream,
	from time.Time) (jetstream.MessagesContext, uint64, error) {
	if err := kv.CheckStream(ctx, js, contracts.UsageStream.Name); err != nil {
		return nil, 0, err
	}
	from = from.Add(-kv.ClockSlack)
	consumer, err := js.OrderedConsumer(ctx, contracts.UsageStream.Name, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &from,
	})
	if err != nil {
		return nil, 0, err
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return nil, 0, err
	}
	events, err := consumer.Messages(jetstream.PullMaxMessages(readAhead))
	return events, info.NumPending, err
}

// beginMonth forgets what is known and begins a month; "" for none.
func (r *Running) beginMonth(month string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.month, r.isWhole, r.days = month, false, map[string]map[dayKey]*used{}
}

// takeEvent adds an event, if any. The month is whole once no further event is pending.
func (r *Running) takeEvent(e *Event, pending uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isWhole = r.isWhole || pending == 0
	if e == nil || Month(e.moment()) != r.month {
		return
	}
	of := r.days[e.Tenant]
	if of == nil {
		of = map[dayKey]*used{}
		r.days[e.Tenant] = of
	}
	key := dayKey{contracts.DateOf(e.moment().UTC()), e.Product}
	if of[key] == nil {
		of[key] = &used{}
	}
	of[key].addEvent(*e)
}
