package ltlworker

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/diesel"
	"assay.dev/ltl-worker/edition"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

// openTariffs makes what answers requests for bracket tables and prices of diesel.
func (w *worker) openTariffs(ctx context.Context) error {
	bucket, err := kv.Open(ctx, w.JetStream, contracts.TariffsBucket)
	if err != nil {
		return err
	}
	editions := edition.NewArchive(w.Environment, w.JetStream, bucket)
	for _, s := range w.sources {
		if s.recipe.Table != nil {
			s.table = w.newTable(s, editions)
			w.metrics.expectBrackets(s.recipe.Code)
		}
	}
	w.prices = w.newPrices(w.reader.Fetcher, diesel.NewArchive(w.Environment, w.JetStream, bucket), w.store)
	return nil
}

func (w *worker) newTable(s *source, editions *edition.Archive) *table {
	t := &table{env: w.Environment, recipe: s.recipe, editions: editions, keeper: w.keeper, log: w.Log, clock: w.Clock}
	if s.recipe.Table.Transcribed == nil {
		t.paths = scrape.NewSource(string(s.recipe.Code)+"-table", w.ScrapeDeps(), s.reader.TablePaths()...)
	}
	t.weeks = func(ctx context.Context) (contracts.SurchargeAnswer, error) {
		return cache.Fill(ctx, w.store, contracts.SurchargeKey(w.Environment, s.recipe.Code), s.read)
	}
	t.current = stored[contracts.FuelTableAnswer, *contracts.FuelTableAnswer]{
		key: contracts.FuelTableKey(w.Environment, s.recipe.Code, ""), store: w.store, clock: w.Clock, read: t.read,
		answers: w.answers(string(s.recipe.Code) + "-table"),
	}
	return t
}

// keepTariffs keeps tables and prices current until ctx ends.
func (w *worker) keepTariffs(ctx context.Context) error {
	answers := w.upkeeps()
	for _, u := range answers {
		w.metrics.expectRefreshes(u.source)
	}
	k := upkeeper{answers: answers, every: time.Minute, clock: w.Clock, log: w.Log, metrics: w.metrics}
	return k.run(ctx)
}

// upkeeps are the answers that are read also when nobody asks, so that no edition and no price is missed.
func (w *worker) upkeeps() []upkeep {
	all := []upkeep{{"diesel", dieselPublication, w.prices.all.refreshDue}}
	for _, s := range w.sources {
		if s.table != nil {
			all = append(all, upkeep{string(s.recipe.Code) + "-table", s.recipe.Publication, s.table.current.refreshDue})
		}
	}
	return all
}

// tables answers requests for one carrier's bracket table.
func (w *worker) tables(s *source) bus.Endpoint {
	code := s.recipe.Code
	return bus.HandleStored("table-"+string(code), contracts.FuelTableSubject(w.Environment, code),
		func(q contracts.FuelTableRequest) contracts.CacheKey {
			return contracts.FuelTableKey(w.Environment, code, q.AsOf)
		},
		func(ctx context.Context, q contracts.FuelTableRequest) (contracts.FuelTableAnswer, error) {
			if s.table == nil {
				return contracts.FuelTableAnswer{}, contracts.Errorf(contracts.NotFound, "%s is not known to publish a table of brackets", code)
			}
			return s.table.answer(ctx, q)
		})
}

// diesel answers requests for the national prices of diesel.
func (w *worker) diesel() bus.Endpoint {
	return bus.HandleStored("diesel", contracts.DieselSubject(w.Environment),
		func(q contracts.DieselRequest) contracts.CacheKey {
			return contracts.DieselKey(w.Environment, q.From, q.To)
		}, w.prices.answer)
}
