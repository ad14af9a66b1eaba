package captchaworker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/captcha-worker/credits"
	"assay.dev/captcha-worker/renderer"
	"assay.dev/captcha-worker/solver"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/daemon"
	"assay.dev/platform/jobs"
	"assay.dev/platform/kv"
)

// watchEvery is how often the paid accounts are looked at.
const watchEvery = time.Minute

// attestEvery is how often the ledgers' revisions are noted.
const attestEvery = 10 * time.Second

// Run does jobs of cfg.Environment until ctx ends. Jobs in work are then finished.
func Run(ctx context.Context, cfg Config) error {
	labels := prometheus.Labels{"environment": string(cfg.Environment)}
	return daemon.Run(ctx, contracts.CaptchaWorker, cfg.Config, labels,
		func(ctx context.Context, d *daemon.Daemon) error {
			return start(ctx, cfg, d)
		})
}

func start(ctx context.Context, cfg Config, d *daemon.Daemon) error {
	transport, err := cfg.Egress.Transport()
	if err != nil {
		return err
	}
	d.OnStop("connections", func(context.Context) error { transport.CloseIdleConnections(); return nil })
	bucket, err := kv.Open(ctx, d.JetStream, contracts.CreditsBucket)
	if err != nil {
		return err
	}
	metrics, err := newMetrics(d.Metrics)
	if err != nil {
		return err
	}
	solves := &solves{
		client:  solver.New(cfg.SolverConfig, transport),
		ledger:  cfg.Ledger(d.JetStream, bucket, cfg.Environment, contracts.Solve),
		metrics: metrics, log: d.Log,
	}
	metrics.begin(solves.client)
	renders := &renders{
		client:  renderer.New(cfg.RendererConfig, transport),
		ledger:  cfg.Ledger(d.JetStream, bucket, cfg.Environment, contracts.Render),
		metrics: metrics, log: d.Log,
	}
	d.Go("accounts", func(ctx context.Context) error { return watch(ctx, watchEvery, solves.watch, renders.watch) })
	d.Go("ledgers", func(ctx context.Context) error {
		return watch(ctx, attestEvery, attest(d, solves.ledger), attest(d, renders.ledger))
	})

	queue, err := jobs.Open(ctx, d.Bus(), d.JetStream, cfg.Environment)
	if err != nil {
		return err
	}
	solving, err := jobs.Work(ctx, queue, contracts.Solve, cfg.SolveSlots, solves.do)
	if err != nil {
		return err
	}
	rendering, err := jobs.Work(ctx, queue, contracts.Render, cfg.RenderSlots, renders.do)
	if err != nil {
		return errors.Join(err, solving.Stop(ctx))
	}
	// Both at the same time: each waits a second for a job that may be under way to it.
	d.OnStop("jobs", func(ctx context.Context) error {
		rendered := make(chan error, 1)
		go func() { rendered <- rendering.Stop(ctx) }()
		return errors.Join(solving.Stop(ctx), <-rendered)
	})
	return serve(cfg, d, solves)
}

// serve answers which solver there is.
func serve(cfg Config, d *daemon.Daemon, solves *solves) error {
	server, err := bus.Serve(d.Bus(), bus.Service{
		Name: contracts.CaptchaWorker, Version: "1.0.0",
		Description: "CAPTCHA solves and renders, " + string(cfg.Environment),
		Capacity:    64, MaxTime: time.Second,
		Endpoints: []bus.Endpoint{bus.Handle("solver", contracts.SolverSubject(cfg.Environment), solves.solver)},
	})
	if err != nil {
		return err
	}
	d.OnStop("requests", server.Stop)
	return nil
}

// attest notes the ledger's revision. What fails is noted the next time.
func attest(d *daemon.Daemon, ledger *credits.Ledger) func(context.Context) {
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, attestEvery/2)
		defer cancel()
		if err := ledger.Attest(ctx); err != nil && ctx.Err() == nil {
			d.Log.WarnContext(ctx, "the ledger's revision is not noted", "error", err)
		}
	}
}

// watch looks at once and then again and again.
func watch(ctx context.Context, every time.Duration, looks ...func(context.Context)) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		for _, look := range looks {
			look(ctx)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// settleTimeout bounds the booking of a call that was made: it must happen even when the job's own time is up.
const settleTimeout = 10 * time.Second

// settle books what a call cost. Where that fails, what was reserved for it stays reserved; what it gave is paid for,
// and is used.
func settle(ctx context.Context, ledger *credits.Ledger, id string, cost int64, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	if err := ledger.Settle(ctx, id, cost); err != nil {
		log.WarnContext(ctx, "a paid call is not booked, and stays reserved", "job", id, "error", err)
	}
}
