// Package changes publishes what changed: each change of a source once, in one order, whichever worker publishes and
// however often one is killed in between.
//
// The stream itself says how far the publishing came. A worker asks for the last change of a source, and publishes the
// next one on the condition that it still is the last: of two workers that publish the same, one is refused.
package changes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

// ErrOvertaken means that another worker published in between.
var ErrOvertaken = errors.New("another worker publishes the same changes")

// Log is the changes of one source and one group of types.
type Log struct {
	JetStream   jetstream.JetStream
	Environment contracts.Environment
	Product     contracts.Product
	Source      string
	// Group is that of the types: see [contracts.ChangeType.Group].
	Group string
	// Published counts; see [NewCounter].
	Published *prometheus.CounterVec
}

// NewCounter makes the counter of published changes, by source and type.
func NewCounter(r prometheus.Registerer) (*prometheus.CounterVec, error) {
	m := telemetry.NewMetrics(r)
	return m.Counters("changes_published_total", "Changes published, by source and type.", "source", "type"), m.Err()
}

// Expect counts a source's changes of some groups from 0 on, so that the first is an increase.
func Expect(published *prometheus.CounterVec, source string, groups ...string) {
	for _, kind := range contracts.ChangeTypes {
		if slices.Contains(groups, kind.Group()) {
			published.WithLabelValues(source, string(kind))
		}
	}
}

// Last is the change that was published last, and its sequence; 0 where there is none.
type Last struct {
	contracts.Change
	Sequence uint64
}

// ID makes the id of a change.
func ID(source, edition string, index int) string {
	return source + "." + edition + "." + strconv.Itoa(index)
}

// Edition is the edition that the change's id names, and its place among the changes of that edition.
func (l *Last) Edition() (edition string, index int) {
	rest := strings.TrimPrefix(l.ID, l.Source+".")
	edition, digits, _ := strings.Cut(rest, ".")
	index, _ = strconv.Atoi(digits) // the ids are ours
	return edition, index
}

// allSubjects is the filter of the log's messages.
func (l *Log) allSubjects() string {
	return contracts.ChangeSubject(l.Environment, l.Product, l.Source, contracts.ChangeType(l.Group+".>")).Name
}

// Last reads the last change.
func (l *Log) Last(ctx context.Context) (last Last, err error) {
	var msg *jetstream.RawStreamMsg
	err = kv.Retry(ctx, func(ctx context.Context) error {
		stream, err := l.JetStream.Stream(ctx, contracts.ChangesStream.Name)
		if err != nil {
			return err
		}
		msg, err = stream.GetLastMsgForSubject(ctx, l.allSubjects())
		return err
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Last{}, nil
	}
	if err == nil {
		last.Sequence, err = msg.Sequence, json.Unmarshal(msg.Data, &last.Change)
	}
	if err != nil {
		return Last{}, fmt.Errorf("the last change of %s: %w", l.Source, err)
	}
	return last, nil
}

// Append publishes c after last and sets last to it. It does nothing when c is last already. It is repeated while
// servers change; the error is [ErrOvertaken] when another worker published one instead.
func (l *Log) Append(ctx context.Context, last *Last, c contracts.Change) error {
	if last.ID == c.ID {
		return nil
	}
	doc, err := json.Marshal(c)
	if err != nil {
		return err
	}
	msg := nats.NewMsg(contracts.ChangeSubject(l.Environment, l.Product, l.Source, c.Type).Name)
	msg.Data = doc
	var ack *jetstream.PubAck
	err = kv.Retry(ctx, func(ctx context.Context) (err error) {
		ack, err = l.JetStream.PublishMsg(ctx, msg, jetstream.WithMsgID(c.ID), jetstream.WithRetryAttempts(0),
			jetstream.WithExpectLastSequenceForSubject(last.Sequence, l.allSubjects()))
		return err
	})
	switch {
	case err == nil:
		*last = Last{c, ack.Sequence}
		l.Published.WithLabelValues(l.Source, string(c.Type)).Inc()
		return nil
	case !kv.Conflict(err):
		return fmt.Errorf("publishing %s: %w", c.ID, err)
	}
	now, err := l.Last(ctx)
	if err != nil {
		return err
	}
	if now.ID != c.ID {
		return ErrOvertaken
	}
	*last = now // an attempt whose acknowledgement was lost
	return nil
}
