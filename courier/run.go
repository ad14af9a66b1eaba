package courier

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
	"assay.dev/platform/feed"
	"assay.dev/platform/kv"
	"assay.dev/platform/lease"
)

// Run delivers until ctx ends; it serves both environments. Requests under way are then finished, as far as the stop
// has time for them.
func Run(ctx context.Context, cfg Config) error {
	return daemon.Run(ctx, contracts.Courier, cfg.Config, nil, func(ctx context.Context, d *daemon.Daemon) error {
		return start(ctx, cfg, d)
	})
}

func start(ctx context.Context, cfg Config, d *daemon.Daemon) error {
	sealer, err := cfg.Sealer()
	if err == nil && sealer == nil {
		err = errors.New("ASSAY_WEBHOOK_KEY is empty: want the one of the gateways")
	}
	if err != nil {
		return err
	}
	metrics, err := newMetrics(d.Metrics)
	if err != nil {
		return err
	}
	changes, err := feed.New(d.JetStream, d.Log, d.Metrics, nil)
	if err != nil {
		return err
	}
	endpoints, err := kv.Open(ctx, d.JetStream, contracts.EndpointsBucket)
	if err != nil {
		return err
	}
	portfolios, err := kv.Open(ctx, d.JetStream, contracts.PortfoliosBucket)
	if err != nil {
		return err
	}
	keysBucket, err := kv.Open(ctx, d.JetStream, contracts.KeysBucket)
	if err != nil {
		return err
	}
	turn, err := lease.Open(ctx, d.JetStream, contracts.CourierLease, d.Log, metrics.holds)
	if err != nil {
		return err
	}
	sender := newSender(sealer, cfg.WebhookLoopback, sendTime,
		slices.Concat(cfg.OwnPorts, ports(cfg.NATSURL, cfg.AdminListen)))
	c := &courier{
		log: d.Log, metrics: metrics, tracer: d.Tracer.Tracer("assay.dev/courier"), js: d.JetStream, feed: changes,
		bucket:     endpoints,
		portfolios: portfolios, keysBucket: keysBucket, sender: sender, schedule: cfg.Schedule, grace: grace(cfg.StopTimeout),
		wake: make(chan struct{}, 1),
	}
	if c.schedule == nil {
		c.schedule = schedule
	}
	d.OnStop("connections", func(context.Context) error { sender.client.CloseIdleConnections(); return nil })
	d.Go("changes", changes.Follow)
	d.Go("deliveries", func(ctx context.Context) error {
		return turn.Hold(ctx, func(working context.Context) { c.work(working, ctx) })
	})
	return nil
}

// grace is how long a stop lets requests under way end.
func grace(stop time.Duration) time.Duration {
	stop = cmp.Or(stop, 25*time.Second)
	return min(sendTime, max(stop-5*time.Second, stop/3))
}

// ports are those that addresses and URLs, separated by commas, name.
func ports(addresses ...string) (all []string) {
	for text := range strings.SplitSeq(strings.Join(addresses, ","), ",") {
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			text = u.Host
		}
		if _, port, err := net.SplitHostPort(text); err == nil {
			all = append(all, port)
		}
	}
	return all
}
