package reader

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/ltl-worker/trust"
	"assay.dev/platform/scrape"
)

// tracerName is the instrumentation scope of this service's spans.
const tracerName = "assay.dev/ltl-worker"

// Extract reads the weeks from a page. A page from which they cannot be read is a failure of kind [scrape.Changed].
func (r *Reader) Extract(
	ctx context.Context, way carrier.Way, page *scrape.Page, today contracts.Date,
) (Reading, error) {
	tracer := trace.SpanFromContext(ctx).TracerProvider().Tracer(tracerName)
	ctx, span := tracer.Start(ctx, "extract", trace.WithAttributes(
		attribute.String("assay.source", string(r.Code)), attribute.String("assay.path", string(way)),
		attribute.String("assay.method", string(way.Method())), attribute.Int("assay.page_bytes", len(page.Body)),
	))
	defer span.End()
	found, err := r.readOnce(ctx, way, page, today)
	for _, note := range found.Notes {
		scrape.Notef(ctx, "extract: %s", note)
	}
	if err != nil {
		span.SetStatus(codes.Error, "the page does not hold the weeks")
		scrape.Notef(ctx, "extract %s: %v", page.URL, err)
		return Reading{}, scrape.Failf(scrape.Changed, "%s: %w", r.Code, err)
	}
	if newest := found.Newest(); r.Publication.Abandoned(newest, today) {
		span.SetStatus(codes.Error, "the page is no longer kept")
		return Reading{}, scrape.Failf(scrape.Changed, "%s: the newest week of the page begins %s: it is no longer kept", r.Code, newest)
	}
	scrape.Decide(ctx, page)
	found.PublishedAt = publishedAt(page)
	tally := found.TallyOfAll()
	span.SetAttributes(attribute.Int("assay.weeks", len(found.Weeks)),
		attribute.Float64("assay.confidence", tally.Confidence()),
		attribute.String("assay.fields", fmt.Sprintf("%d/%d", tally.Clean, tally.Required)))
	scrape.Notef(ctx, "extract %s: %d weeks in force or past, %d to come", page.URL, len(found.Weeks), len(found.Coming))
	return Reading{Value: found, Tally: tally, EvidenceURL: page.URL, ReadAt: page.ReadAt}, nil
}

// publishedAt is how old the page is by the header Last-Modified; nil where that says nothing.
func publishedAt(page *scrape.Page) *time.Time {
	at, err := http.ParseTime(page.Header.Get("Last-Modified"))
	if err != nil || at.After(page.ReadAt) {
		return nil
	}
	at = at.UTC()
	return &at
}

// readOnce reads the weeks from a page. What a page of the same text said on the same day is not worked out again. Each reading has
// weeks of its own, which its caller may change.
func (r *Reader) readOnce(ctx context.Context, way carrier.Way, page *scrape.Page, today contracts.Date) (Found, error) {
	text := []byte(page.Text())
	id := pageID{way, sha256.Sum256(text), today}
	found, known := r.last.reading(id)
	trace.SpanFromContext(ctx).SetAttributes(attribute.Bool("assay.page_known", known))
	if !known {
		var err error
		if found, err = r.weeks(way, text, today); err != nil {
			return found, err
		}
		r.last.keep(id, found)
	}
	found.Weeks, found.Coming = slices.Clone(found.Weeks), slices.Clone(found.Coming)
	return found, nil
}

// weeks reads the weeks from the text of a page. A page whose weeks are all to come is accepted, because the archive may
// know the week in force.
func (r *Reader) weeks(way carrier.Way, text []byte, today contracts.Date) (Found, error) {
	read, rule := surcharge.Read, r.Rule
	if way == carrier.API {
		read, rule = surcharge.ReadJSON, r.APIRule
	}
	weeks, err := read(text, rule, today)
	found := Found{Reading: weeks}
	var refused *refusal.Refusal
	if err != nil && !(errors.As(err, &refused) && refused.Reason == refusal.NotInForce) {
		return found, err
	}
	found.Lines = trust.Lines(found.Document, found.Trusted(string(way)).Weeks)
	found.Document = nil
	return found, nil
}

// lastPages keeps what the last page of each way said. A carrier is read many times a day and changes its page once a week, so most
// pages are those that were read before, byte for byte.
type lastPages struct {
	mu    sync.Mutex
	pages map[carrier.Way]lastPage
}

type lastPage struct {
	id      pageID
	reading Found
}

// pageID is all that a reading follows from, beside the carrier's recipe.
type pageID struct {
	way   carrier.Way
	sum   [sha256.Size]byte // of the page's text
	today contracts.Date
}

func (l *lastPages) reading(id pageID) (Found, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last, ok := l.pages[id.way]
	return last.reading, ok && last.id == id
}

func (l *lastPages) keep(id pageID, found Found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pages == nil {
		l.pages = map[carrier.Way]lastPage{}
	}
	l.pages[id.way] = lastPage{id, found}
}
