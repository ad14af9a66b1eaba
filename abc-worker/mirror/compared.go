package mirror

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// editionSet is the editions of all files of a mirror.
type editionSet struct {
	// ID names the set in the ids of changes. IDs have the order in which the sets were compared.
	ID    string        `json:"id"`
	Files []editionFile `json:"files"`
}

type editionFile struct {
	Name        string              `json:"name"`
	SHA256      string              `json:"sha256"`
	Object      string              `json:"object"`
	ReadAt      time.Time           `json:"read_at"`
	PublishedAt time.Time           `json:"published_at,omitzero"` // as the file says; zero when it does not say
	Kept        *contracts.Evidence `json:"kept,omitempty"`        // nil when the edition could not be kept
}

// editionTime is how the id of an edition begins.
const editionTime = "20060102T150405Z"

func (c *Copy) set() editionSet {
	set := editionSet{}
	var sums []string
	newest := time.Time{}
	for _, f := range c.Files {
		set.Files = append(set.Files, f.editionFile)
		sums = append(sums, f.SHA256[:min(4, len(f.SHA256))])
		if f.ReadAt.After(newest) {
			newest = f.ReadAt
		}
	}
	set.ID = newest.UTC().Format(editionTime) + "-" + strings.Join(sums, "")
	return set
}

func (s editionSet) same(o editionSet) bool {
	return slices.EqualFunc(s.Files, o.Files,
		func(a, b editionFile) bool { return a.Name == b.Name && a.SHA256 == b.SHA256 })
}

// older tells whether a file of s says that it is older than that of o.
func (s editionSet) older(o editionSet) bool {
	for i := range min(len(s.Files), len(o.Files)) {
		if at := s.Files[i].PublishedAt; !at.IsZero() && at.Before(pastOf(o.Files[i].PublishedAt, o.Files[i].ReadAt)) {
			return true
		}
	}
	return false
}

// readAt is when the newest of the files was read.
func (s editionSet) readAt() time.Time {
	return slices.MaxFunc(s.Files, func(a, b editionFile) int { return a.ReadAt.Compare(b.ReadAt) }).ReadAt
}

// compared is how far a mirror is compared: an entry of [contracts.ComparedBucket].
type compared struct {
	// Done was compared last. Next is being compared with it: it is set before the first change is published, and the
	// stream says which one was the last.
	Done editionSet  `json:"done"`
	Next *editionSet `json:"next,omitempty"`
	// Carried is the object with what earlier editions said of licenses that Done does not show, or not clearly.
	Carried string `json:"carried,omitempty"`
	// Held is an edition from which too many licenses are gone.
	Held *heldEdition `json:"held,omitempty"`

	revision uint64
}

type heldEdition struct {
	Edition editionSet `json:"edition"`
	// Gone of Of licenses are gone; Keys is the object that lists them.
	Gone int    `json:"gone"`
	Of   int    `json:"of"`
	Keys string `json:"keys"`
	// Confirmed: an operator says that they are gone.
	Confirmed bool `json:"confirmed,omitempty"`
}

// objects are those of which the record speaks.
func (r *compared) objects() []string {
	all := []string{r.Carried}
	for _, f := range r.Done.Files {
		all = append(all, f.Object)
	}
	if r.Next != nil {
		for _, f := range r.Next.Files {
			all = append(all, f.Object)
		}
	}
	if r.Held != nil {
		all = append(all, r.Held.Keys)
	}
	return all
}

func (m *Mirror) comparedKey() string {
	return contracts.ComparedKey(m.store.Environment, contracts.ABC, m.Name)
}

// compared reads how far the mirror is compared; revision is 0 where it never was.
func (m *Mirror) compared(ctx context.Context) (r compared, err error) {
	value, revision, err := kv.Get(ctx, m.store.compared, m.comparedKey())
	if err == nil && revision == 0 {
		err = kv.Absent(ctx, m.store.JetStream, m.store.compared, m.comparedKey())
	}
	if err == nil && revision > 0 {
		err = json.Unmarshal(value, &r)
	}
	r.revision = revision
	if err != nil {
		return r, fmt.Errorf("what was compared of %s: %w", m.Name, err)
	}
	held := 0.0
	if r.Held != nil && !r.Held.Confirmed {
		held = 1
	}
	m.store.metrics.held.WithLabelValues(m.Name).Set(held) // whichever worker it was that held them
	return r, nil
}

// writeCompared replaces the record, on the condition that nobody did since it was read.
func (m *Mirror) writeCompared(ctx context.Context, r *compared) error {
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return kv.Retry(ctx, func(ctx context.Context) error {
		revision, err := kv.Swap(ctx, m.store.JetStream, contracts.ComparedBucket, m.comparedKey(), value, r.revision)
		if err == nil {
			r.revision = revision
		}
		return err
	})
}

// isCompared tells whether a comparison still needs an object. Where that is not known it does.
func (m *Mirror) isCompared(ctx context.Context, object string) bool {
	if !m.isWatched() {
		return false
	}
	r, err := m.compared(ctx)
	return err != nil || slices.Contains(r.objects(), object)
}

// Confirm says that the licenses are gone that are gone from the edition that is held of a state. It returns how many
// of how many that is.
func Confirm(ctx context.Context, js jetstream.JetStream, env contracts.Environment, state contracts.State) (gone,
	of int, err error) {
	bucket, err := kv.Open(ctx, js, contracts.ComparedBucket)
	if err != nil {
		return 0, 0, err
	}
	err = kv.Change(ctx, bucket, contracts.ComparedKey(env, contracts.ABC, string(state)),
		func(old []byte) ([]byte, error) {
			var r compared
			if old != nil {
				if err := json.Unmarshal(old, &r); err != nil {
					return nil, err
				}
			}
			if r.Held == nil {
				return nil, errors.New("no edition of " + string(state) + " is held")
			}
			r.Held.Confirmed, gone, of = true, r.Held.Gone, r.Held.Of
			return json.Marshal(r)
		})
	return gone, of, err
}

// side is one edition, as it is compared.
type side struct {
	entries    *column
	unnumbered []string
}

// side is that of a set: a copy's, where the copy is of the set, or what the kept files say. It fails with [errLost]
// where they say nothing any more.
func (m *Mirror) side(ctx context.Context, s editionSet, copies ...*Copy) (side, error) {
	for _, c := range copies {
		if c != nil && c.set().same(s) {
			return side{&c.index.entries, c.index.unnumbered}, nil
		}
	}
	all := newBuilder(0)
	for i, f := range s.Files {
		if i >= len(m.Files) || m.Files[i].Name != f.Name {
			return side{}, fmt.Errorf("%w: %s was made of other files", errLost, s.ID)
		}
		body, err := m.body(ctx, edition{Object: f.Object, SHA256: f.SHA256})
		if err != nil {
			return side{}, err
		}
		b := m.newBuilder(i)
		if _, err := m.Files[i].Read(body, b.addEntry); err != nil {
			return side{}, fmt.Errorf("%w: %w", errLost, err)
		}
		all = all.merge(b, m.Contradicts)
	}
	return all.side(), nil
}

// side is what an index of the builder would have for a comparison.
func (b *builder) side() side {
	b.markBad()
	keys := b.sorted()
	entries := newColumn(len(b.data), len(keys))
	var unnumbered []string
	for _, key := range keys {
		s := b.slots[key]
		doc := b.data[s.from:s.to]
		if isUnnumbered(doc) {
			unnumbered = append(unnumbered, hiding(key.number))
		}
		entries.addText(doc)
	}
	return side{&entries, unnumbered}
}

// carriedItem is an item as it is kept from one comparison to the next.
type carriedItem struct {
	Doc     []byte              `json:"doc"`
	Missing int                 `json:"missing,omitempty"`
	Unseen  bool                `json:"unseen,omitempty"`
	Carried *contracts.Evidence `json:"carried,omitempty"`
}

// keepCarried keeps items for the next comparison, under the name of the edition that was compared.
func (m *Mirror) keepCarried(ctx context.Context, edition string, items []item) (object string, err error) {
	if len(items) == 0 {
		return "", nil
	}
	all := make([]carriedItem, len(items))
	for i, it := range items {
		all[i] = carriedItem{it.doc, it.missing, it.unseen, it.carried}
	}
	return m.keepObject(ctx, "carried", edition, all)
}

// carriedItems are those of the last comparison. One that cannot be read carries nothing, which is logged: what it says
// of its licenses is told as far as the editions show it.
func (m *Mirror) carriedItems(ctx context.Context, object string) (items []item) {
	var all []carriedItem
	if object == "" {
		return nil
	}
	if err := m.readObject(ctx, object, &all); err != nil {
		m.store.Log.ErrorContext(ctx, "what earlier editions said is lost", "source", m.Name, "object", object, "error", err)
		return nil
	}
	for _, c := range all {
		it := m.Watch.item(c.Doc)
		it.missing, it.unseen, it.carried = c.Missing, c.Unseen, c.Carried
		items = append(items, it)
	}
	return items
}

func (m *Mirror) keepObject(ctx context.Context, kind, edition string, v any) (object string, err error) {
	body, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	object = string(m.store.Environment) + "." + m.Name + "." + kind + "." + edition
	return object, m.storeBody(ctx, object, body)
}

func (m *Mirror) readObject(ctx context.Context, object string, into any) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ioTime) // as in body
	defer cancel()
	packed, err := m.store.files.GetBytes(ctx, object)
	if err != nil {
		return err
	}
	body, err := unpack(packed)
	if err != nil {
		return err
	}
	return json.NewDecoder(bytes.NewReader(body)).Decode(into)
}
