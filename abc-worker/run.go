package abcworker

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
	"assay.dev/platform/daemon"
	"assay.dev/platform/jobs"
	"assay.dev/platform/listing"
	"assay.dev/platform/scrape"
)

// maxTime bounds a request and the read behind it. All paths that a read tries must fit into it, with a CAPTCHA
// solve or a render among them.
const maxTime = 75 * time.Second

// Run serves until ctx ends, then stops without losing a request.
func Run(ctx context.Context, cfg Config) error {
	cfg = cfg.withDefaults()
	labels := prometheus.Labels{"environment": string(cfg.Environment)}
	return daemon.Run(ctx, contracts.ABCWorker, cfg.Config, labels, func(ctx context.Context, d *daemon.Daemon) error {
		return (&worker{Config: cfg, Daemon: d}).start(ctx)
	})
}

// worker is a running abc-worker.
type worker struct {
	Config
	*daemon.Daemon
	deps    register.Deps
	store   *cache.Store
	facts   []contracts.StateListing // of all states, served here or not
	sources []*source
}

// start builds from the bottom up. What is built last is stopped first: requests, then the mirrors, then the cache.
func (w *worker) start(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		w.openFetcher, w.openStore, w.openMirrors, w.openJobs, w.openSources, w.publishListings, w.serve,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) openFetcher(context.Context) error {
	fetcher, err := scrape.NewFetcher(w.ScrapeConfig, scrape.Deps{Log: w.Log, Metrics: w.Metrics})
	if err != nil {
		return err
	}
	w.OnStop("fetcher", func(context.Context) error { fetcher.Close(); return nil })
	w.deps = register.Deps{
		Environment: w.Environment, Fetcher: fetcher, SODAToken: w.SODAToken.Reveal(), Clock: w.Clock,
	}
	return nil
}

func (w *worker) openStore(ctx context.Context) (err error) {
	w.store, err = cache.Open(ctx, w.JetStream, cache.Deps{Log: w.Log, Metrics: w.Metrics, MaxFetch: maxTime})
	if err != nil {
		return err
	}
	w.deps.Answers = w.store
	w.OnStop("answers", w.store.Close)
	return nil
}

func (w *worker) openMirrors(ctx context.Context) (err error) {
	w.deps.Mirrors, err = mirror.Open(ctx, mirror.Deps{
		Environment: w.Environment, Fetcher: w.deps.Fetcher, Log: w.Log, Metrics: w.Metrics,
		JetStream: w.JetStream, Answers: w.store,
		MaxAge: w.MirrorMaxAge, Retry: w.MirrorRetry, Resized: w.Resized.names(),
	})
	if err != nil {
		return err
	}
	w.OnStop("mirrors", w.deps.Mirrors.Close)
	w.Go("mirrors", w.deps.Mirrors.Run)
	return nil
}

// openJobs sets Solve and Render, unless this deployment has no captcha-worker.
func (w *worker) openJobs(ctx context.Context) error {
	if !w.Jobs {
		return nil
	}
	queue, err := jobs.Open(ctx, w.Bus(), w.JetStream, w.Environment)
	if err != nil {
		return err
	}
	w.deps.Solve = func(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error) {
		return jobs.Do[contracts.SolveResult](ctx, queue, contracts.Solve, id, job)
	}
	w.deps.Render = func(ctx context.Context, id string, job contracts.RenderJob) (contracts.RenderResult, error) {
		return jobs.Do[contracts.RenderResult](ctx, queue, contracts.Render, id, job)
	}
	bad := &badSolves{solve: w.deps.Solve, waiting: make(chan contracts.SolveRef, maxReports), log: w.Log}
	w.deps.ReportBad = bad.report
	w.Go("reports", bad.run)
	return nil
}

// openSources makes a source of each state that is served, and collects the listings of all.
func (w *worker) openSources(context.Context) error {
	for _, s := range contracts.States {
		recipeOf, ok := recipes[s]
		if !ok {
			continue
		}
		recipe := recipeOf(w.deps)
		w.facts = append(w.facts, recipe.Describe())
		if slices.Contains(w.States, s) {
			w.sources = append(w.sources, newSource(s, recipe, scrape.Deps{Log: w.Log, Metrics: w.Metrics}, w.Log))
		}
	}
	return nil
}

func (w *worker) publishListings(ctx context.Context) error {
	served := map[contracts.State]func() contracts.SourceHealth{}
	for _, s := range w.sources {
		served[s.state] = s.health
	}
	var sources []listing.Source
	for _, facts := range w.facts {
		sources = append(sources, listing.Source{
			Key:     contracts.ListingKey(w.Environment, contracts.ABC, string(facts.State)),
			Listing: func(h contracts.SourceHealth) any { facts.SourceHealth = h; return facts },
			Health:  served[facts.State],
		})
	}
	listings, err := listing.Open(ctx, w.JetStream, w.Log, sources)
	if err != nil {
		return err
	}
	w.Go("listings", listings.Run)
	return nil
}

func (w *worker) serve(context.Context) error {
	service := bus.Service{
		Name: contracts.ABCWorker, Version: "1.0.0", Description: "liquor licenses, " + string(w.Environment),
		Capacity: w.Capacity, MaxTime: maxTime,
	}
	for _, s := range w.sources {
		service.Endpoints = append(service.Endpoints, w.licenses(s), w.searches(s))
	}
	server, err := bus.Serve(w.Bus(), service)
	if err != nil {
		return err
	}
	w.OnStop("requests", server.Stop)
	return nil
}

// licenses answers lookups in one state.
func (w *worker) licenses(s *source) bus.Endpoint {
	key := func(r contracts.LicenseRequest) contracts.CacheKey { return contracts.LicenseKey(w.Environment, r) }
	return bus.HandleStored("license-"+string(s.state), contracts.LicenseSubject(w.Environment, s.state), key,
		func(ctx context.Context, r contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
			r, err := s.licenseRequest(r)
			if err != nil {
				return contracts.LicenseAnswer{}, err
			}
			a, failed, err := answered(ctx, w, s, key(r), r.Fresh, func(ctx context.Context) (contracts.LicenseAnswer, error) {
				return s.license(ctx, r)
			})
			a.RefreshFailed = failed
			return a, err
		})
}

// searches answers searches in one state.
func (w *worker) searches(s *source) bus.Endpoint {
	key := func(r contracts.SearchRequest) contracts.CacheKey { return contracts.SearchKey(w.Environment, r) }
	return bus.HandleStored("search-"+string(s.state), contracts.SearchSubject(w.Environment, s.state), key,
		func(ctx context.Context, r contracts.SearchRequest) (contracts.SearchAnswer, error) {
			if err := s.searchRequest(r); err != nil {
				return contracts.SearchAnswer{}, err
			}
			a, failed, err := answered(ctx, w, s, key(r), r.Fresh, func(ctx context.Context) (contracts.SearchAnswer, error) {
				return s.search(ctx, r)
			})
			a.RefreshFailed = failed
			if r.Schema == 0 && len(a.Results) > contracts.MaxResults { // a gateway of the version before shows all that it is given
				a.Results, a.Whole = a.Results[:contracts.MaxResults], false
			}
			return a, err
		})
}
