// Package worker is what the worker of every product is made of. A product brings its sources; this package publishes
// their listings, serves their endpoints, and opens what most workers need: a fetcher, the cache, and paid work.
//
// [Run] is the frame. For example, ltl-worker opens its archive, the fetcher and the cache, and returns ten sources.
package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
	"assay.dev/platform/daemon"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
	"assay.dev/platform/verify"
)

// version is that of the micro services on NATS, which demand one. The version of the program is in its log.
const version = "1.0.0"

// Service says which worker this is.
type Service struct {
	Product contracts.Product
	// Description is for operators, without the environment: "LTL fuel surcharges".
	Description string
	// Capacity is how many requests may be in work at the same time, at least 1. A further one is refused as BUSY.
	Capacity int
	// MaxTime bounds a request, and the read behind it with all paths that it tries.
	MaxTime time.Duration
	// Verify verifies answers of the product.
	Verify verify.Func
}

// Worker is a running worker.
type Worker struct {
	*daemon.Daemon
	cfg     Config
	service Service
	keeper  *evidence.Keeper       // of OpenEvidence
	store   *cache.Store           // of OpenAnswers
	fresh   *prometheus.CounterVec // requests for a fresh reading, by source and outcome
}

// Run serves until ctx ends. Then it answers the requests that it has, and stops what open has opened, the last first.
// open gets a connected worker, and returns all sources of the product: also those that are served elsewhere, because
// the listing is complete whoever serves them. Requests are taken once open has returned.
func Run(ctx context.Context, cfg Config, s Service, open func(context.Context, *Worker) ([]Source, error)) error {
	name := s.Product.Worker()
	if err := CheckCapacity("the capacity of "+name, s.Capacity); err != nil {
		return err
	}
	labels := prometheus.Labels{"environment": string(cfg.Environment)}
	return daemon.Run(ctx, name, cfg.Config, labels, func(ctx context.Context, d *daemon.Daemon) error {
		w := &Worker{Daemon: d, cfg: cfg, service: s}
		sources, err := open(ctx, w)
		if err != nil {
			return err
		}
		listings, err := w.openListings(ctx, sources)
		if err != nil {
			return err
		}
		w.Go("listings", listings.run)
		return w.serve(sources)
	})
}

// CheckCapacity refuses a capacity below 1, with which every request would be BUSY. setting is its name for operators,
// such as "ASSAY_LTL_CAPACITY".
func CheckCapacity(setting string, capacity int) error {
	if capacity < 1 {
		return fmt.Errorf("%s=%d: want at least 1", setting, capacity)
	}
	return nil
}

// ScrapeDeps is what package scrape needs of the worker. Once [Worker.OpenEvidence] was called, documents are prepared
// to be kept as soon as they are read.
func (w *Worker) ScrapeDeps() scrape.Deps {
	deps := scrape.Deps{Log: w.Log, Metrics: w.Metrics}
	if w.keeper != nil {
		deps.Prepare = w.keeper.Prepare
	}
	return deps
}

// OpenFetcher makes a fetcher, which is closed when the worker stops.
func (w *Worker) OpenFetcher() (*scrape.Fetcher, error) {
	fetcher, err := scrape.NewFetcher(w.cfg.ScrapeConfig, w.ScrapeDeps())
	if err != nil {
		return nil, err
	}
	w.OnStop("fetcher", func(context.Context) error { fetcher.Close(); return nil })
	return fetcher, nil
}

// Tools is what most workers read sources and answer with.
type Tools struct {
	Fetcher *scrape.Fetcher
	Keeper  *evidence.Keeper
	Answers *cache.Store
}

// OpenTools opens a fetcher, what keeps documents, and the cache, in that order: the stop runs backwards, so that reads
// under way can be finished. A worker whose reads need more opens each by itself.
func (w *Worker) OpenTools(ctx context.Context) (t Tools, err error) {
	if t.Fetcher, err = w.OpenFetcher(); err != nil {
		return t, err
	}
	if t.Keeper, err = w.OpenEvidence(); err != nil {
		return t, err
	}
	t.Answers, err = w.OpenAnswers(ctx)
	return t, err
}

// OpenAnswers opens the cache. A stop waits for the reads under way, so what a read writes to must be opened before.
func (w *Worker) OpenAnswers(ctx context.Context) (*cache.Store, error) {
	store, err := cache.Open(ctx, w.JetStream, cache.Deps{Log: w.Log, Metrics: w.Metrics, MaxFetch: w.service.MaxTime})
	if err != nil {
		return nil, err
	}
	w.OnStop("answers", store.Close)
	w.store = store
	w.fresh, err = newFreshReads(w.Metrics)
	return store, err
}

// OpenEvidence opens what keeps the documents that are read. A stop stores those that wait, so whatever reads must be
// opened after.
func (w *Worker) OpenEvidence() (*evidence.Keeper, error) {
	keeper, err := evidence.Open(evidence.Deps{
		JetStream: w.JetStream, Environment: w.cfg.Environment, Product: w.service.Product, Parser: daemon.Version(),
		Wait: w.cfg.EvidenceWait, Log: w.Log, Metrics: w.Metrics,
	})
	if err != nil {
		return nil, err
	}
	w.OnStop("evidence", keeper.Stop)
	w.keeper = keeper
	return keeper, nil
}

func (w *Worker) serve(sources []Source) error {
	service := bus.Service{
		Name: w.service.Product.Worker(), Version: version,
		Description: w.service.Description + ", " + string(w.cfg.Environment),
		Capacity:    w.service.Capacity, MaxTime: w.service.MaxTime,
	}
	for _, s := range sources {
		service.Endpoints = append(service.Endpoints, s.Endpoints...)
	}
	if w.service.Verify != nil {
		service.Endpoints = append(service.Endpoints, w.verification())
	}
	server, err := bus.Serve(w.Bus(), service)
	if err != nil {
		return err
	}
	w.OnStop("requests", server.Stop)
	return nil
}
