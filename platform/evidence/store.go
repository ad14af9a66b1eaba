package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// Store reads kept documents.
type Store struct {
	js jetstream.JetStream
	// reading holds a value for each document that is being read; what was read is its reader's to bound.
	reading chan struct{}
}

const (
	// maxReading bounds the documents that are read at the same time: a bulk file has up to 64 MB.
	maxReading = 8
	// readTime bounds the reading of one document.
	readTime = 10 * time.Second
	// lagTries and lagPause are for a replica that is behind the write.
	lagTries, lagPause = 5, 50 * time.Millisecond
)

// NewStore makes a store. The streams are looked for when they are read.
func NewStore(js jetstream.JetStream) *Store {
	return &Store{js: js, reading: make(chan struct{}, maxReading)}
}

// Document is a kept document.
type Document struct {
	Label
	Product contracts.Product
	Place   contracts.Place
	Body    []byte
	// KeptUntil is when the document goes by its age. It may go earlier where newer ones need its room.
	KeptUntil time.Time
}

// forever is when a document goes that no age ends.
const forever = 100 * 365 * 24 * time.Hour

// Get reads the document of that hash and place. The failure is NOT_FOUND when another one or none is there, GONE when
// the stream has dropped what was there, SOURCE_UNAVAILABLE when the stream cannot be read, and what may says of the
// product.
func (s *Store) Get(
	ctx context.Context, env contracts.Environment, sha256 string, at contracts.Place, may func(contracts.Product) error,
) (*Document, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	case <-ctx.Done():
		return nil, contracts.Wrap(ctx.Err(), contracts.Busy, "too many documents are being read").After(time.Second)
	}
	file, sequence, err := at.Parse()
	if err != nil {
		return nil, contracts.Invalid("query", "at", "value_error", "%s", err.Error())
	}
	stream, err := s.js.Stream(ctx, streamOf(env, file).Name)
	if err != nil {
		return nil, unavailable(err)
	}
	return get(ctx, stream, sha256, at, sequence, may)
}

func streamOf(env contracts.Environment, file bool) contracts.Stream {
	if file {
		return contracts.FilesStream(env)
	}
	return contracts.EvidenceStream(env)
}

func get(
	ctx context.Context, stream jetstream.Stream, sha256 string, at contracts.Place, sequence uint64,
	may func(contracts.Product) error,
) (*Document, error) {
	first, err := message(ctx, stream, sequence)
	if err != nil {
		return nil, err
	}
	label, err := readLabel(first.Header)
	if err != nil {
		return nil, err
	}
	if label.SHA256 != sha256 {
		return nil, notThere()
	}
	d := &Document{Label: label, Product: productOf(first.Subject), Place: at}
	d.KeptUntil = first.Time.UTC().Add(cmp.Or(stream.CachedInfo().Config.MaxAge, forever))
	if err := may(d.Product); err != nil {
		return nil, err
	}
	packed := first.Data
	for part := 1; part < label.Parts; part++ {
		next, err := message(ctx, stream, sequence+uint64(part))
		if err != nil {
			return nil, err
		}
		if next.Header.Get(headerPart) != fmt.Sprint(part) {
			return nil, contracts.Wrap(errDamaged, contracts.Internal, "a part of the document is missing")
		}
		packed = append(packed, next.Data...)
	}
	if d.Body, err = label.unpack(packed); err != nil {
		return nil, contracts.Wrap(err, contracts.Internal, "the document is damaged")
	}
	return d, nil
}

// message reads the message of a sequence, and tells one that was dropped from one that never was.
func message(ctx context.Context, stream jetstream.Stream, sequence uint64) (*jetstream.RawStreamMsg, error) {
	for try := 1; ; try++ {
		m, err := stream.GetMsg(ctx, sequence)
		if err == nil {
			return m, nil
		}
		if !errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil, unavailable(err)
		}
		info, err := stream.Info(ctx)
		switch {
		case err != nil:
			return nil, unavailable(err)
		case sequence < info.State.FirstSeq:
			return nil, contracts.Errorf(contracts.Gone,
				"this document is no longer kept: documents are kept for a limited time")
		case sequence > info.State.LastSeq || try == lagTries:
			return nil, notThere()
		}
		if err := clock.Sleep(ctx, lagPause); err != nil {
			return nil, unavailable(err)
		}
	}
}

func notThere() error {
	return contracts.Missing(contracts.DocumentUnknown,
		"no document with this sha256 is kept at this place; take both from one entry of evidence")
}

func unavailable(err error) error {
	return contracts.Wrap(err, contracts.SourceUnavailable, "kept documents cannot be read at the moment; retry later")
}

// productOf is the product in a subject of [contracts.EvidenceSubject] or [contracts.FileSubject].
func productOf(subject string) contracts.Product {
	if tokens := strings.Split(subject, "."); len(tokens) == 6 {
		return contracts.Product(tokens[4])
	}
	return ""
}
