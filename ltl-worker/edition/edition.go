// Package edition keeps every edition of a carrier's bracket table that was ever seen, in [contracts.TariffsBucket].
// Carriers reissue their tables, and an invoice is held against the one that applied.
package edition

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// Edition is a table as it was seen from one moment to another.
type Edition struct {
	Rows []contracts.Bracket `json:"rows"`
	// Tally counts the rows of the last reading.
	contracts.Tally
	FirstSeen time.Time `json:"first_seen"`
	LastSeen  time.Time `json:"last_seen"`
	// Path, Method, EvidenceURL and Evidence say how and where the last reading was made.
	Path        string               `json:"path"`
	Method      contracts.Method     `json:"method"`
	EvidenceURL string               `json:"evidence_url"`
	Evidence    []contracts.Evidence `json:"evidence,omitempty"`
	// Untold is a change that the edition makes and that is to be told; nil once it is.
	Untold *contracts.Change `json:"untold,omitempty"`

	number   int
	revision uint64
}

// Archive keeps the editions of one environment.
type Archive struct {
	env contracts.Environment
	js  jetstream.JetStream
	kv  jetstream.KeyValue
	// Outdate ends the stored answers that a change makes wrong. It is nil where changes are not told. Published counts
	// them.
	Outdate   func(context.Context, *contracts.Change) error
	Published *prometheus.CounterVec
}

// NewArchive makes an archive over the bucket.
func NewArchive(env contracts.Environment, js jetstream.JetStream, bucket jetstream.KeyValue) *Archive {
	return &Archive{env: env, js: js, kv: bucket}
}

// Observe keeps a table that was seen at seen.LastSeen, and gives its edition: the newest one if that has the same
// rows, else a new one. A table that was seen before the newest edition was changes nothing. That a table takes the
// place of another is published, once.
func (a *Archive) Observe(ctx context.Context, c contracts.Carrier, seen Edition) (Edition, error) {
	var now Edition
	err := kv.RetryConflicts(ctx, func() error {
		known, err := a.All(ctx, c)
		if err != nil {
			return err
		}
		now = next(known, seen)
		a.mark(c, known, &now)
		isKnown := len(known) > 0 && now.LastSeen.Equal(known[len(known)-1].LastSeen)
		write := slices.DeleteFunc(known,
			func(e Edition) bool { return a.Outdate == nil || e.Untold == nil || e.number == now.number })
		if !isKnown || now.Untold != nil && a.Outdate != nil {
			write = append(write, now)
		}
		return a.writeEditions(ctx, c, write)
	})
	if err != nil {
		return Edition{}, fmt.Errorf("bracket table of %s: %w", c, err)
	}
	return now, nil
}

// next is the newest edition after a table was seen.
func next(known []Edition, seen Edition) Edition {
	seen.FirstSeen, seen.number, seen.revision = seen.LastSeen, len(known)+1, 0
	if len(known) == 0 {
		return seen
	}
	newest := known[len(known)-1]
	switch {
	case !seen.LastSeen.After(newest.LastSeen):
		return newest
	case reflect.DeepEqual(newest.Rows, seen.Rows):
		seen.FirstSeen, seen.number, seen.revision, seen.Untold = newest.FirstSeen, newest.number,
			newest.revision, newest.Untold
	}
	return seen
}

func (a *Archive) put(ctx context.Context, c contracts.Carrier, e *Edition) error {
	value, err := json.Marshal(e)
	if err != nil {
		return err
	}
	e.revision, err = a.kv.Update(ctx, a.key(c, strconv.Itoa(e.number)), kv.Compress(value), e.revision)
	return err
}

// All are the editions of a carrier, the oldest first. It fails when one cannot be read.
func (a *Archive) All(ctx context.Context, c contracts.Carrier) ([]Edition, error) {
	entries, err := kv.Entries(ctx, a.js, a.kv, a.key(c, "*"))
	if err != nil {
		return nil, err
	}
	var all []Edition
	for _, entry := range entries {
		e, err := decode(entry, strings.TrimPrefix(entry.Key(), a.key(c, "")))
		if err != nil {
			return nil, &kv.Damaged{Stream: contracts.TariffsBucket.Stream(),
				What: "an edition cannot be understood: " + err.Error()}
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(x, y Edition) int { return cmp.Compare(x.number, y.number) })
	return all, nil
}

func decode(entry jetstream.KeyValueEntry, number string) (Edition, error) {
	e := Edition{revision: entry.Revision()}
	doc, err := kv.Expand(entry.Value())
	if err == nil {
		err = json.Unmarshal(doc, &e)
	}
	if err == nil {
		e.number, err = strconv.Atoi(number)
	}
	return e, err
}

// key is the key of an edition: "live.ESTES.3".
func (a *Archive) key(c contracts.Carrier, number string) string {
	return string(a.env) + "." + string(c) + "." + number
}
