// Package weeks answers for the weekly percents of a carrier: those that its site shows, with what the archive knows
// beside them, and past weeks. It reads each carrier when the carrier publishes, so that nobody has to wait.
package weeks

import (
	"context"
	"log/slog"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/reader"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// Deps is what the sources of all carriers share.
type Deps struct {
	Archive *archive.Archive
	Keeper  *evidence.Keeper
	Scrape  scrape.Deps
	Metrics *Metrics
	Log     *slog.Logger
	Clock   func() time.Time
}

// NewSource makes the answerer for the carrier that r reads. A path whose weeks contradict most of those that are known
// fails, unless the carrier is reissued.
func NewSource(ctx context.Context, r *reader.Reader, isReissued bool, d Deps) *Source {
	known, err := recall(ctx, d.Archive, r.Code)
	if err != nil {
		d.Log.WarnContext(ctx, "archive cannot be read", "carrier", r.Code, "error", err)
		d.Metrics.archiveUnread(r.Code)
	}
	paths := r.Paths()
	if !isReissued {
		for i := range paths {
			paths[i] = known.guard(paths[i])
		}
	}
	return &Source{
		recipe: r.Recipe, paths: scrape.NewSource(string(r.Code), d.Scrape, paths...),
		known: known, archive: d.Archive, keeper: d.Keeper, metrics: d.Metrics, log: d.Log, clock: d.Clock,
	}
}

// Health is how the carrier's paths are now.
func (s *Source) Health() contracts.SourceHealth { return s.paths.Health() }
