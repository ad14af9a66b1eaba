package mirror

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/scrape"
)

const (
	defaultMaxBytes = 32 << 20
	downloadTime    = 50 * time.Second
	// maxDrift is by how much, in percent of the last good one, the number of rows may change from one edition to the
	// next.
	maxDrift = 20
	// maxUnclear is how many rows of a hundred may not be understood. A license of such a row fails when it is asked
	// for. A file with more of them has changed, and is not taken: the last good one serves on.
	maxUnclear = 5
)

// newest has the file downloaded if it is due, by whichever worker comes first. When that fails it is the last good
// one, unless it was due before it ended, and there is a copy of it. anew: the edition that the workers share is
// missing; one of them downloads it. The builder holds the file's licenses when it was this process that downloaded it,
// and is nil otherwise.
func (m *Mirror) newest(ctx context.Context, i int, d due, anew bool) (edition, *builder, error) {
	f := m.Files[i]
	var read *builder
	renew := func(ctx context.Context) (edition, error) {
		e, b, err := m.renew(ctx, i, d)
		read = b
		if err != nil { // other processes understand codes only
			err = contracts.Wrap(err, contracts.SourceUnavailable, "%s could not be renewed; retry later", f.Name)
		}
		return e, err
	}
	s := m.store
	if s.Answers == nil {
		e, err := renew(ctx)
		return e, read, err
	}
	key := contracts.CacheKey(string(s.Environment) + ".abc.mirror." + f.Name)
	known, err := s.Answers.Get(ctx, key) // a miss has a revision too
	early := err == nil && time.Since(known.ReadAt) >= d.age
	if err == nil && !early && !anew {
		last, lastErr := m.last(ctx, f)
		if lastErr == nil && !known.ReadAt.After(last.ReadAt) && time.Since(last.ReadAt) < d.age {
			return last, nil, nil // newer than the stored answer, or with a failure to renew it
		}
	}
	if early || anew {
		e, did, err := cache.Refresh(ctx, s.Answers, cache.Renewal{Key: key, Replaces: known.Revision}, renew)
		if did && err == nil || early && err != nil && m.current.Load() != nil {
			return e, read, err
		}
	}
	e, err := cache.Fill(ctx, s.Answers, key, renew)
	if err == nil {
		return e, read, nil
	}
	last, lastErr := m.last(ctx, f)
	if lastErr != nil {
		return edition{}, nil, err
	}
	s.Log.WarnContext(ctx, "a bulk file is not renewed; the last good one is served", "file", f.Name, "read_at",
		last.ReadAt, "error", err)
	return last, nil, nil
}

// renew gets the file from its publisher, unless that was done just now. It is the only place that does, and one worker
// at a time is in it.
func (m *Mirror) renew(ctx context.Context, i int, d due) (edition, *builder, error) {
	s, f := m.store, m.Files[i]
	last, err := m.last(ctx, f)
	known := err == nil
	switch {
	case err != nil && !errors.Is(err, jetstream.ErrKeyNotFound):
		return edition{}, nil, fmt.Errorf("the last edition of %s: %w", f.Name, err)
	case known && !m.kept(ctx, last):
		last, known = edition{Rows: last.Rows, Before: last.Before, revision: last.revision}, false
	case known && time.Since(last.ReadAt) < d.age:
		return last, nil, nil
	case known && time.Since(last.FailedAt) < d.retry:
		return edition{}, nil, scrape.Failf(scrape.Unavailable, "%s could not be renewed at %s", f.Name,
			last.FailedAt.Format(time.TimeOnly))
	}
	e, read, err := m.download(ctx, i, last)
	if err != nil {
		// One failure is not told: the publisher may have changed the file between our questions.
		if scrape.KindOf(err) == scrape.Changed && (!known || !last.FailedAt.IsZero()) {
			m.degraded(ctx, time.Now(), "an edition of "+f.Name+" is not what such a file should be, and was not taken")
		}
		if known {
			last.FailedAt = time.Now().UTC()
			if err := m.recordEdition(ctx, f, last); err != nil {
				s.Log.WarnContext(ctx, "a failed renewal is not recorded", "file", f.Name, "error", err)
			}
		}
		return edition{}, nil, err
	}
	return e, read, nil
}

// download gets the file if it has changed, and puts it where all workers find it.
func (m *Mirror) download(ctx context.Context, i int, last edition) (edition, *builder, error) {
	f := m.Files[i]
	page, err := m.Fetch(ctx, request(f, last))
	if err != nil {
		m.count(f, "failed")
		return edition{}, nil, err
	}
	e := edition{
		Provenance: contracts.Provenance{
			Schema: contracts.AnswerSchema,
			ReadAt: page.ReadAt.UTC(), ExpiresAt: page.ReadAt.Add(m.maxAge()).UTC(), Method: contracts.APIMirror,
			EvidenceURL: f.URL,
		},
		ETag: page.Header.Get("ETag"), LastModified: page.Header.Get("Last-Modified"),
		Rows: last.Rows, Before: last.Before, SHA256: last.SHA256, Object: last.Object, Since: last.Since,
		revision: last.revision,
	}
	if page.Status == http.StatusNotModified {
		e.ETag, e.LastModified, e.PublishedAt, e.Kept = last.ETag, last.LastModified, last.PublishedAt, last.Kept
		m.keepEvidence(ctx, f, &e, nil)
		m.count(f, "unchanged")
		return e, nil, m.publish(ctx, f, e, last)
	}
	e.date(f, page.Body)
	sum := sha256.Sum256(page.Body)
	if e.SHA256 = hex.EncodeToString(sum[:]); e.SHA256 == last.SHA256 {
		e.Kept = last.Kept
		m.keepEvidence(ctx, f, &e, page.Body)
		m.count(f, "unchanged")
		return e, nil, m.publish(ctx, f, e, last)
	}
	if e.PublishedAt != nil && e.PublishedAt.Before(last.publishedAt()) { // as from a cache on the way
		m.count(f, "failed")
		return edition{}, nil, scrape.Failf(scrape.Unavailable, "%s is of %s, and the last one was of %s", f.Name,
			e.PublishedAt, last.PublishedAt)
	}
	read, rows, err := m.inspect(ctx, i, page.Body, last.Rows)
	if err != nil {
		m.count(f, "refused")
		return edition{}, nil, err
	}
	e.count(rows, last, slices.Contains(m.store.Resized, m.Name))
	e.Object, e.Since = m.key(f)+"."+e.SHA256[:16], e.ReadAt
	if err := m.storeBody(ctx, e.Object, page.Body); err != nil {
		return edition{}, nil, err
	}
	m.keepEvidence(ctx, f, &e, page.Body)
	m.count(f, "new")
	m.store.Log.InfoContext(ctx, "a bulk file was downloaded", "file", f.Name, "bytes", len(page.Body), "rows", e.Rows,
		"rows_before", last.Rows)
	return e, read, m.publish(ctx, f, e, last)
}

// request is conditional when there is an edition to fall back on.
func request(f File, last edition) scrape.Request {
	r := scrape.Request{URL: f.URL, MaxBody: f.MaxBytes, Timeout: downloadTime, Header: http.Header{}}
	r.MaxBody = cmp.Or(r.MaxBody, defaultMaxBytes)
	if last.ETag != "" {
		r.Header.Set("If-None-Match", last.ETag)
	}
	if last.LastModified != "" {
		r.Header.Set("If-Modified-Since", last.LastModified)
	}
	return r
}

// inspect is the guards: the file must be readable as what it should be, and hold about as many rows as before, unless
// an operator says that it may not.
func (m *Mirror) inspect(ctx context.Context, i int, body []byte, before int) (read *builder, rows int, err error) {
	f := m.Files[i]
	if scrape.LooksLikeMarkup(body) {
		return nil, 0, scrape.Failf(scrape.Changed, "%s is a page and not a file", f.Name)
	}
	read = m.newBuilder(i)
	read.downloaded = true
	if rows, err = f.Read(body, read.addEntry); err != nil {
		return nil, rows, err
	}
	if read.unclear*100 > rows*maxUnclear {
		return nil, rows, scrape.Failf(scrape.Changed, "%d of %d rows of %s are not understood", read.unclear, rows, f.Name)
	}
	if drift := rows - before; before > 0 && m.Watch.ListName == "" && !slices.Contains(m.store.Resized, m.Name) &&
		(drift*100 > maxDrift*before || -drift*100 > maxDrift*before || f.KeepsAll && isMuch(-drift, before)) {
		return nil, rows, scrape.Failf(scrape.Changed, "%s has %d rows, and had %d: too many are new, or gone", f.Name,
			rows, before)
	}
	if err := read.checkWords(); err != nil {
		return nil, rows, err
	}
	return read, rows, m.isWhole(ctx, f, rows)
}

// isWhole fails when the publisher counts other rows than the file has. A file that is read anew from evidence was
// whole when it was read first.
func (m *Mirror) isWhole(ctx context.Context, f File, rows int) error {
	if f.Rows == nil || m.store.Reread {
		return nil
	}
	want, err := f.Rows(ctx)
	if err == nil && rows != want {
		err = scrape.Failf(scrape.Changed, "%s has %d rows, and its publisher counts %d", f.Name, rows, want)
	}
	return err
}

func (m *Mirror) count(f File, outcome string) {
	m.store.metrics.downloads.WithLabelValues(f.Name, outcome).Inc()
}
