package provision

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// ErrFirst says that JetStream holds nothing of ours, and that nobody said that this is right. A server that lost its
// disk looks the same.
var ErrFirst = errors.New("JetStream holds no stream of Assay and no record that it ever did, and nothing " +
	"was made: if this is a new deployment, say --first; if it is not, its data is lost, see StoreDamaged in " +
	"the runbook, docs/runbook.md")

// Missing is the error of streams that were made before, or may have been, and are gone.
type Missing struct {
	Streams []string
	// Unrecorded says that the record of births is gone too, or is older than this version.
	Unrecorded bool
}

func (m *Missing) Error() string {
	state := "made before, missing"
	if m.Unrecorded {
		state = "missing, and no record says whether it was ever made"
	}
	return fmt.Sprintf("%s: %s, and nothing was made or changed: bring back what is gone with `assay restore`, or begin "+
		"with an empty one by --accept-loss %s; see StoreDamaged in the runbook, docs/runbook.md",
		strings.Join(m.Streams, ", "), state, strings.Join(m.Streams, " --accept-loss "))
}

// Lasting lists the streams that hold what nothing can replace, such as the keys.
func Lasting() []string {
	var names []string
	for _, name := range Streams() {
		if !contracts.Disposable(name) {
			names = append(names, name)
		}
	}
	return names
}

// Streams lists every stream of a deployment by its name on the servers, those of buckets and of the object store
// included. The record of births is not in it.
func Streams() []string {
	names := []string{contracts.MirrorsStream}
	for _, s := range contracts.Streams {
		names = append(names, s.Name)
	}
	for _, b := range contracts.Buckets {
		names = append(names, b.Stream())
	}
	return names
}

// births is the record of births that is written once everything is made.
type births struct {
	born map[string]time.Time
	// lost are the streams that are made anew by permission, first the sequence of the first message of each.
	lost  []string
	first map[string]uint64
}

// permit decides whether the streams that are missing may be made. It returns the record of births, which the caller
// completes once they are made.
func (o Options) permit(ctx context.Context, js jetstream.JetStream) (*births, error) {
	for _, name := range o.AcceptLoss {
		if !slices.Contains(Lasting(), name) {
			return nil, fmt.Errorf("--accept-loss %s: want one of %s", name, strings.Join(Lasting(), ", "))
		}
	}
	existing, err := existing(ctx, js)
	if err != nil {
		return nil, err
	}
	record, err := o.Births.Read(ctx)
	if err != nil {
		return nil, err
	}
	if record == nil && len(existing) == 0 {
		if !o.First {
			return nil, ErrFirst
		}
		// Written before anything is made: a first run that ends halfway may be repeated.
		record = map[string]time.Time{}
		if err := o.Births.Write(ctx, record); err != nil {
			return nil, err
		}
	}
	if err := o.missing(record, existing); err != nil {
		return nil, err
	}
	b := completeBirths(record)
	return b, b.lose(ctx, js, o.AcceptLoss, existing)
}

// lose notes which streams of --accept-loss are really gone, and at which sequence each of them begins anew.
func (b *births) lose(ctx context.Context, js jetstream.JetStream, accepted, existing []string) error {
	b.first = map[string]uint64{}
	for _, name := range accepted {
		if slices.Contains(existing, name) || name == contracts.WitnessesBucket.Stream() {
			continue
		}
		b.lost = append(b.lost, name)
		w, err := kv.ReadWitness(ctx, js, name)
		if err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) {
			return err
		}
		b.first[name] = kv.NextLife(w.Last.Sequence)
	}
	return nil
}

// existing lists those of our streams that are there.
func existing(ctx context.Context, js jetstream.JetStream) ([]string, error) {
	var found sync.Map
	err := together(Streams(), func(name string) error {
		_, err := js.Stream(ctx, name)
		if err == nil {
			found.Store(name, nil)
		} else if !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("stream %s: %w", name, err)
		}
		return nil
	})
	return slices.DeleteFunc(Streams(), func(name string) bool { _, is := found.Load(name); return !is }), err
}

// unrecorded are the streams of version 1.0.0, which kept no record of births. Without a record each of them counts as
// born.
var unrecorded = []string{
	contracts.KeysBucket.Stream(), contracts.CreditsBucket.Stream(), contracts.WeeksBucket.Stream(),
	contracts.UsageStream.Name, contracts.EventsStream.Name,
}

// missing returns a *[Missing] when a stream is not there that was made before.
func (o Options) missing(record map[string]time.Time, existing []string) error {
	gone := &Missing{Unrecorded: record == nil}
	for _, name := range Lasting() {
		_, born := record[name]
		if record == nil {
			born = slices.Contains(unrecorded, name)
		}
		if born && !slices.Contains(existing, name) && !slices.Contains(o.AcceptLoss, name) {
			gone.Streams = append(gone.Streams, name)
		}
	}
	if len(gone.Streams) == 0 {
		return nil
	}
	return gone
}

// completeBirths returns the record with every stream that must last. A stream that is not in the record gets the
// present time.
func completeBirths(record map[string]time.Time) *births {
	b := &births{born: maps.Clone(record)}
	if b.born == nil {
		b.born = map[string]time.Time{}
	}
	for _, name := range Lasting() {
		if _, known := b.born[name]; !known {
			b.born[name] = time.Now().UTC().Truncate(time.Second)
		}
	}
	return b
}
