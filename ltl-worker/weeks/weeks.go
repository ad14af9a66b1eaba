// Package weeks answers for the weekly percents of a carrier: those that its site shows, with what the archive knows
// beside them, and past weeks. It reads each carrier when the carrier publishes, so that nobody has to wait.
package weeks

import (
	"log/slog"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// Deps is what the sources of all carriers share.
type Deps struct {
	Environment contracts.Environment
	Archive     *archive.Archive
	Words       *wording.Store
	Keeper      *evidence.Keeper
	Kept        *evidence.Store
	Scrape      scrape.Deps
	Metrics     *Metrics
	Log         *slog.Logger
	Clock       func() time.Time
}

// NewSource makes the answerer for the carrier that r reads.
func NewSource(r *reader.Reader, d Deps) *Source {
	s := &Source{Deps: d, Judge: &Judge{Recipe: r.Recipe, Words: d.Words, Archive: d.Archive}, reader: r, recipe: r.Recipe}
	d.Metrics.expect(r.Recipe)
	s.use(r.Paths())
	return s
}

// use makes the source read by these paths, each judged.
func (s *Source) use(paths []reader.Path) {
	for i := range paths {
		paths[i] = s.Judge.judged(paths[i], s.Clock, s.Log)
	}
	s.paths = scrape.NewSource(string(s.recipe.Code), s.Scrape, paths...)
}

// Health is how the carrier's paths are now, and since when its answers are in doubt.
func (s *Source) Health() contracts.SourceHealth {
	h := s.paths.Health()
	h.DoubtSince = s.Words.Doubts(s.recipe.Code).Since
	return h
}
