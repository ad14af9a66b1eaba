package mirror

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/evidence"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

const ioTime = 15 * time.Second

// edition is what is known of the last good download of a file: the value in [contracts.MirrorsBucket], and, with its
// Provenance, the answer that the workers of a deployment share.
type edition struct {
	contracts.Provenance
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Rows         int    `json:"rows"`
	// Before is how many rows there were before many were gone, or new, until another edition has about as many; 0 where
	// none are.
	Before int    `json:"before,omitempty"`
	SHA256 string `json:"sha256"`
	// Object is the name of the body in [contracts.MirrorsStore].
	Object string `json:"object"`
	// Kept names the body in [contracts.FilesStream], which keeps it when Object is gone; nil when it could not be
	// kept.
	Kept *contracts.Evidence `json:"kept,omitempty"`
	// FailedAt is when a renewal failed last, if none has succeeded since.
	FailedAt time.Time `json:"failed_at,omitzero"`
	// Since is when the file was first found to be so; zero in entries of versions that did not note it.
	Since time.Time `json:"since,omitzero"`

	revision uint64 // of the entry that was read; 0 where there was none
}

// date sets how old the file says that it is. An edition that is dated already, such as one that was found unchanged,
// stays.
func (e *edition) date(f File, body []byte) {
	if e.PublishedAt != nil {
		return
	}
	at := time.Time{}
	if f.Published != nil {
		at = f.Published(body)
	}
	if at.IsZero() {
		at, _ = http.ParseTime(e.LastModified) // zero when there is none
	}
	if !at.IsZero() {
		at = pastOf(at.UTC(), e.ReadAt)
		e.PublishedAt = &at
	}
}

func (e *edition) publishedAt() time.Time {
	if e.PublishedAt == nil {
		return time.Time{}
	}
	return pastOf(*e.PublishedAt, e.ReadAt)
}

// pastOf is the file's own date, or readAt where that date lies in the future: the file would else be newer than all
// that follow. The editions of versions before this one may say so.
func pastOf(published, readAt time.Time) time.Time {
	if published.After(readAt) {
		return readAt
	}
	return published
}

// count notes how many rows a new edition has, and how many there were before, where many are gone or new. An operator
// confirms that they are, or the last edition does, which had about as many.
func (e *edition) count(rows int, last edition, isConfirmed bool) {
	before := max(last.Before, last.Rows)
	isConfirmed = isConfirmed || last.Before > 0 && !isMuch(last.Rows-rows, rows) && !isMuch(rows-last.Rows, rows)
	if e.Rows, e.Before = rows, 0; (isMuch(before-rows, before) || isMuch(rows-before, before)) && !isConfirmed {
		e.Before = before
	}
}

// file is the edition as a comparison names it.
func (e *edition) file(f File) editionFile {
	return editionFile{f.Name, e.SHA256, e.Object, e.ReadAt, e.publishedAt(), e.Kept}
}

func (m *Mirror) key(f File) string { return string(m.store.Environment) + "." + f.Name }

// last is the last good edition.
func (m *Mirror) last(ctx context.Context, f File) (edition, error) {
	if m.store.editions == nil {
		return edition{}, jetstream.ErrKeyNotFound
	}
	ctx, cancel := context.WithTimeout(ctx, ioTime)
	defer cancel()
	entry, err := m.store.editions.Get(ctx, m.key(f))
	if err != nil {
		return edition{}, err
	}
	var e edition
	if err := json.Unmarshal(entry.Value(), &e); err != nil {
		return edition{}, err
	}
	e.revision = entry.Revision()
	return e, nil
}

// storeBody stores the body for the other workers.
func (m *Mirror) storeBody(ctx context.Context, object string, body []byte) error {
	if m.store.files == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, ioTime)
	defer cancel()
	if _, err := m.store.files.GetInfo(ctx, object); err == nil {
		return nil // another worker kept the same body
	}
	if err := m.store.put(ctx, object, pack(body)); err != nil {
		return fmt.Errorf("storing %s: %w", object, err)
	}
	return nil
}

// kept tells whether the body of an edition is still there.
func (m *Mirror) kept(ctx context.Context, e edition) bool {
	ctx, cancel := context.WithTimeout(ctx, ioTime)
	defer cancel()
	_, err := m.store.files.GetInfo(ctx, e.Object)
	return !errors.Is(err, jetstream.ErrObjectNotFound)
}

// isEvidence tells whether an edition is kept as evidence. It may be there no more, such as after a restore.
func (m *Mirror) isEvidence(ctx context.Context, e *edition) bool {
	if e.Kept == nil {
		return false
	}
	_, err := evidence.NewStore(m.store.JetStream).Get(ctx, m.store.Environment, e.Kept.SHA256, e.Kept.At,
		func(contracts.Product) error { return errors.New("it is there, and need not be read to its end") })
	code := contracts.CodeOf(err)
	return code != contracts.NotFound && code != contracts.Gone
}

// keepTime bounds the keeping of an edition as evidence.
const keepTime = 10 * time.Second

// keepEvidence has the edition kept for those who ask later what it said, unless it is kept already. A nil body is the
// one that the workers share.
func (m *Mirror) keepEvidence(ctx context.Context, f File, e *edition, body []byte) {
	if m.store.Keeper == nil || m.isEvidence(ctx, e) {
		return
	}
	e.Kept = nil
	var err error
	if body == nil {
		body, err = m.body(ctx, *e)
	}
	if err == nil {
		e.Kept, err = m.keepFile(ctx, f, e, body)
	}
	if err != nil {
		m.store.Log.WarnContext(ctx, "an edition of a bulk file is not kept as evidence", "file", f.Name, "error", err)
	}
}

func (m *Mirror) keepFile(ctx context.Context, f File, e *edition, body []byte) (*contracts.Evidence, error) {
	ctx, cancel := context.WithTimeout(ctx, keepTime)
	defer cancel()
	doc := scrape.Document{Page: &scrape.Page{
		URL: f.URL, Status: http.StatusOK, Body: body, ReadAt: e.ReadAt, Header: http.Header{},
	}}
	doc.Header.Set("Last-Modified", e.LastModified)
	return m.store.Keeper.KeepFile(ctx, evidence.Reading{Source: m.Name, Path: "mirror"}, doc)
}

// publish makes e the last good edition. The body that it replaces goes; a worker that is reading it tries again.
func (m *Mirror) publish(ctx context.Context, f File, e, last edition) error {
	if m.store.editions == nil {
		return nil
	}
	if err := m.recordEdition(ctx, f, e); err != nil {
		return err
	}
	if last.Object != "" && last.Object != e.Object && !m.isCompared(ctx, last.Object) {
		ctx, cancel := context.WithTimeout(ctx, ioTime)
		defer cancel()
		if err := m.store.forget(ctx, last.Object); err != nil {
			m.store.Log.WarnContext(ctx, "an old bulk file is not deleted", "object", last.Object, "error", err)
		}
	}
	return nil
}

// recordEdition writes an edition in the place of the one that was read: who lost the lease of the renewal takes
// nothing back.
func (m *Mirror) recordEdition(ctx context.Context, f File, e edition) error {
	ctx, cancel := context.WithTimeout(ctx, ioTime)
	defer cancel()
	value, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if e.revision == 0 {
		_, err = m.store.editions.Create(ctx, m.key(f), value)
	} else {
		_, err = m.store.editions.Update(ctx, m.key(f), value, e.revision)
	}
	if err != nil {
		return fmt.Errorf("recording the edition of %s: %w", f.Name, err)
	}
	return nil
}

// forgetBefore notes that the rows that are gone from an edition are not missing.
func (m *Mirror) forgetBefore(ctx context.Context, target editionSet) error {
	for i, f := range m.Files {
		e, err := m.last(ctx, f)
		if err == nil && e.Before > 0 && e.SHA256 == target.Files[i].SHA256 {
			e.Before = 0
			err = m.recordEdition(ctx, f, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// errLost is of an edition that no later try can read either.
var errLost = errors.New("the edition is lost")

// body is the kept body of an edition.
func (m *Mirror) body(ctx context.Context, e edition) ([]byte, error) {
	if m.store.files == nil {
		return nil, errors.New("nothing is kept")
	}
	// A caller's end does not end the reading: nats.go 1.55 leaves a goroutine that waits for ever, with the first piece
	// of the file, when a context ends while GetBytes subscribes.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ioTime)
	defer cancel()
	packed, err := m.store.files.GetBytes(ctx, e.Object)
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, jetstream.ErrDigestMismatch):
		return nil, fmt.Errorf("%w: %s: %w", errLost, e.Object, err)
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", e.Object, err)
	}
	body, err := unpack(packed)
	if sum := sha256.Sum256(body); err != nil || hex.EncodeToString(sum[:]) != e.SHA256 {
		return nil, fmt.Errorf("%w: %s is damaged", errLost, e.Object)
	}
	return body, nil
}

// pack compresses what is no zip; what was gzip already too, so that unpack gives it back as it came.
func pack(body []byte) []byte {
	if bytes.HasPrefix(body, []byte("PK\x03\x04")) {
		return body
	}
	return kv.Gzip(body)
}

func unpack(packed []byte) ([]byte, error) { return kv.Gunzip(packed, maxFile) }
