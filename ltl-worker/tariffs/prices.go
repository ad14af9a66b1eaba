package tariffs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/diesel"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// Prices answers the requests for the national prices of diesel.
type Prices struct {
	Deps
	all     stored[contracts.DieselAnswer, *contracts.DieselAnswer]
	paths   *scrape.Source[contracts.Date, diesel.Reading]
	archive *diesel.Archive
}

// NewPrices makes the answerer of requests for prices.
func NewPrices(fetcher *scrape.Fetcher, archive *diesel.Archive, d Deps) *Prices {
	p := &Prices{Deps: d, archive: archive, paths: scrape.NewSource("diesel", d.Scrape, pricePaths(fetcher)...)}
	answers := d.Answers("diesel")
	answers.FallbackFails = true // the feed has one price
	p.all = stored[contracts.DieselAnswer, *contracts.DieselAnswer]{
		key: contracts.DieselKey(d.Environment, "", ""), store: d.Store, answers: answers, clock: d.Clock, read: p.readPrices,
	}
	return p
}

// RefreshDue reads the prices when the stored ones have ended, or when there are none and the EIA published since a
// moment. It tells whether this worker has read them.
func (p *Prices) RefreshDue(ctx context.Context, since time.Time) (read bool, err error) {
	return p.all.refreshDue(ctx, dieselPublication, since)
}

// dieselPublication is when the EIA publishes the price of a Monday: on Tuesday, about 10 a.m. Eastern. A holiday
// shifts it.
var dieselPublication = carrier.Publication{Day: time.Tuesday, Hour: 10, Effective: time.Tuesday}

// The paths to the prices.
const (
	seriesPath = "series"
	feedPath   = "feed"
)

// pricePaths are FRED's copy of the series, and the EIA's feed, which has the newest price alone.
func pricePaths(fetcher *scrape.Fetcher) []scrape.Path[contracts.Date, diesel.Reading] {
	path := func(name, url string, read func(*scrape.Page) (diesel.Reading, error)) scrape.Path[contracts.Date,
		diesel.Reading] {
		return scrape.Path[contracts.Date, diesel.Reading]{
			Name: name, Method: contracts.APIMirror, Timeout: 15 * time.Second,
			Read: func(ctx context.Context, _ contracts.Date) (scrape.Reading[diesel.Reading], error) {
				page, err := fetcher.Fetch(ctx, scrape.Request{URL: url})
				if err != nil {
					return scrape.Reading[diesel.Reading]{}, err
				}
				found, err := read(page)
				if err != nil {
					return scrape.Reading[diesel.Reading]{}, scrape.Failf(scrape.Changed, "%w", err)
				}
				return scrape.Reading[diesel.Reading]{Value: found, Tally: found.Tally, EvidenceURL: page.URL,
					ReadAt: page.ReadAt}, nil
			},
		}
	}
	return []scrape.Path[contracts.Date, diesel.Reading]{
		path(seriesPath, diesel.SeriesURL, func(p *scrape.Page) (diesel.Reading, error) { return diesel.ReadSeries(p.Body) }),
		path(feedPath, diesel.FeedURL, func(p *scrape.Page) (diesel.Reading, error) { return diesel.ReadFeed(p.Text()) }),
	}
}

// Answer gives the weeks of a request. An answer for a range is kept as long as that for all weeks.
func (p *Prices) Answer(ctx context.Context, q contracts.DieselRequest) (contracts.DieselAnswer, error) {
	if q.To > contracts.Today(p.Clock()) {
		return contracts.DieselAnswer{}, contracts.Invalid("query", "to", "less_than_equal", "to may be today at most")
	}
	between := stored[contracts.DieselAnswer, *contracts.DieselAnswer]{
		key: contracts.DieselKey(p.Environment, q.From, q.To), store: p.all.store, answers: p.all.answers, clock: p.Clock,
		read: func(ctx context.Context, fresh bool) (contracts.DieselAnswer, error) {
			all, err := p.all.within().get(ctx, fresh)
			return all.Between(q), err
		},
	}
	return between.get(ctx, q.Fresh)
}

// At is the price of a Monday. ok is false where it is not known and cannot be read.
func (p *Prices) At(ctx context.Context, monday contracts.Date) (usd float64, ok bool) {
	a, err := p.all.get(ctx, false)
	i := slices.IndexFunc(a.Weeks, func(w contracts.DieselWeek) bool { return w.Date == monday })
	if err != nil || i < 0 {
		return 0, false
	}
	return a.Weeks[i].USD, true
}

// readPrices reads all weeks.
func (p *Prices) readPrices(ctx context.Context, _ bool) (contracts.DieselAnswer, error) {
	now := p.Clock()
	result, err := p.paths.Read(ctx, contracts.Today(now))
	if err != nil {
		return contracts.DieselAnswer{}, err
	}
	shown := result.Value.Weeks
	kept, all := p.Keeper.Keep(ctx, evidence.Reading{Source: "diesel", Path: result.Path, Rows: result.Value.Rows},
		result.Documents)
	a := contracts.DieselAnswer{
		Provenance: result.Provenance(), Tally: result.Tally, Due: contracts.DateOf(dieselPublication.Last(now)).AddDays(-1),
	}
	a.ExpiresAt = dieselPublication.Next(now).UTC()
	if shown[len(shown)-1].Monday < a.Due {
		a.EndBy(now.Add(dieselPublication.Retry(now)))
	}
	if result.Path != seriesPath {
		a.EndBy(now.Add(contracts.FallbackTTL))
		a.Notes = append(a.Notes, contracts.Note{Code: contracts.NoteFallback, Message: fmt.Sprintf(
			"The series could not be read. The price of %s comes from the EIA's feed, those before it from our archive.",
			shown[len(shown)-1].Monday)})
	}
	a.NameEvidence(kept, all, now)
	if a.Weeks, err = p.keep(ctx, shown, result.ReadAt); err != nil {
		p.Log.WarnContext(ctx, "the prices of diesel cannot be kept", "error", err)
		a.Weeks = withoutSightings(shown)
		a.EndBy(now.Add(contracts.WithoutArchiveTTL))
	}
	return a, nil
}

// keep keeps what was shown and gives all that is known, newest first.
func (p *Prices) keep(ctx context.Context, shown []diesel.Week, at time.Time) ([]contracts.DieselWeek, error) {
	if err := p.archive.Observe(ctx, shown, at.UTC()); err != nil {
		return nil, err
	}
	return p.archive.Weeks(ctx)
}

// withoutSightings gives the weeks newest first, each without the moment at which it was first seen.
func withoutSightings(shown []diesel.Week) []contracts.DieselWeek {
	var weeks []contracts.DieselWeek
	for _, w := range slices.Backward(shown) {
		weeks = append(weeks, contracts.DieselWeek{Date: w.Monday, USD: w.USD})
	}
	return weeks
}
