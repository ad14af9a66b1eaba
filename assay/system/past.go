package system

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/kv"
	"assay.dev/sandbox"
)

// pastWeeks is how far the past of the test environment reaches back: as far as one request may ask.
const pastWeeks = contracts.MaxHistoryWeeks

// fillPast gives the archive of the test environment the weeks that the sandbox's carriers have posted, each as first
// seen when it was posted, as if a worker had been there all the time. The carriers show only some of them. Weeks that
// are newer than what is archived of a carrier are left to the workers.
func fillPast(ctx context.Context, js jetstream.JetStream) error {
	bucket, err := kv.Open(ctx, js, contracts.WeeksBucket)
	if err != nil {
		return err
	}
	weeks := archive.View(contracts.Test, js, bucket, slog.New(slog.DiscardHandler))
	now := time.Now()
	var carriers errgroup.Group
	for _, c := range contracts.Carriers {
		carriers.Go(func() error { return fillCarrier(ctx, weeks, c, now) })
	}
	if err = carriers.Wait(); err != nil {
		err = fmt.Errorf("the sandbox's past: %w", err)
	}
	return err
}

func fillCarrier(ctx context.Context, weeks *archive.Archive, c contracts.Carrier, now time.Time) error {
	var known []archive.Week
	err := kv.RetryAtStart(ctx, func(ctx context.Context) (err error) {
		known, err = weeks.Weeks(ctx, c)
		return err
	})
	if err != nil {
		return err
	}
	posted, err := sandbox.Posted(c, now, pastWeeks)
	if err != nil {
		return err
	}
	var all []archive.Observation
	for _, p := range slices.Backward(posted) {
		if len(known) > 0 && p.EffectiveDate >= known[len(known)-1].Date {
			continue
		}
		all = append(all, archive.Observation{
			Carrier: c, At: p.At, Source: firstSource(carrier.Recipes[c]),
			Weeks: []contracts.ObservedWeek{{SurchargeWeek: p.SurchargeWeek, Tally: contracts.TallyOf(true, true)}},
		})
	}
	if len(all) == 0 {
		return nil
	}
	return kv.RetryAtStart(ctx, func(ctx context.Context) error {
		err := weeks.Keep(ctx, c, all...)
		if kv.Conflict(err) { // a try that was given up was carried out
			err = weeks.Keep(ctx, c, all...)
		}
		return err
	})
}

// firstSource is the first way in which a worker reads the carrier.
func firstSource(r carrier.Recipe) archive.Source {
	s := archive.Source{Path: string(r.Ways()[0]), Method: r.Ways()[0].Method(), EvidenceURL: r.Pages[0]}
	if len(r.API) > 0 {
		s.EvidenceURL = r.API[0].URL
	}
	return s
}
