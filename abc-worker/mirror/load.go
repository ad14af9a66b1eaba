package mirror

import (
	"context"
	"time"

	"assay.dev/platform/scrape"
)

// rounds is how often a body is asked for that another worker is just replacing.
const rounds = 3

// load makes a copy of the newest editions of all files.
func (m *Mirror) load(ctx context.Context) (*Copy, error) {
	start := time.Now()
	all := newBuilder()
	c := &Copy{URL: m.Files[0].URL}
	for _, f := range m.Files {
		e, b, err := m.read(ctx, f)
		if err != nil {
			return nil, m.failure(f, err)
		}
		if c.ReadAt.IsZero() || e.ReadAt.Before(c.ReadAt) {
			c.ReadAt = e.ReadAt
		}
		all = all.merge(b)
	}
	c.index = all.index()
	m.store.metrics.rows.WithLabelValues(m.Name).Set(float64(c.Len()))
	m.store.Log.InfoContext(ctx, "a mirror was loaded", "source", m.Name, "licenses", c.Len(), "read_at", c.ReadAt, "dur_ms", time.Since(start).Milliseconds())
	return c, nil
}

// read gives the licenses of a file's newest edition.
func (m *Mirror) read(ctx context.Context, f File) (e edition, b *builder, err error) {
	for round := range rounds {
		if e, b, err = m.newest(ctx, f, round > 0); err != nil || b != nil {
			return e, b, err
		}
		body, missing := m.body(ctx, e)
		if missing != nil {
			err = missing
			continue
		}
		b = newBuilder()
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
