package ltlworker

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/tariffs"
	"assay.dev/ltl-worker/weeks"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
	"assay.dev/platform/changes"
	"assay.dev/platform/evidence"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/browser"
	platform "assay.dev/platform/worker"
)

// maxTime is the longest time for a request. All paths of a recipe share it.
const maxTime = 60 * time.Second

// Run serves until ctx ends. Then it answers the requests it has, writes the weeks it observed, and stops.
func Run(ctx context.Context, cfg Config) error {
	cfg = cfg.withDefaults()
	service := platform.Service{
		Product: contracts.LTL, Description: "LTL fuel surcharges", Capacity: cfg.Capacity, MaxTime: maxTime, Verify: Verify,
	}
	open := func(ctx context.Context, w *platform.Worker) ([]platform.Source, error) {
		return (&worker{Config: cfg, Worker: w, opened: make(chan struct{})}).open(ctx)
	}
	return platform.Run(ctx, cfg.Config, service, open)
}

// worker is a running ltl-worker.
type worker struct {
	Config
	*platform.Worker
	metrics *weeks.Metrics
	archive *archive.Archive
	words   *wording.Store
	keeper  *evidence.Keeper
	kept    *evidence.Store
	fetcher *scrape.Fetcher
	browser *browser.Browser
	render  reader.RenderFunc
	store   *cache.Store
	opened  chan struct{} // closed once the store is open
	sources []*source     // of the carriers that are served
	listed  []platform.Source
	prices  *tariffs.Prices
}

// source answers the requests for one carrier.
type source struct {
	*weeks.Source
	reader *reader.Reader
	// answer gives the stored answer, or reads it.
	answer tariffs.Weeks
}

// open builds the worker from the bottom up. What is opened last is stopped first: requests, then reads, then the
// archive.
func (w *worker) open(ctx context.Context) ([]platform.Source, error) {
	for _, step := range []func(context.Context) error{
		w.openArchive, w.openWords, w.openEvidence, w.openReader, w.openStore, w.openSources, w.openTariffs, w.refresh,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return append(w.listed, platform.Source{Code: "diesel", Endpoints: []bus.Endpoint{w.diesel()}}), nil
}

func (w *worker) openEvidence(context.Context) (err error) {
	if w.metrics, err = weeks.NewMetrics(w.Metrics); err == nil {
		w.keeper, err = w.OpenEvidence()
	}
	w.kept = evidence.NewStore(w.JetStream)
	return err
}

func (w *worker) openArchive(ctx context.Context) error {
	kv, err := kv.Open(ctx, w.JetStream, contracts.WeeksBucket)
	if err != nil {
		return err
	}
	w.archive, err = archive.Open(w.Environment, w.JetStream, kv, w.Log, w.Metrics,
		revisions(w.JetStream, w.Environment, w.Log),
		outdate(w))
	if err != nil {
		return err
	}
	w.OnStop("archive", w.archive.Stop)
	return nil
}

func (w *worker) openWords(ctx context.Context) (err error) {
	w.words, err = wording.Open(ctx, w.Environment, w.JetStream, carrier.Shipped(w.Environment), w.Log)
	if err == nil {
		w.Go("wording", w.words.Follow)
	}
	return err
}

// revisions reports revised weeks to operators, by a log line and an event.
func revisions(
	js jetstream.JetStream, env contracts.Environment, log *slog.Logger,
) func(context.Context, string, contracts.SurchargeRevision) error {
	return func(ctx context.Context, id string, r contracts.SurchargeRevision) error {
		log.WarnContext(ctx, "a carrier revised a week", "carrier", r.Carrier, "week", r.Is.EffectiveDate,
			"was", r.Was.Percent, "is", r.Is.Percent, "path", r.Path)
		return bus.Publish(ctx, js, contracts.EventSubject(env, contracts.EventRevision), id, r)
	}
}

// outdate ends the stored answers that were read before a change that makes them wrong. It waits until they are opened:
// the archive is first.
func outdate(w *worker) func(context.Context, *contracts.Change) error {
	return func(ctx context.Context, c *contracts.Change) error {
		select {
		case <-w.opened:
		case <-ctx.Done():
			return ctx.Err()
		}
		for _, key := range c.Outdates(w.Environment) {
			if err := cache.End(ctx, w.store, key, c.OccurredAt); err != nil {
				return fmt.Errorf("the stored answer of %s: %w", c.Source, err)
			}
		}
		return nil
	}
}

func (w *worker) openStore(ctx context.Context) (err error) {
	if w.store, err = w.OpenAnswers(ctx); err == nil {
		close(w.opened)
	}
	return err
}

// openReader opens what all carriers are read with.
func (w *worker) openReader(ctx context.Context) (err error) {
	if w.fetcher, err = w.OpenFetcher(); err != nil {
		return err
	}
	w.browser = browser.New(w.BrowserConfig, w.fetcher, w.ScrapeDeps())
	w.OnStop("browser", w.browser.Close)
	w.Go("warm browser", w.browser.KeepWarm)
	w.render, err = w.renderer(ctx)
	return err
}

// openSources lists all carriers, in the order of [contracts.Carriers], and serves those of w.Carriers.
func (w *worker) openSources(context.Context) error {
	published, err := changes.NewCounter(w.Metrics)
	if err != nil {
		return err
	}
	for _, c := range contracts.Carriers {
		facts := w.Recipe(c).Listing()
		listed := platform.Source{
			Code:    string(c),
			Listing: func(h contracts.SourceHealth) any { facts.SourceHealth = h; return facts },
		}
		if slices.Contains(w.Carriers, c) {
			s := w.newSource(c)
			w.sources = append(w.sources, s)
			listed.Health, listed.Endpoints = s.Health, []bus.Endpoint{w.surcharges(s), w.history(s), w.tables(s)}
			listed.Tell = (&changes.Log{
				JetStream: w.JetStream, Environment: w.Environment, Product: contracts.LTL, Source: string(c),
				Group: contracts.SourceInDoubt.Group(), Published: published,
			}).TellHealth
		}
		w.listed = append(w.listed, listed)
	}
	return nil
}

func (w *worker) newSource(c contracts.Carrier) *source {
	r := &reader.Reader{Recipe: w.Recipe(c), Fetcher: w.fetcher, Browser: w.browser, Render: w.render}
	s := weeks.NewSource(r, weeks.Deps{
		Environment: w.Environment, Archive: w.archive, Words: w.words, Keeper: w.keeper, Kept: w.kept,
		Scrape:  w.ScrapeDeps(),
		Metrics: w.metrics, Log: w.Log, Clock: w.Clock,
	})
	key, answers := contracts.SurchargeKey(w.Environment, c), w.answers(string(c))
	return &source{s, r, func(ctx context.Context, fresh bool) (contracts.SurchargeAnswer, error) {
		return platform.Answer(ctx, answers, key, fresh, s.Read)
	}}
}

// renderer makes the function that orders renders; nil when no captcha-worker takes them.
func (w *worker) renderer(ctx context.Context) (reader.RenderFunc, error) {
	if !w.Renderer {
		return nil, nil
	}
	paid, err := w.OpenPaid(ctx)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, c contracts.Carrier, job contracts.RenderJob) (contracts.RenderResult, error) {
		// Reads within ten minutes share one paid render.
		id := fmt.Sprintf("ltl-%s-%d", c, time.Now().Unix()/600)
		return paid.Render(ctx, id, job)
	}, nil
}

func (w *worker) refresh(context.Context) error {
	if w.Refresh {
		r := &weeks.Refresher{
			Environment: w.Environment, Store: w.store, Metrics: w.metrics, Log: w.Log, Clock: w.Clock, Every: time.Minute,
			Accepted: w.words.Accepted(),
		}
		for _, s := range w.sources {
			w.metrics.ExpectRefreshes(string(s.reader.Code))
			r.Sources = append(r.Sources, s.Source)
		}
		w.Go("refresh", r.Run)
		w.Go("tariffs", w.keepTariffs)
	}
	return nil
}

// answers gives the stored and fresh answers of a source, such as "ODFL" or "ESTES-table". Their age is measured by the
// worker's clock.
func (w *worker) answers(source string) *platform.Answers {
	answers := w.Answers(source)
	answers.Clock = w.Clock
	return answers
}

// surcharges answers requests for one carrier.
func (w *worker) surcharges(s *source) bus.Endpoint {
	key := contracts.SurchargeKey(w.Environment, s.reader.Code)
	return bus.HandleStored("surcharge-"+string(s.reader.Code), contracts.SurchargeSubject(w.Environment, s.reader.Code),
		func(contracts.SurchargeRequest) contracts.CacheKey { return key },
		func(ctx context.Context, req contracts.SurchargeRequest) (contracts.SurchargeAnswer, error) {
			return s.answer(ctx, req.Fresh)
		})
}

// history answers requests for past weeks of one carrier.
func (w *worker) history(s *source) bus.Endpoint {
	return bus.Handle("history-"+string(s.reader.Code), contracts.HistorySubject(w.Environment, s.reader.Code),
		func(ctx context.Context, req contracts.HistoryRequest) (contracts.HistoryAnswer, error) {
			return s.History(ctx, req, s.answer)
		})
}
