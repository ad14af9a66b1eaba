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
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/weeks"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

// Observe reads a carrier at each of the moments, and writes what it showed to the archive. Only a sandbox can be
// read at past moments: before each read Observe calls setClock, with which the caller moves the sandbox's clock.
func Observe(
	ctx context.Context, cfg Config, js jetstream.JetStream, c contracts.Carrier,
	moments []time.Time, setClock func(time.Time),
) error {
	log := slog.New(slog.DiscardHandler)
	r, closeAll, err := newReader(cfg.withDefaults(), cfg.Recipe(c), log)
	if err != nil {
		return err
	}
	defer closeAll()
	kv, err := kv.Open(ctx, js, contracts.WeeksBucket)
	if err != nil {
		return err
	}
	kept, err := archive.Open(cfg.Environment, js, kv, log, prometheus.NewRegistry(), revisions(js, cfg.Environment, log), nil)
	if err != nil {
		return err
	}
	source := scrape.NewSource(string(c), scrape.Deps{Log: log}, r.Paths()...)
	for _, moment := range moments {
		setClock(moment)
		var result scrape.Result[reader.Found]
		if result, err = source.Read(ctx, contracts.Today(moment)); err != nil {
			break
		}
		kept.Observe(archive.Observation{
			Carrier: c, Weeks: slices.Concat(result.Value.Weeks, result.Value.Coming), At: moment.UTC(),
			Source: archive.Source{Path: result.Path, Method: result.Method, EvidenceURL: result.EvidenceURL},
			Whole:  weeks.IsWhole(result.Value.Reading),
		})
	}
	return errors.Join(err, kept.Stop(ctx))
}
