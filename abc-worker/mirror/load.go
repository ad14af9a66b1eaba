package mirror

import (
	"context"
	"time"

	"assay.dev/platform/scrape"
)

// rounds is how often a body is asked for that another worker is just replacing.
const rounds = 3

// load makes a copy of the newest editions of all files.
func (m *Mirror) load(ctx context.Context, d due) (*Copy, error) {
	start := time.Now()
	all := newBuilder(0)
	c := &Copy{}
	for i, f := range m.Files {
		e, b, err := m.read(ctx, i, d)
		if err != nil {
			return nil, m.failure(f, err)
		}
		if c.ReadAt.IsZero() || e.ReadAt.Before(c.ReadAt) {
			c.ReadAt = e.ReadAt
		}
		c.Files = append(c.Files, CopiedFile{URL: f.URL, PublishedAt: e.publishedAt(), Evidence: e.Kept})
		all = all.merge(b)
	}
	c.index = all.index()
	m.store.metrics.rows.WithLabelValues(m.Name).Set(float64(c.Len()))
	m.store.Log.InfoContext(ctx, "a mirror was loaded", "source", m.Name, "licenses", c.Len(), "read_at", c.ReadAt, "dur_ms", time.Since(start).Milliseconds())
	return c, nil
}

// read gives the licenses of the newest edition of file i.
func (m *Mirror) read(ctx context.Context, i int, d due) (e edition, b *builder, err error) {
	f := m.Files[i]
	for round := range rounds {
		if e, b, err = m.newest(ctx, i, d, round > 0); err != nil || b != nil {
			return e, b, err
		}
		body, missing := m.body(ctx, e)
		if missing != nil {
			err = missing
			continue
		}
		e.date(f, body)
		m.keepEvidence(ctx, f, &e, body)
		b = newBuilder(i)
		_, err = f.Read(body, b.add)
		return e, b, err
	}
	return e, nil, err
}

// failure keeps the kind that err has.
func (m *Mirror) failure(f File, err error) error {
	kind := scrape.KindOf(err)
	if kind == "" {
		kind = scrape.Unreachable
	}
	return scrape.Failf(kind, "%s: %w", f.Name, err)
}
