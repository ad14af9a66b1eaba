package weeks

import (
	"cmp"
	"context"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// A reading in doubt is tried again after firstDoubt, then after as long as the doubt lasts already, up to lastDoubt.
const firstDoubt, lastDoubt = 15 * time.Minute, 2 * time.Hour

// doubtTTL is how long an answer lives that has been in doubt for some time.
func doubtTTL(lasts time.Duration) time.Duration { return min(max(lasts, firstDoubt), lastDoubt) }

// observe has the archive note what was seen. A reading in doubt adds weeks that no clean reading saw, and changes
// nothing of the others: what it shows of those stands in its document.
func (s *Source) observe(ctx context.Context, result scrape.Result[reader.Found],
	kept []contracts.Evidence, now time.Time) {
	shown := slices.Concat(result.Value.Weeks, result.Value.Coming)
	if result.InDoubt {
		known, err := s.archived(ctx)
		if err != nil {
			return
		}
		shown = withoutClean(shown, known)
	}
	s.Archive.Observe(archive.Observation{
		Carrier: s.recipe.Code, Weeks: shown, At: now.UTC(), JudgedAt: now, Source: seenIn(result, kept),
		Whole: !result.InDoubt && IsWhole(result.Value.Reading),
	})
}

func withoutClean(shown []contracts.ObservedWeek, known []archive.Week) []contracts.ObservedWeek {
	clean := map[contracts.Date]bool{}
	for _, w := range known {
		_, clean[w.Date] = w.Clean()
	}
	return slices.DeleteFunc(shown, func(w contracts.ObservedWeek) bool { return clean[w.EffectiveDate] })
}

// writeTime bounds what a reading notes of the words.
const writeTime = 2 * time.Second

// noteDoubts notes for operators which paths are in doubt and since when, or that they are not any more, and learns
// from a clean reading. It returns since when the answers are in doubt.
func (s *Source) noteDoubts(ctx context.Context, result scrape.Result[reader.Found], kept []contracts.Evidence,
	now time.Time) time.Time {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	// Whether something was accepted before or after a reading can be a matter of less than a second.
	code, last := s.recipe.Code, now.UTC().Truncate(time.Millisecond)
	at := last.Truncate(time.Second)
	for week := range result.Value.Verdict.Off {
		s.Log.WarnContext(ctx, "a percent is not that of its bracket", "carrier", code, "week", week)
		s.Metrics.differing.WithLabelValues(string(code)).Inc()
	}
	seen := map[string]wording.Doubt{}
	for _, r := range append(slices.Clip(result.Doubtful), result) {
		if !r.InDoubt {
			continue
		}
		d := wording.Doubt{Since: at, Last: last, Notes: r.Value.Verdict.Notes}
		documents := kept
		if r.Path != result.Path {
			documents, _ = s.Keeper.Keep(ctx, s.evidenceOf(r), r.Documents)
		}
		if len(documents) > 0 {
			d.Document = &documents[0]
		}
		seen[r.Path] = d
		for _, n := range d.Notes {
			s.Metrics.doubts.WithLabelValues(string(code), r.Path, string(n.Code)).Inc()
			s.Log.WarnContext(ctx, "a reading is in doubt", "carrier", code, "path", r.Path, "note", n.Code,
				"message", n.Message)
		}
	}
	accepted := s.Words.AcceptedAt(code)
	if err := s.Words.Doubt(ctx, code, func(d wording.Doubts) wording.Doubts {
		return doubtsAfter(d, result, seen, at, accepted)
	}); err != nil {
		s.Log.WarnContext(ctx, "the doubts cannot be saved", "carrier", code, "error", err)
	}
	if !result.InDoubt {
		s.learn(ctx, result, at)
	}
	if since := s.Words.Doubts(code).Since; since != nil {
		return *since
	}
	return at
}

// learn learns the words of a clean reading.
func (s *Source) learn(ctx context.Context, result scrape.Result[reader.Found], at time.Time) {
	lines := result.Value.Verdict.Learn
	if err := s.Words.Learn(ctx, s.recipe.Code, result.Value.Trusted(result.Path), lines, at); err != nil {
		s.Log.WarnContext(ctx, "the words of a page cannot be learned", "carrier", s.recipe.Code, "error", err)
		return
	}
	s.Metrics.learned.WithLabelValues(string(s.recipe.Code)).Add(float64(len(lines)))
	for _, l := range lines {
		s.Log.InfoContext(ctx, "a line is learned", "carrier", s.recipe.Code, "path", result.Path, "line", l.Text)
	}
}

// doubtsAfter is what is in doubt after a reading: seen are the paths that are. Those that were not read stay as they
// were, unless somebody has looked since.
func doubtsAfter(
	d wording.Doubts, result scrape.Result[reader.Found], seen map[string]wording.Doubt, at, accepted time.Time,
) (next wording.Doubts) {
	if result.InDoubt {
		next.Since = cmp.Or(d.Since, &at)
	}
	paths := map[string]wording.Doubt{}
	for path, of := range d.Paths {
		if !of.Last.Before(accepted) && (result.InDoubt || path != result.Path) {
			paths[path] = of
		}
	}
	for path, of := range seen {
		if before, ok := paths[path]; ok {
			of.Since = before.Since
		}
		paths[path] = of
	}
	if len(paths) > 0 {
		next.Paths = paths
	}
	return next
}

// evidenceOf says of the documents of a reading what they are of.
func (s *Source) evidenceOf(result scrape.Result[reader.Found]) evidence.Reading {
	rows := make(map[string][]scrape.Spot, len(result.Value.Rows))
	for day, spots := range result.Value.Rows {
		rows[string(day)] = spots
	}
	return evidence.Reading{Source: string(s.recipe.Code), Path: result.Path, Rows: rows}
}
