package ltlworker

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/diesel"
	"assay.dev/ltl-worker/edition"
	"assay.dev/ltl-worker/tariffs"
	"assay.dev/platform/bus"
	"assay.dev/platform/changes"
	"assay.dev/platform/kv"
)

// openTariffs makes what answers requests for bracket tables and prices of diesel.
func (w *worker) openTariffs(ctx context.Context) error {
	bucket, err := kv.Open(ctx, w.JetStream, contracts.TariffsBucket)
	if err != nil {
		return err
	}
	deps := tariffs.Deps{
		Environment: w.Environment, Store: w.store, Answers: w.answers, Keeper: w.keeper, Scrape: w.ScrapeDeps(), Log: w.Log, Clock: w.Clock,
	}
	editions := edition.NewArchive(w.Environment, w.JetStream, bucket)
	editions.Outdate = outdate(w)
	if editions.Published, err = changes.NewCounter(w.Metrics); err != nil {
		return err
	}
	for _, s := range w.sources {
		changes.Expect(editions.Published, string(s.reader.Code), contracts.SurchargePublished.Group(), contracts.TableReplaced.Group(),
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

// keepTariffs keeps tables and prices current until ctx ends.
func (w *worker) keepTariffs(ctx context.Context) error {
	answers := w.upkeeps()
	for _, u := range answers {
		w.metrics.ExpectRefreshes(u.source)
	}
	k := upkeeper{answers: answers, every: time.Minute, clock: w.Clock, log: w.Log, metrics: w.metrics}
	return k.run(ctx)
}

// upkeeps are the answers that are read also when nobody asks, so that no edition and no price is missed.
func (w *worker) upkeeps() []upkeep {
	all := []upkeep{{"diesel", w.prices.RefreshDue}}
	for _, s := range w.sources {
		if s.Judge.Table != nil {
			all = append(all, upkeep{string(s.reader.Code) + "-table", s.Judge.Table.RefreshDue})
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
				return contracts.FuelTableAnswer{}, contracts.Missing(contracts.TableUnknown, "%s is not known to publish a table of brackets", code)
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
