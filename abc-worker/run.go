package abcworker

import (
	"context"
	"slices"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/changes"
	platform "assay.dev/platform/worker"
)

// maxTime bounds a request and the read behind it. All paths that a read tries must fit into it, with a CAPTCHA
// solve or a render among them.
const maxTime = 75 * time.Second

// Run serves until ctx ends, then stops without losing a request.
func Run(ctx context.Context, cfg Config) error {
	cfg = cfg.withDefaults()
	service := platform.Service{
		Product: contracts.ABC, Description: "liquor licenses", Capacity: cfg.Capacity, MaxTime: maxTime, Verify: Verify,
	}
	open := func(ctx context.Context, w *platform.Worker) ([]platform.Source, error) {
		return (&worker{Config: cfg, Worker: w}).open(ctx)
	}
	return platform.Run(ctx, cfg.Config, service, open)
}

// worker is a running abc-worker.
type worker struct {
	Config
	*platform.Worker
	deps register.Deps
}

// open builds from the bottom up. What is opened last is stopped first: requests, then the mirrors, then the cache.
func (w *worker) open(ctx context.Context) ([]platform.Source, error) {
	for _, step := range []func(context.Context) error{w.openTools, w.openMirrors, w.openJobs} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return w.sources()
}

func (w *worker) openTools(ctx context.Context) error {
	tools, err := w.OpenTools(ctx)
	w.deps = register.Deps{
		Environment: w.Environment, Fetcher: tools.Fetcher, Keeper: tools.Keeper, Answers: tools.Answers,
		SODAToken: w.SODAToken.Reveal(), HoldColumns: w.HoldColumns, Clock: w.Clock,
	}
	return err
}

func (w *worker) openMirrors(ctx context.Context) (err error) {
	w.deps.Mirrors, err = mirror.Open(ctx, mirror.Deps{
		Environment: w.Environment, Fetcher: w.deps.Fetcher, Log: w.Log, Metrics: w.Metrics,
		JetStream: w.JetStream, Answers: w.deps.Answers, Keeper: w.deps.Keeper,
		MaxAge: w.MirrorMaxAge, Retry: w.MirrorRetry, Young: w.MirrorYoung, Resized: w.Resized.names(),
		Watched: w.Watched.names(), WatchEvery: w.WatchEvery, Watching: w.Watching, TakeOver: w.MirrorTakeOver,
	})
	if err != nil {
		return err
	}
	w.OnStop("mirrors", w.deps.Mirrors.Close)
	w.Go("mirrors", w.deps.Mirrors.Run)
	return nil
}

// openJobs sets Solver, Solve and Render, unless this deployment has no captcha-worker.
func (w *worker) openJobs(ctx context.Context) error {
	if !w.Jobs {
		return nil
	}
	paid, err := w.OpenPaid(ctx)
	if err != nil {
		return err
	}
	w.deps.Solver, w.deps.Solve, w.deps.Render = paid.Solver, paid.Solve, paid.Render
	bad := &badSolves{solve: w.deps.Solve, waiting: make(chan contracts.SolveRef, maxReports), log: w.Log}
	w.deps.ReportBad = bad.report
	w.Go("reports", bad.run)
	return nil
}

// sources lists all states that can be read. Those of w.States are served.
func (w *worker) sources() ([]platform.Source, error) {
	published, err := changes.NewCounter(w.Metrics)
	if err != nil {
		return nil, err
	}
	var all []platform.Source
	for _, s := range contracts.States {
		recipeOf, ok := Recipes[s]
		if !ok {
			continue
		}
		recipe := recipeOf(w.deps)
		facts := recipe.Describe()
		listed := platform.Source{
			Code:    string(s),
			Listing: func(h contracts.SourceHealth) any { facts.SourceHealth = h; return facts },
		}
		if slices.Contains(w.States, s) {
			source, answers := newSource(s, recipe, w.deps, w.ScrapeDeps()), w.Answers(listed.Code)
			answers.Paid, answers.FallbackFails = recipe.Paid, true
			listed.Health, listed.Endpoints = source.health, []bus.Endpoint{w.licenses(source, answers),
				w.searches(source, answers), w.matches(source), w.members(source)}
			listed.Tell = (&changes.Log{
				JetStream: w.JetStream, Environment: w.Environment, Product: contracts.ABC, Source: string(s),
				Group: contracts.SourceDegraded.Group(), Published: published,
			}).TellHealth
		}
		all = append(all, listed)
	}
	return all, nil
}

// licenses answers lookups in one state.
func (w *worker) licenses(s *source, answers *platform.Answers) bus.Endpoint {
	lookups := *answers
	lookups.Admit = s.admitLookup
	key := func(r contracts.LicenseRequest) contracts.CacheKey { return contracts.LicenseKey(w.Environment, r) }
	return bus.HandleStored("license-"+string(s.state), contracts.LicenseSubject(w.Environment, s.state), key,
		func(ctx context.Context, r contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
			r, err := s.licenseRequest(r)
			if err != nil {
				return contracts.LicenseAnswer{}, err
			}
			return platform.Answer(ctx, &lookups, key(r), r.Fresh, func(ctx context.Context) (contracts.LicenseAnswer, error) {
				return s.license(ctx, r)
			})
		})
}

// searches answers searches in one state. One that an export answers first costs nothing.
func (w *worker) searches(s *source, answers *platform.Answers) bus.Endpoint {
	searches := *answers
	searches.Paid = answers.Paid && s.recipe.Search[0].Form
	key := func(r contracts.SearchRequest) contracts.CacheKey { return contracts.SearchKey(w.Environment, r) }
	return bus.HandleStored("search-"+string(s.state), contracts.SearchSubject(w.Environment, s.state), key,
		func(ctx context.Context, r contracts.SearchRequest) (contracts.SearchAnswer, error) {
			if err := s.searchRequest(r); err != nil {
				return contracts.SearchAnswer{}, err
			}
			a, err := platform.Answer(ctx, &searches, key(r), r.Fresh,
				func(ctx context.Context) (contracts.SearchAnswer, error) {
					return s.search(ctx, r)
				})
			// a gateway of the version before shows all that it is given
			if r.Schema == 0 && len(a.Results) > contracts.MaxResults {
				a.Results, a.Whole = a.Results[:contracts.MaxResults], false
			}
			return a, err
		})
}
