package state

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

// mirrored is a state's paths through its bulk files.
type mirrored struct {
	mirror *mirror.Mirror
	// status is what a word means on a day; noLicense is an application.
	status func(word string, expires, today contracts.Date) (contracts.Status, error)
	today  func() contracts.Date
	// proof is how old a copy may be that still proves the absence of a license; 0: none does.
	proof time.Duration
}

// mirrorTimeout leaves time to download and read the largest file.
const mirrorTimeout = 25 * time.Second

func (m mirrored) lookupPath() LookupPath {
	return LookupPath{Name: "mirror", Method: contracts.APIMirror, Timeout: mirrorTimeout, Read: m.lookup}
}

func (m mirrored) searchPath() SearchPath {
	return SearchPath{Name: "mirror", Method: contracts.APIMirror, Timeout: mirrorTimeout, Read: m.search}
}

func (m mirrored) lookup(ctx context.Context, number string) (LookupReading, error) {
	c, err := m.copy(ctx)
	if err != nil {
		return LookupReading{}, err
	}
	reading := LookupReading{EvidenceURL: c.URL, ReadAt: c.ReadAt, Tally: noneFound}
	e, ok := c.Lookup(number)
	if !ok {
		if time.Since(c.ReadAt) > m.proof {
			return reading, scrape.Failf(scrape.Unavailable, "the license is not in the bulk file, which proves nothing")
		}
		return reading, nil
	}
	record, t, err := m.record(e)
	reading.Value, reading.Tally = &record, t
	return reading, err
}

func (m mirrored) search(ctx context.Context, q contracts.Query) (SearchReading, error) {
	c, err := m.copy(ctx)
	if err != nil {
		return SearchReading{}, err
	}
	total, entries := c.Search(q)
	reading := SearchReading{EvidenceURL: c.URL, ReadAt: c.ReadAt, Value: Found{Total: total}, Tally: noneFound}
	if total > 0 {
		reading.Tally = contracts.Tally{}
	}
	for _, e := range entries {
		record, t, err := m.record(e)
		if err != nil {
			return reading, err
		}
		reading.Value.Records = append(reading.Value.Records, record)
		reading.Tally = reading.Add(t)
	}
	return reading, nil
}

// copy has its own span: the first question waits until the mirror is loaded.
func (m mirrored) copy(ctx context.Context) (*mirror.Copy, error) {
	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer("assay.dev/abc-worker").Start(ctx, "mirror.copy")
	defer span.End()
	c, err := m.mirror.Copy(ctx)
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
		return nil, err
	}
	span.SetAttributes(attribute.Int("assay.mirror.licenses", c.Len()), attribute.Float64("assay.mirror.age_s", time.Since(c.ReadAt).Seconds()))
	scrape.Notef(ctx, "mirror %s of %s: %d licenses", m.mirror.Name, c.ReadAt.Format(time.RFC3339), c.Len())
	return c, nil
}

// record completes an entry with the status it has today, which is one more required field.
func (m mirrored) record(e mirror.Entry) (contracts.LicenseRecord, contracts.Tally, error) {
	status, err := m.status(e.Word, e.Record.ExpirationDate, m.today())
	if err != nil {
		return e.Record, e.Tally, err
	}
	e.Record.Status = status
	return e.Record, e.Tally.Add(tally(true)), nil
}
