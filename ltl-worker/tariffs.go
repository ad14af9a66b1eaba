package ltlworker

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nuid"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/diesel"
	"assay.dev/ltl-worker/edition"
	"assay.dev/ltl-worker/tariffs"
	"assay.dev/ltl-worker/weeks"
	"assay.dev/platform/bus"
	"assay.dev/platform/changes"
	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

// openTariffs makes what answers requests for bracket tables and prices of diesel.
func (w *worker) openTariffs(ctx context.Context) error {
	bucket, err := kv.Open(ctx, w.JetStream, contracts.TariffsBucket)
	if err != nil {
		return err
	}
	deps := tariffs.Deps{
		Environment: w.Environment, Store: w.store, Answers: w.answers, Keeper: w.keeper, Scrape: w.ScrapeDeps(),
		Log: w.Log, Clock: w.Clock,
	}
	editions := edition.NewArchive(w.Environment, w.JetStream, bucket)
	editions.Outdate = outdate(w)
	if editions.Published, err = changes.NewCounter(w.Metrics); err != nil {
		return err
	}
	for _, s := range w.sources {
		changes.Expect(editions.Published, string(s.reader.Code), contracts.SurchargePublished.Group(),
			contracts.TableReplaced.Group(),
			contracts.SourceDegraded.Group())
		if s.reader.Table != nil {
			s.Judge.Table = tariffs.NewTable(s.reader, s.answer, editions, deps)
		}
	}
	w.prices = tariffs.NewPrices(w.fetcher, diesel.NewArchive(w.Environment, w.JetStream, bucket), deps)
	for _, s := range w.sources {
		s.Judge.Price = w.prices.At
	}
	return nil
}

// upkeep is one stored answer that is kept current, also when nobody asks for it.
type upkeep struct {
	source string // in metrics and in the log
	// refresh reads the answer when that is due, or when there is none and its source published since a moment.
	refresh func(ctx context.Context, since time.Time) (read bool, err error)
	weeks.Backoff
}

// keepTariffs keeps tables and prices current until ctx ends, one after the other.
func (w *worker) keepTariffs(ctx context.Context) error {
	began, answers := w.Clock(), w.upkeeps()
	for i := range answers {
		w.metrics.ExpectRefreshes(answers[i].source)
	}
	for clock.Sleep(ctx, time.Minute/2+rand.N(time.Minute)) == nil {
		for i := range answers {
			if ctx.Err() == nil && !w.Clock().Before(answers[i].Until) {
				w.keepCurrent(ctx, &answers[i], began)
			}
		}
	}
	return nil
}

// keepCurrent waits after a failure as long as the refresher of weekly percents does.
func (w *worker) keepCurrent(ctx context.Context, u *upkeep, began time.Time) {
	ctx = telemetry.WithRequestID(ctx, nuid.Next())
	read, err := u.refresh(ctx, began)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		u.Fail(w.Clock())
		w.metrics.Refreshed(u.source, "failed")
		w.Log.WarnContext(ctx, "refresh failed", "source", u.source, "failures", u.Failures, "next", u.Until, "error", err)
	case read:
		u.Succeed()
		w.metrics.Refreshed(u.source, "read")
		w.Log.InfoContext(ctx, "refreshed", "source", u.source)
	}
}

// upkeeps are the answers that are read also when nobody asks, so that no edition and no price is missed.
func (w *worker) upkeeps() []upkeep {
	all := []upkeep{{source: "diesel", refresh: w.prices.RefreshDue}}
	for _, s := range w.sources {
		if s.Judge.Table != nil {
			all = append(all, upkeep{source: string(s.reader.Code) + "-table", refresh: s.Judge.Table.RefreshDue})
		}
	}
	return all
}

// tables answers requests for one carrier's bracket table.
func (w *worker) tables(s *source) bus.Endpoint {
	code := s.reader.Code
	return bus.HandleStored("table-"+string(code), contracts.FuelTableSubject(w.Environment, code),
		func(q contracts.FuelTableRequest) contracts.CacheKey {
			return contracts.FuelTableKey(w.Environment, code, q.AsOf)
		},
		func(ctx context.Context, q contracts.FuelTableRequest) (contracts.FuelTableAnswer, error) {
			if s.Judge.Table == nil {
				return contracts.FuelTableAnswer{}, contracts.Missing(contracts.TableUnknown,
					"%s is not known to publish a table of brackets", code)
			}
			return s.Judge.Table.Answer(ctx, q)
		})
}

// diesel answers requests for the national prices of diesel.
func (w *worker) diesel() bus.Endpoint {
	return bus.HandleStored("diesel", contracts.DieselSubject(w.Environment),
		func(q contracts.DieselRequest) contracts.CacheKey {
			return contracts.DieselKey(w.Environment, q.From, q.To)
		}, w.prices.Answer)
}
