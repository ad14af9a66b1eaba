// Package archive keeps every week that a carrier was ever seen to show, with its revisions, in
// [contracts.WeeksBucket]. Some carriers show only the current week: their earlier weeks are known from here alone.
package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"

	"assay.dev/platform/kv"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
)

// Observation is what one read of a carrier showed.
type Observation struct {
	Carrier contracts.Carrier
	Weeks   []contracts.ObservedWeek
	Source
	At time.Time // when the carrier was read
}

// Source is where an observation came from.
type Source struct {
	Path        string           `json:"path"`
	Method      contracts.Method `json:"method"`
	EvidenceURL string           `json:"evidence_url"`
}

// Week is a week as it was last observed.
type Week struct {
	contracts.ObservedWeek
	Source
	FirstSeen time.Time `json:"first_seen"`
	// LastSeen is when the value was last seen. It may be up to a day too early, because it is not written more often.
	LastSeen time.Time `json:"last_seen"`
	// Revisions are the values that were observed before, oldest first; only the newest [maxRevisions] are kept.
	Revisions []Revision `json:"revisions,omitempty"`
}

// Revision is a value that another one replaced.
type Revision struct {
	Percent   float64   `json:"fuel_surcharge_pct"`
	DieselUSD *float64  `json:"doe_diesel_price_usd"`
	LastSeen  time.Time `json:"last_seen"`
	Source
}

const (
	maxRevisions = 16
	// maxQueued is how many observations may wait to be written: several reads of all ten carriers.
	maxQueued = 64
)

// Archive reads and writes the weeks of one environment.
type Archive struct {
	env     contracts.Environment
	js      jetstream.JetStream
	kv      jetstream.KeyValue
	revised func(ctx context.Context, id string, r contracts.SurchargeRevision) error
	log     *slog.Logger
	weeks   *prometheus.CounterVec

	last     map[contracts.Carrier]Observation // the last one that was written; only the writer uses it
	queue    chan Observation
	stopping chan struct{}
	stopped  chan struct{}
	abandon  context.CancelFunc
}

// Open starts the archive over the bucket. Each revision is reported to revised before it is written. When reporting
// or writing fails, it is reported again under the same id, so that revised can tell a repetition.
func Open(
	env contracts.Environment, js jetstream.JetStream, kv jetstream.KeyValue, log *slog.Logger,
	metrics prometheus.Registerer,
	revised func(ctx context.Context, id string, r contracts.SurchargeRevision) error,
) (*Archive, error) {
	a := &Archive{
		env: env, js: js, kv: kv, log: log, revised: revised,
		weeks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "archive_weeks_total", Help: "Weeks written to the archive (new, revised, seen) or lost to it.",
		}, []string{"outcome"}),
		last: map[contracts.Carrier]Observation{}, queue: make(chan Observation, maxQueued),
		stopping: make(chan struct{}), stopped: make(chan struct{}),
	}
	if err := metrics.Register(a.weeks); err != nil {
		return nil, err
	}
	var ctx context.Context
	ctx, a.abandon = context.WithCancel(context.Background())
	go a.write(ctx)
	return a, nil
}

// Observe queues the weeks to be written. It never waits. While the bucket cannot be written the queue grows, and
// observations that do not fit into it are logged as lost.
func (a *Archive) Observe(o Observation) {
	select {
	case <-a.stopping:
		a.logLost(o, errors.New("the archive is closed"))
	default:
		select {
		case a.queue <- o:
		default:
			a.logLost(o, errors.New("too many observations are waiting"))
		}
	}
}

// Stop writes what is queued and ends the writer. Observations that are not written when ctx ends are logged as lost.
func (a *Archive) Stop(ctx context.Context) error {
	close(a.stopping)
	defer a.abandon()
	select {
	case <-a.stopped:
		return nil
	case <-ctx.Done():
		a.abandon()
		<-a.stopped
		return ctx.Err()
	}
}

func (a *Archive) logLost(o Observation, err error) {
	a.weeks.WithLabelValues("lost").Add(float64(len(o.Weeks)))
	a.log.Error("observed weeks are lost to the archive", "carrier", o.Carrier, "weeks", len(o.Weeks), "error", err)
}

// Weeks lists the archived weeks of a carrier, newest first. It fails when an entry cannot be read or is missing.
func (a *Archive) Weeks(ctx context.Context, c contracts.Carrier) ([]Week, error) {
	entries, err := a.load(ctx, c)
	if err != nil {
		return nil, err
	}
	weeks := make([]Week, 0, len(entries))
	for date, e := range entries {
		if e.damage != nil {
			return nil, fmt.Errorf("archive of %s: the week of %s: %w", c, date, e.damage)
		}
		if e.known() {
			weeks = append(weeks, e.Week)
		}
	}
	slices.SortFunc(weeks, func(a, b Week) int {
		return strings.Compare(string(b.EffectiveDate), string(a.EffectiveDate))
	})
	return weeks, nil
}

// entry is an archived week and the revision of its key in the bucket. A deleted entry has a revision but no week. A week
// that cannot be understood has its damage: it is not read, and the next observation of that week replaces it.
type entry struct {
	Week
	revision uint64
	damage   error
}

func (e entry) known() bool { return e.EffectiveDate != "" }

// load reads all entries of a carrier.
func (a *Archive) load(ctx context.Context, c contracts.Carrier) (map[contracts.Date]entry, error) {
	entries, err := kv.Entries(ctx, a.js, a.kv, a.key(c, "*"))
	if err != nil {
		return nil, fmt.Errorf("archive of %s: %w", c, err)
	}
	known := map[contracts.Date]entry{}
	for _, kve := range entries {
		date := contracts.Date(strings.TrimPrefix(kve.Key(), a.key(c, "")))
		known[date] = a.decode(kve, date)
	}
	return known, nil
}

func (a *Archive) decode(kve jetstream.KeyValueEntry, date contracts.Date) entry {
	e := entry{revision: kve.Revision()}
	if kve.Operation() != jetstream.KeyValuePut {
		return e
	}
	err := json.Unmarshal(kve.Value(), &e.Week)
	if err == nil && e.EffectiveDate != date {
		err = fmt.Errorf("it is of %s", e.EffectiveDate)
	}
	if err != nil {
		a.log.Warn("archive entry is not understood", "key", kve.Key(), "error", err)
		e.Week = Week{}
		e.damage = &kv.Damaged{Stream: contracts.WeeksBucket.Stream(), What: "an entry cannot be understood: " + err.Error()}
	}
	return e
}

// key is the key of a week: "live.ODFL.2026-09-09".
func (a *Archive) key(c contracts.Carrier, date string) string {
	return string(a.env) + "." + string(c) + "." + date
}

// Same tells whether a week was seen with the value that is known. A week without a diesel price does not contradict
// one with a price: some paths show none.
func Same(known, seen contracts.SurchargeWeek) bool {
	if !isNear(known.Percent, seen.Percent) {
		return false
	}
	return known.DieselUSD == nil || seen.DieselUSD == nil || isNear(*known.DieselUSD, *seen.DieselUSD)
}

func isNear(a, b float64) bool { return math.Abs(a-b) < 0.0005 }
