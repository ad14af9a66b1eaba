package reader

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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
	found, err := r.weeks(way, []byte(page.Text()), today)
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
		return Reading{}, scrape.Failf(scrape.Changed,
			"%s: the newest week of the page begins %s: it is no longer kept", r.Code, newest)
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

// weeks reads the weeks from the text of a page. A page whose weeks are all to come is accepted, because the archive
// may know the week in force.
func (r *Reader) weeks(way carrier.Way, text []byte, today contracts.Date) (Found, error) {
	read := surcharge.Read
	if way == carrier.API {
		read = surcharge.ReadJSON
	}
	weeks, err := read(text, r.Rule, today)
	found := Found{Reading: weeks}
	var refused *refusal.Refusal
	if err != nil && !(errors.As(err, &refused) && refused.Reason == refusal.NotInForce) {
		return found, err
	}
	found.Lines = trust.Lines(found.Document, found.Trusted(string(way)).Weeks)
	found.Document = nil
	return found, nil
}
