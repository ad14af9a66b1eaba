package mirror

import (
	"cmp"
	"context"
	"slices"
	"time"

	"assay.dev/platform/scrape"
)

// rounds is how often a body is asked for that another worker is just replacing.
const rounds = 3

// load is one attempt to get a newer copy.
type load struct {
	due
	done chan struct{}
	err  error
}

// due says when an edition is asked for again: at that age, but so long after a failure at the earliest.
type due struct {
	age, retry time.Duration
	onRequest  bool
}

// usual is when editions are asked for while nobody wants fresher ones.
func (m *Mirror) usual() due { return due{age: m.maxAge(), retry: m.retry()} }

// load makes a copy of the newest editions of all files. While they are those of the copy that there is, its index is
// taken over.
func (m *Mirror) load(ctx context.Context, d due) (*Copy, error) {
	start := time.Now()
	held := m.current.Load()
	c, built := &Copy{}, make([]*builder, len(m.Files))
	for i, f := range m.Files {
		e, b, err := m.readEdition(ctx, i, d, held)
		if err != nil {
			return nil, m.failure(f, err)
		}
		c.Files, built[i] = append(c.Files, copied(f, e)), b
		c.downloaded, c.isStale = c.downloaded || b != nil && b.downloaded, c.isStale || !e.FailedAt.IsZero()
	}
	c.ReadAt, c.IsShort = c.oldest(), m.isShort(c)
	if held != nil && held.set().same(c.set()) {
		c.index = held.index
		return c, nil
	}
	all := newBuilder(0)
	for i, f := range m.Files {
		if built[i] == nil { // the held copy has it, merged with files that have changed
			e, b, err := m.readEdition(ctx, i, d, nil)
			if err != nil {
				return nil, m.failure(f, err)
			}
			c.Files[i], built[i] = copied(f, e), b
			c.downloaded = c.downloaded || b.downloaded
		}
		all = all.merge(built[i], m.Contradicts)
	}
	c.ReadAt, c.IsShort = c.oldest(), m.isShort(c)
	c.index = all.index()
	m.store.metrics.rows.WithLabelValues(m.Name).Set(float64(c.Len()))
	m.store.Log.InfoContext(ctx, "a mirror was loaded", "source", m.Name, "licenses", c.Len(), "read_at", c.ReadAt,
		"dur_ms", time.Since(start).Milliseconds())
	return c, nil
}

func copied(f File, e edition) CopiedFile {
	return CopiedFile{f.URL, cmp.Or(e.Since, e.ReadAt), e.file(f), e.Rows, e.Before}
}

// isShort tells whether many rows are gone from the files together, which no operator says: those of one may have moved
// to another, which gained them at about the same time.
func (m *Mirror) isShort(c *Copy) bool {
	before, rows := 0, 0
	for _, f := range c.Files {
		was := cmp.Or(f.before, f.rows)
		if was < f.rows && c.since().Sub(f.Since) > movedWithin {
			was = f.rows
		}
		before, rows = before+was, rows+f.rows
	}
	return isMuch(before-rows, before) && !slices.Contains(m.store.Resized, m.Name)
}

// movedWithin is how far apart the editions may be of which one lost the rows that the other gained.
const movedWithin = 48 * time.Hour

// since is when the newest of the files was first found to be so.
func (c *Copy) since() (at time.Time) {
	for _, f := range c.Files {
		if f.Since.After(at) {
			at = f.Since
		}
	}
	return at
}

// oldest is when the oldest of the files was read.
func (c *Copy) oldest() (at time.Time) {
	for _, f := range c.Files {
		if at.IsZero() || f.ReadAt.Before(at) {
			at = f.ReadAt
		}
	}
	return at
}

// DataDate is how old the oldest of the files is: its own date, or since when it is the same where it says none.
func (c *Copy) DataDate() (oldest time.Time) {
	for _, f := range c.Files {
		if at := cmp.Or(f.PublishedAt, f.Since); oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
	}
	return oldest
}

// readEdition gives the licenses of the newest edition of file i; no builder where held has that edition.
func (m *Mirror) readEdition(ctx context.Context, i int, d due, held *Copy) (e edition, b *builder, err error) {
	f := m.Files[i]
	for round := range rounds {
		if e, b, err = m.newest(ctx, i, d, round > 0); err != nil || b != nil {
			return e, b, err
		}
		if held != nil && e.SHA256 != "" && held.Files[i].SHA256 == e.SHA256 {
			return e, nil, nil
		}
		body, missing := m.body(ctx, e)
		if missing != nil {
			err = missing
			continue
		}
		e.date(f, body)
		m.keepEvidence(ctx, f, &e, body)
		b = m.newBuilder(i)
		_, err = f.Read(body, b.addEntry)
		return e, b, err
	}
	return e, nil, err
}

// failure keeps the kind that err has.
func (m *Mirror) failure(f File, err error) error {
	kind := scrape.KindOf(err)
	kind = cmp.Or(kind, scrape.Unreachable)
	return scrape.Failf(kind, "%s: %w", f.Name, err)
}

// lookTime bounds the look at what other workers have got. Who cannot look answers from what there is.
const lookTime = 5 * time.Second

// pastTime bounds the wait for a newer copy while there is one that answers may be from: the newer one takes a download
// and an index, which may be minutes.
const pastTime = 5 * time.Second

// isPast tells whether another worker has got a newer edition of a file. What such a copy says may contradict changes
// that are published: it is to be loaded anew before it answers, and is not compared.
func (m *Mirror) isPast(ctx context.Context, c *Copy) bool {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	for i, f := range m.Files {
		last, err := m.last(ctx, f)
		if held := c.Files[i]; err != nil || last.SHA256 == held.SHA256 || !last.ReadAt.After(held.ReadAt) {
			continue
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.loading == nil && last.ReadAt.After(m.overdue) { // one that fails is tried again as any other
			m.overdue, m.nextTry = last.ReadAt, time.Time{}
		}
		return true
	}
	return false
}
