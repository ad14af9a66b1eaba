package ltlworker

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

// Observe reads a carrier at each of the moments and keeps in the archive what it showed, without answering anybody. Only
// a sandbox can be read in the past, and moving its clock is the caller's part: at is called before each read.
func Observe(ctx context.Context, cfg Config, js jetstream.JetStream, c contracts.Carrier, moments []time.Time, at func(time.Time)) error {
	log := slog.New(slog.DiscardHandler)
	r, closeAll, err := newReader(cfg.withDefaults(), c, log)
	if err != nil {
		return err
	}
	defer closeAll()
	kv, err := kv.Open(ctx, js, contracts.WeeksBucket)
	if err != nil {
		return err
	}
	kept, err := archive.Open(cfg.Environment, kv, log, prometheus.NewRegistry(), revisions(js, cfg.Environment, log))
	if err != nil {
		return err
	}
	source := scrape.NewSource(string(c), scrape.Deps{Log: log}, r.paths()...)
	for _, moment := range moments {
		at(moment)
		var result scrape.Result[surcharge.Reading]
		if result, err = source.Read(ctx, carrier.Today(moment)); err != nil {
			break
		}
		kept.Observe(archive.Observation{
			Carrier: c, Weeks: slices.Concat(result.Value.Weeks, result.Value.Coming), At: moment.UTC(),
			Source: archive.Source{Path: result.Path, Method: result.Method, EvidenceURL: result.EvidenceURL},
		})
	}
	return errors.Join(err, kept.Stop(ctx))
}
