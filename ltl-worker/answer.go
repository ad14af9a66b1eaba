package ltlworker

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/platform/scrape"
)

// source answers the requests for one carrier.
type source struct {
	recipe  carrier.Recipe
	paths   *scrape.Source[contracts.Date, surcharge.Reading]
	known   *memory
	archive *archive.Archive
	metrics *metrics
	log     *slog.Logger
	clock   func() time.Time
}

// ttlWithoutArchive is how long an answer is kept when it lacks archived weeks because the archive could not be read.
const ttlWithoutArchive = time.Minute

// read reads the carrier now. The error is SOURCE_UNAVAILABLE when no path and no archived week gives the week in
// force.
func (s *source) read(ctx context.Context) (contracts.SurchargeAnswer, error) {
	now := s.clock()
	today := carrier.Today(now)
	result, err := s.paths.Read(ctx, today)
	if err != nil {
		return contracts.SurchargeAnswer{}, err
	}
	shown := slices.Concat(result.Value.Weeks, result.Value.Coming)
	s.known.learn(shown)
	s.archive.Observe(archive.Observation{
		Carrier: s.recipe.Code, Weeks: shown, At: now.UTC(),
		Source: archive.Source{Path: result.Path, Method: result.Method, EvidenceURL: result.EvidenceURL},
	})
	answer := contracts.SurchargeAnswer{
		Provenance: contracts.Provenance{
			Schema: contracts.AnswerSchema,
			ReadAt: result.ReadAt.UTC(), ExpiresAt: s.recipe.Publication.Expires(now, shown),
			Method: result.Method, EvidenceURL: result.EvidenceURL,
		},
		Carrier: s.recipe.Code, Weeks: result.Value.Weeks,
	}
	if len(answer.Weeks) < contracts.MaxWeeks {
		archived, err := s.archived(ctx, result.Value, today)
		if err != nil {
			answer.ExpiresAt = now.Add(ttlWithoutArchive).UTC()
		}
		answer.Weeks = slices.Concat(answer.Weeks, archived)
	}
	if len(answer.Weeks) == 0 {
		return contracts.SurchargeAnswer{}, contracts.Errorf(contracts.SourceUnavailable,
			"%s shows only weeks to come, and the week in force is not known; retry later", s.recipe.Code).
			After(answer.ExpiresAt.Sub(now))
	}
	answer.Weeks = answer.Weeks[:min(len(answer.Weeks), contracts.MaxWeeks)]
	s.log.InfoContext(ctx, "read", "carrier", s.recipe.Code, "path", result.Path, "weeks", len(answer.Weeks),
		"newest", answer.Weeks[0].EffectiveDate, "confidence", result.Confidence(), "expires", answer.ExpiresAt)
	return answer, nil
}

// archived lists the archived weeks that are older than all that the carrier shows, newest first. A week between
// those that are shown is not served from the archive: the carrier took it back.
func (s *source) archived(
	ctx context.Context, shown surcharge.Reading, today contracts.Date,
) ([]contracts.ObservedWeek, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	all, err := s.archive.Weeks(ctx, s.recipe.Code)
	if err != nil {
		s.log.WarnContext(ctx, "archive cannot be read", "carrier", s.recipe.Code, "error", err)
		s.metrics.archiveUnread(s.recipe.Code)
		return nil, err
	}
	oldest := oldestWeek(shown)
	var older []contracts.ObservedWeek
	for _, w := range all {
		if w.EffectiveDate < oldest && w.EffectiveDate <= today {
			older = append(older, w.ObservedWeek)
		}
	}
	if len(shown.Weeks) == 0 && len(older) > 0 && oldest.DaysSince(older[0].EffectiveDate) > 7 {
		return nil, nil // the week in force was never seen, and an older one must not pass for it
	}
	return older, nil
}

// oldestWeek is the first day of the oldest week that is shown; "" when none is.
func oldestWeek(shown surcharge.Reading) contracts.Date {
	var first contracts.Date
	for _, w := range slices.Concat(shown.Weeks, shown.Coming) {
		if first == "" || w.EffectiveDate < first {
			first = w.EffectiveDate
		}
	}
	return first
}
