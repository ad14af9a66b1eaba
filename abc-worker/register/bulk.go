package register

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// BulkFiles reads the licenses of a state from the mirror of its bulk files.
type BulkFiles struct {
	Mirror *mirror.Mirror
	// Status is what a status word of the files means on a day for a license with that expiration date.
	Status func(word string, expires, today contracts.Date) (contracts.Status, error)
	Today  func() contracts.Date
	// ProvesAbsenceFor is how old a copy may be and still prove that a license it lacks does not exist. 0: no copy proves
	// that, such as one of an export that leaves out dead licenses.
	ProvesAbsenceFor time.Duration
}

// bulkTimeout leaves time to download and read the largest file.
const bulkTimeout = 25 * time.Second

// LookupPath finds a license in the bulk files by its number.
func (b BulkFiles) LookupPath() LookupPath {
	return LookupPath{Name: "mirror", Method: contracts.APIMirror, Timeout: bulkTimeout, Read: b.lookup}
}

// SearchPath searches the bulk files.
func (b BulkFiles) SearchPath() SearchPath {
	return SearchPath{Name: "mirror", Method: contracts.APIMirror, Timeout: bulkTimeout, Read: b.search}
}

func (b BulkFiles) lookup(ctx context.Context, number string) (LookupReading, error) {
	c, err := b.copy(ctx)
	if err != nil {
		return LookupReading{}, err
	}
	reading := LookupReading{EvidenceURL: c.URL, ReadAt: c.ReadAt, Tally: NoneFound}
	entry, ok := c.Lookup(number)
	if !ok {
		if time.Since(c.ReadAt) > b.ProvesAbsenceFor {
			return reading, scrape.Failf(scrape.Unavailable, "the license is not in the bulk file, which proves nothing")
		}
		return reading, nil
	}
	record, err := b.withStatus(entry)
	reading.Value, reading.Tally = &record.LicenseRecord, record.Tally
	return reading, err
}

func (b BulkFiles) search(ctx context.Context, q contracts.Query) (SearchReading, error) {
	c, err := b.copy(ctx)
	if err != nil {
		return SearchReading{}, err
	}
	total, entries := c.Search(q)
	reading := SearchReading{EvidenceURL: c.URL, ReadAt: c.ReadAt, Value: Found{Total: total}, Tally: NoneFound}
	if total > 0 {
		reading.Tally = contracts.Tally{}
	}
	for _, entry := range entries {
		record, err := b.withStatus(entry)
		if err != nil {
			return reading, err
		}
		reading.Value.Records = append(reading.Value.Records, record.LicenseRecord)
		reading.Tally = reading.Add(record.Tally)
	}
	return reading, nil
}

// copy has a span of its own, because the first question waits until the mirror is loaded.
func (b BulkFiles) copy(ctx context.Context) (*mirror.Copy, error) {
	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer("assay.dev/abc-worker").Start(ctx, "mirror.copy")
	defer span.End()
	c, err := b.Mirror.Copy(ctx)
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
		return nil, err
	}
	span.SetAttributes(attribute.Int("assay.mirror.licenses", c.Len()),
		attribute.Float64("assay.mirror.age_s", time.Since(c.ReadAt).Seconds()))
	scrape.Notef(ctx, "mirror %s of %s: %d licenses", b.Mirror.Name, c.ReadAt.Format(time.RFC3339), c.Len())
	return c, nil
}

// withStatus gives an entry the status that it has today. The status is one more required field.
func (b BulkFiles) withStatus(e mirror.Entry) (Tallied, error) {
	status, err := b.Status(e.Word, e.Record.ExpirationDate, b.Today())
	if err != nil {
		return Tallied{e.Record, e.Tally}, err
	}
	e.Record.Status = status
	return Tallied{e.Record, e.Tally.Add(TallyOf(true))}, nil
}
