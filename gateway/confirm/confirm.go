// Package confirm looks licenses of portfolios up whose status no copy prints, for tenants that asked for it (contract
// §4.18). One gateway of a deployment does, one license after the other, so that people's requests find the sources
// free.
package confirm

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	mathrand "math/rand/v2"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/usage"
	"assay.dev/platform/clock"
	"assay.dev/platform/lease"
	"assay.dev/platform/telemetry"
)

const (
	// usualPause is the pause between two rounds.
	usualPause = 5 * time.Minute
	// maxFailures in a row end a round: the source is down. The next one is after restRounds.
	maxFailures = 3
	restRounds  = 12
	route       = "/v1/abc/portfolios/{name}"
)

// Pace is used in place of the usual one, where its members are not zero.
type Pace struct {
	// Every is the pause between two rounds, Most the bound of a day in place of [kept.MaxConfirmed], and Clock says which
	// day it is.
	Every time.Duration
	Most  int
	Clock func() time.Time
}

// Deps is what it needs.
type Deps struct {
	Log      *slog.Logger
	Metrics  prometheus.Registerer
	API      *api.API
	Keys     *keys.Directory
	Limiter  *ratelimit.Limiter
	Usage    *usage.Publisher
	Receipts *usage.Receipts
	// Lease opens the lease that one gateway has; its gauge is 1 meanwhile.
	Lease func(holds prometheus.Gauge) (*lease.Lease, error)
	Pace
}

// Confirmer does it while its gateway has the lease.
type Confirmer struct {
	Deps
	lease  *lease.Lease
	looked *prometheus.CounterVec
	// day is what is known of a day: seen are licenses of which nothing is left to do on it. counts is nil of an
	// environment in which as many were looked up as may be.
	day    string
	counts map[contracts.Environment]*usage.Receipt
	seen   map[string]bool
	// failures are those in a row; rest is how many rounds are left out because of them.
	failures, rest int
}

// Open makes the confirmer of a gateway, which does nothing before [Confirmer.Run].
func Open(d Deps) (*Confirmer, error) {
	c := &Confirmer{Deps: d}
	c.Every, c.Most = cmp.Or(c.Every, usualPause), cmp.Or(c.Most, kept.MaxConfirmed)
	if c.Clock == nil {
		c.Clock = time.Now
	}
	m := telemetry.NewMetrics(d.Metrics)
	holds := m.Gauge("gateway_confirming", "1 in the gateway that looks licenses of portfolios up just now.")
	c.looked = m.Counters("gateway_confirmations_total", "Licenses of portfolios that were looked up, by "+
		"what came of it; served: somebody had looked it up meanwhile; denied: the tenant had no key or no request "+
		"left; left: for another day, because this one has no lookup left.", "outcome")
	if err := m.Err(); err != nil {
		return nil, err
	}
	for _, outcome := range []string{"proven", "served", "unproven", "absent", "failed", "denied", "left"} {
		c.looked.WithLabelValues(outcome)
	}
	var err error
	c.lease, err = d.Lease(holds)
	return c, err
}

// Run makes a round now and then, until ctx ends.
func (c *Confirmer) Run(ctx context.Context) error {
	for clock.Sleep(ctx, c.Every) == nil {
		if c.rest--; c.rest > 0 {
			continue
		}
		c.lease.Try(ctx, func(ctx context.Context) {
			if err := c.round(ctx); err != nil && ctx.Err() == nil {
				c.Log.WarnContext(ctx, "licenses of portfolios are not looked up just now", "error", err)
			}
		})
	}
	return nil
}

// one is a license that is due.
type one struct {
	kept.Owner
	portfolio.License
	order int
}

func (l one) key() string { return string(l.Environment) + " " + l.Key() }

// round looks up what is due now, the first license of each portfolio before the second of any.
func (c *Confirmer) round(ctx context.Context) error {
	now := c.Clock().UTC()
	if day := now.Format(time.DateOnly); day != c.day {
		c.day, c.seen, c.counts = day, map[string]bool{}, map[contracts.Environment]*usage.Receipt{}
		for _, env := range contracts.Environments {
			c.counts[env] = c.Receipts.Of(env, "", "", "confirm "+day, nil)
		}
	}
	all, err := c.API.Portfolios.Confirmed(ctx)
	var due []one
	for _, p := range all {
		some, failure := c.due(ctx, p, now)
		if failure != nil {
			err = failure
		}
		due = append(due, some...)
	}
	slices.SortStableFunc(due, func(a, b one) int { return a.order - b.order })
	c.failures = 0
	for _, l := range due {
		if ctx.Err() != nil || c.failures == maxFailures {
			break
		}
		if failure := c.lookUp(ctx, l); failure != nil {
			return failure
		}
	}
	if c.failures == maxFailures {
		c.rest = restRounds
	}
	return err
}

// due are licenses of a portfolio that a lookup is due for today, in any order, as many as may be looked up on a day.
func (c *Confirmer) due(ctx context.Context, p kept.Confirmed, now time.Time) ([]one, error) {
	if c.counts[p.Environment] == nil || c.Keys.LimitOf(p.Environment, p.Tenant, contracts.ABC) == 0 {
		return nil, nil
	}
	whole, err := c.API.Portfolios.Get(ctx, p.Owner, p.Name)
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(portfolio.Once(whole.Licenses), func(l portfolio.License) bool {
		return !l.State.PrintsNoStatus() || !p.Confirm.IsDay(l, now) ||
			c.seen[one{Owner: p.Owner, License: l}.key()]
	})
	open, err = c.API.Confirmable(ctx, p.Environment, open)
	mathrand.Shuffle(len(open), func(i, k int) { open[i], open[k] = open[k], open[i] })
	var due []one
	for i, l := range open[:min(len(open), c.Most)] {
		due = append(due, one{p.Owner, l, i})
	}
	return due, err
}

// lookUp looks a license up, which nobody else does on this day: whoever claims it first does, also if it dies of it.
// The error is for a round that cannot go on.
func (c *Confirmer) lookUp(ctx context.Context, l one) error {
	count, limit := c.counts[l.Environment], c.Keys.LimitOf(l.Environment, l.Tenant, contracts.ABC)
	if count == nil {
		return nil
	}
	if limit == 0 || !c.Limiter.Take(ctx, ratelimit.Tenant{Environment: l.Environment, Name: l.Tenant}, limit).Allowed {
		c.looked.WithLabelValues("denied").Inc()
		return nil
	}
	isFirst, err := c.Receipts.Of(l.Environment, "", "", "confirm "+c.day+" "+l.key(), nil).Next(ctx, 1)
	if err != nil {
		return err
	}
	c.seen[l.key()] = true
	if !isFirst {
		return nil
	}
	if isLeft, err := count.Next(ctx, c.Most); err != nil || !isLeft {
		c.counts[l.Environment] = nil
		if err == nil {
			c.looked.WithLabelValues("left").Inc()
			c.Log.WarnContext(ctx, "as many licenses of portfolios were looked up today as may be", "environment",
				l.Environment, "most", c.Most)
		}
		return err
	}
	id, began := rand.Text(), time.Now()
	isProven, isRead, err := c.API.LookUp(ctx, l.Environment, l.License, id)
	outcome := "unproven"
	switch {
	case contracts.CodeOf(err) == contracts.NotFound:
		outcome, c.failures = "absent", 0
	case err != nil:
		outcome, c.failures = "failed", c.failures+1
	case !isRead:
		outcome = "served"
	case isProven:
		outcome, c.failures = "proven", 0
		c.charge(l, id, began)
	}
	c.looked.WithLabelValues(outcome).Inc()
	took := time.Since(began)
	c.Log.InfoContext(ctx, "a license of a portfolio was looked up", "state", l.State, "license", l.LicenseNumber,
		"outcome", outcome, "tenant", l.Tenant, "environment", l.Environment,
		"request_id", id, "dur_ms", took.Milliseconds(), "error", err)
	return clock.Sleep(ctx, took) // half of the time is people's
}

// charge charges an answer.
func (c *Confirmer) charge(l one, id string, at time.Time) {
	if l.Environment != contracts.Live {
		c.Usage.ReportTest(l.Tenant, contracts.ABC, at)
		return
	}
	c.Usage.Report(usage.Event{ID: id, Tenant: l.Tenant, Product: contracts.ABC, Route: route,
		RequestID: id, At: at.UTC(), Price: contracts.ABC.UnitPrice()})
}
