package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/confirm"
	"assay.dev/gateway/deliveries"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/openapi"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/session"
	"assay.dev/gateway/site"
	"assay.dev/gateway/usage"
	"assay.dev/gateway/wire"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
	"assay.dev/platform/daemon"
	"assay.dev/platform/evidence"
	"assay.dev/platform/feed"
	"assay.dev/platform/lease"
	"assay.dev/platform/telemetry"
)

// Run serves the API until ctx ends; it serves both environments.
func Run(ctx context.Context, cfg Config) error {
	return daemon.Run(ctx, contracts.Gateway, cfg.Config, nil, func(ctx context.Context, d *daemon.Daemon) error {
		server, err := open(ctx, cfg, d)
		if err != nil {
			return err
		}
		return listen(ctx, cfg, d, server)
	})
}

// open makes the server and what it needs, each part registered for the stop after what needs it.
func open(ctx context.Context, cfg Config, d *daemon.Daemon) (*wire.Server, error) {
	directory, err := openKeys(ctx, cfg, d)
	if err != nil {
		return nil, err
	}
	limiter, err := ratelimit.Open(ctx, d.JetStream, cfg.StoreTime)
	if err != nil {
		return nil, err
	}
	d.Go("rate limits", limiter.Follow)
	answered, err := openAPI(ctx, cfg, d)
	if err != nil {
		return nil, err
	}
	events, err := openUsage(cfg, d)
	if err != nil {
		return nil, err
	}
	receipts, err := usage.OpenReceipts(ctx, d.JetStream, d.Metrics)
	if err != nil {
		return nil, err
	}
	answered.LimitOf = directory.LimitOf
	err = confirmChanges(ctx, d, confirm.Deps{
		Log: d.Log, Metrics: d.Metrics, API: answered, Keys: directory, Limiter: limiter, Usage: events, Receipts: receipts,
		Pace: cfg.Confirm,
	})
	if err != nil {
		return nil, err
	}
	sessions, err := openSessions(ctx, cfg, d)
	if err != nil {
		return nil, err
	}
	pages, err := openSite(d, site.Deps{API: answered, Keys: directory, Limiter: limiter, Sessions: sessions})
	if err != nil {
		return nil, err
	}
	server, err := wire.New(wire.Deps{
		Log: d.Log, Metrics: d.Metrics, Tracer: d.Tracer, API: answered, Keys: directory, Limiter: limiter, Usage: events,
		Receipts: receipts, Site: pages, Sessions: sessions, Tokens: cfg.tokens(d.Log),
	}, cfg.wire())
	if err != nil {
		return nil, err
	}
	d.OnStop("anonymous requests", server.Close)
	return server, nil
}

// openSite opens the pages, which show the usage of the month in the console alone.
func openSite(d *daemon.Daemon, deps site.Deps) (*site.Site, error) {
	running := usage.NewRunning(d.JetStream, d.Log)
	if deps.Sessions != nil {
		d.Go("usage of the month", running.Follow)
	}
	deps.Usage = running
	return site.New(deps)
}

// openKeys makes the copy of the keys; the gateway is ready once it is loaded. One that has a copy stays ready when the
// bucket is damaged later: it accepts the keys that it knows, and answers 503 for others.
func openKeys(ctx context.Context, cfg Config, d *daemon.Daemon) (*keys.Directory, error) {
	directory, err := keys.OpenDirectory(ctx, d.JetStream, cfg.StoreTime)
	if err != nil {
		return nil, err
	}
	d.Go("keys", directory.Follow)
	d.Ready("keys", func() error {
		if !directory.Loaded() {
			return cmp.Or(directory.Damage(), errors.New("the keys are not loaded yet"))
		}
		return daemon.Degrade(cmp.Or(directory.Damage(), directory.Stale()))
	})
	return directory, registerKeyAge(d.Metrics, directory)
}

// openUsage makes what reports billable answers; a stop sends what waits.
func openUsage(cfg Config, d *daemon.Daemon) (*usage.Publisher, error) {
	aside, err := usage.OpenAside(cfg.UsageAside)
	if err != nil {
		return nil, fmt.Errorf("ASSAY_USAGE_ASIDE=%s: %w", cfg.UsageAside, err)
	}
	d.OnStop("usage aside", func(context.Context) error { return aside.Close() })
	events, err := usage.NewPublisher(d.JetStream, aside, d.Log, d.Metrics)
	if err != nil {
		return nil, err
	}
	d.OnStop("usage", events.Flush)
	d.Go("usage events", events.Run)
	d.Ready("usage", func() error { return daemon.Degrade(events.Stuck()) })
	return events, nil
}

// confirmChanges looks licenses up for who is told of their changes; of all gateways one does.
func confirmChanges(ctx context.Context, d *daemon.Daemon, deps confirm.Deps) error {
	deps.Lease = func(holds prometheus.Gauge) (*lease.Lease, error) {
		return lease.Open(ctx, d.JetStream, contracts.ConfirmLease, d.Log, holds)
	}
	confirmer, err := confirm.Open(deps)
	if err == nil {
		d.Go("confirmations", confirmer.Run)
	}
	return err
}

// openSessions is nil without a secret: the console is then off.
func openSessions(ctx context.Context, cfg Config, d *daemon.Daemon) (*session.Sealer, error) {
	if cfg.ConsoleSecret == "" {
		return nil, nil
	}
	sealer, err := session.NewSealer(cfg.ConsoleSecret.Reveal())
	if err != nil {
		return nil, err
	}
	sealer.OnlyTLS = strings.HasPrefix(cfg.PublicURL, "https:") || len(cfg.TrustedProxies) > 0
	sealer.Ended, err = session.OpenEnded(ctx, d.JetStream)
	return sealer, err
}

// openAPI makes what the endpoints answer from.
func openAPI(ctx context.Context, cfg Config, d *daemon.Daemon) (*api.API, error) {
	shared, err := cache.Open(ctx, d.JetStream, cache.Deps{Log: d.Log, Metrics: d.Metrics})
	if err != nil {
		return nil, err
	}
	d.OnStop("cache", shared.Close)
	messages := d.Bus()
	messages.StoredAnswer = shared.Delivered
	store, err := answers.Open(answers.Deps{
		Log: d.Log, Metrics: d.Metrics, Cache: shared, MaxBytes: cfg.CacheBytes, SharedTime: cfg.StoreTime,
		Client: bus.NewClient(messages, contracts.ProductSubjects()...),
	})
	if err != nil {
		return nil, err
	}
	d.OnStop("answers", store.Close)
	catalog, err := api.OpenCatalog(ctx, d.JetStream)
	if err != nil {
		return nil, err
	}
	auditing, err1 := api.NewPricedLines(cfg.AuditLinePrice, d.Metrics, "gateway_audit_lines_total",
		"Audited lines by their verdict.", "verdict", audit.Verdicts)
	matching, err2 := api.NewPricedLines(cfg.MatchLinePrice, d.Metrics, "gateway_match_lines_total",
		"Matched customers by their outcome.", "outcome", contracts.MatchOutcomes)
	delivering, err3 := api.NewPricedLines(cfg.DeliveryLinePrice, d.Metrics, "gateway_delivery_lines_total",
		"Judged deliveries by their verdict.", "verdict", deliveries.Verdicts)
	shareEvents, err4 := api.NewShareEvents(d.Metrics)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	sealer, err := cfg.Sealer()
	if err != nil {
		return nil, err
	}
	tenants, err := kept.Open(ctx, d.JetStream, sealer)
	if err != nil {
		return nil, err
	}
	changes, err := openFeed(d, store)
	if err != nil {
		return nil, err
	}
	return &api.API{
		Kept: tenants, ShareEvents: shareEvents,
		WebhookLoopback: cfg.WebhookLoopback, Feed: changes, ChangesRead: cfg.ChangesRead, Answers: store, Catalog: catalog,
		Evidence: evidence.NewStore(d.JetStream), Auditing: auditing, Matching: matching, Delivering: delivering,
		Document: sync.OnceValues(documentPage), PublicURL: cfg.PublicURL,
	}, nil
}

// openFeed follows the changes, each of which ends the answers that it outdates.
func openFeed(d *daemon.Daemon, store *answers.Store) (*feed.Feed, error) {
	changes, err := feed.New(d.JetStream, d.Log, d.Metrics, func(env contracts.Environment, c *contracts.Change) {
		for _, key := range c.Outdates(env) {
			store.Forget(key)
		}
		if searches := c.OutdatesSearches(env); searches != "" {
			store.ForgetAll(searches)
			// one may have been asked for by a former number
			store.ForgetAll(contracts.LicensesOf(env, contracts.State(c.Source)))
		}
	})
	if err == nil {
		d.Go("changes", changes.Follow)
	}
	return changes, err
}

// documentPage takes a tenth of a start, and few ask for it.
func documentPage() (api.Reply, error) {
	document, err := openapi.Document()
	return api.DocumentPage(document), err
}

// registerKeyAge reports how old the copy of the keys may be.
func registerKeyAge(r prometheus.Registerer, d *keys.Directory) error {
	m := telemetry.NewMetrics(r)
	m.GaugeFunc("key_feed_age_seconds", "Time since the copy of the keys was last proven complete.",
		func() float64 { return d.Age().Seconds() })
	return m.Err()
}
