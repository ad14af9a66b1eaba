package weeks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/platform/scrape"
)

// Source answers the requests for the weeks of one carrier.
type Source struct {
	Deps
	// Judge decides whether readings are believed. Its Table and its Price may be set until the first Read.
	Judge  *Judge
	reader *reader.Reader
	recipe carrier.Recipe
	paths  *scrape.Source[contracts.Date, reader.Found]
}

// Read reads the carrier now. The error is SOURCE_UNAVAILABLE when no path and no archived week gives the week in
// force.
func (s *Source) Read(ctx context.Context) (contracts.SurchargeAnswer, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	now := s.Clock()
	result, err := s.paths.Read(ctx, contracts.Today(now))
	if err != nil {
		return contracts.SurchargeAnswer{}, err
	}
	kept, all := s.keep(ctx, result)
	shown := slices.Concat(result.Value.Weeks, result.Value.Coming)
	s.observe(ctx, result, kept, now)
	since := s.noteDoubts(ctx, result, kept, now)
	answer := s.answer(result, shown, now)
	if result.InDoubt {
		answer.EndBy(now.Add(doubtTTL(now.Sub(since))))
	}
	if len(kept) > 0 {
		kept = append(kept, s.keepEditions(ctx, result)...)
	}
	answer.NameEvidence(kept, all, now)
	s.complete(ctx, &answer, result.Value.Reading, now)
	if len(answer.Weeks) == 0 {
		return contracts.SurchargeAnswer{}, contracts.Errorf(contracts.SourceUnavailable,
			"%s shows only weeks to come, and the week in force is not known; retry later", s.recipe.Code).
			After(answer.ExpiresAt.Sub(now))
	}
	s.setDue(&answer, result.Value.Coming, now)
	s.Log.InfoContext(ctx, "read", "carrier", s.recipe.Code, "path", result.Path, "weeks", len(answer.Weeks),
		"newest", answer.Weeks[0].EffectiveDate, "due", answer.Due, "confidence", result.Confidence(),
		"in_doubt", result.InDoubt,
		"figures", figures(result.Value.Verdict.Figures), "expires", answer.ExpiresAt)
	return answer, nil
}

// answer is what one reading says, without what the archive adds. shown are all weeks of the reading.
func (s *Source) answer(
	result scrape.Result[reader.Found], shown []contracts.ObservedWeek, now time.Time,
) contracts.SurchargeAnswer {
	newest := result.Value.Weeks[:min(len(result.Value.Weeks), contracts.MaxWeeks)]
	a := contracts.SurchargeAnswer{
		Provenance: result.Provenance(), Carrier: s.recipe.Code, Weeks: slices.Clone(newest),
		Unreadable: result.Value.Unreadable, ShownFrom: oldestWeek(result.Value.Reading),
		PrintsDiesel: s.recipe.PrintsDiesel(),
	}
	a.PublishedAt, a.ExpiresAt = result.Value.PublishedAt, s.recipe.Publication.Expires(now, shown)
	a.Notes = append(evidenceNotes(s.recipe, carrier.Way(result.Path), result.EvidenceURL), result.Value.Verdict.Notes...)
	if first := s.recipe.Ways()[0]; result.Path != string(first) {
		failed := "that failed"
		if slices.ContainsFunc(result.Doubtful, func(r scrape.Result[reader.Found]) bool { return r.Path == string(first) }) {
			failed = "what that shows is in doubt"
		}
		a.Notes = append(a.Notes, contracts.Note{Code: contracts.NoteFallback, Message: fmt.Sprintf(
			"%s is read by %q first, and %s. This was read by %q, and is asked for again soon.", s.recipe.Code, first,
			failed, result.Path)})
		a.EndBy(now.Add(contracts.FallbackTTL))
	}
	return a
}

// complete adds what the archive knows and the reading does not show: older weeks, diesel prices and when each week was
// first seen. Then it says on which day each week ends.
func (s *Source) complete(ctx context.Context, a *contracts.SurchargeAnswer, shown surcharge.Reading, now time.Time) {
	known, err := s.archived(ctx)
	if err != nil {
		a.Complete = false
		a.EndBy(now.Add(contracts.WithoutArchiveTTL))
	}
	s.addDiesel(a, known)
	for _, seen := range addSightings(a.Weeks, known) {
		a.Evidence = withDocument(a.Evidence, seen)
	}
	a.Weeks = append(a.Weeks, olderWeeks(known, shown, contracts.Today(now), contracts.MaxWeeks-len(a.Weeks))...)
	if len(shown.Weeks) == 0 && len(a.Weeks) > 0 {
		if w := &a.Weeks[0]; a.InDoubt() {
			w.Clean = min(w.Clean, w.Required-1)
		}
		a.EvidenceURL, a.Evidence = a.Weeks[0].LastSeenURL, slices.Clone(a.Evidence)
		for i := range a.Evidence {
			a.Evidence[i].Role = contracts.RoleContext // only weeks to come stand there
		}
		a.Evidence = newPast(known, now).documents(a.Weeks[:1], a.Evidence)
	}
	later := []contracts.Date{shown.Unreadable}
	for _, w := range shown.Coming {
		later = append(later, w.EffectiveDate)
	}
	s.setEnds(a.Weeks, later...)
	for i := range a.Weeks {
		a.Weeks[i].Until = "" // only answers of past weeks say it
	}
}

// setDue says which week the carrier should show, and for how long its absence does not count. That is the newest one
// that is shown while its days last: a holiday may have moved its first day, or that of the coming one.
func (s *Source) setDue(a *contracts.SurchargeAnswer, coming []contracts.ObservedWeek, now time.Time) {
	newest, next := max(a.Weeks[0].EffectiveDate, a.Unreadable), contracts.Date("")
	if len(coming) > 0 {
		next = coming[0].EffectiveDate
	}
	a.Due = s.recipe.Publication.Due(now)
	if s.recipe.Publication.LastDay(newest, next) >= contracts.Today(now) {
		a.Due = newest
	}
	a.DueClean = newest >= a.Due || now.Before(s.recipe.Publication.CleanUntil(newest))
}

// addDiesel takes the prices that the path does not print from the archive, where the same week is known with the same
// percent.
func (s *Source) addDiesel(a *contracts.SurchargeAnswer, known []archive.Week) {
	lacks := func(w contracts.ObservedWeek) bool { return w.DieselUSD == nil }
	if !s.recipe.PrintsDiesel() || !slices.ContainsFunc(a.Weeks, lacks) {
		return
	}
	prices := map[contracts.Date]archive.Known{}
	for _, k := range known {
		if newest := k.Newest(); newest.DieselUSD != nil {
			prices[k.Date] = newest
		}
	}
	var added []archive.Known
	for i := range a.Weeks {
		w := &a.Weeks[i]
		k, ok := prices[w.EffectiveDate]
		if ok && w.DieselUSD == nil && archive.Same(k.SurchargeWeek, w.SurchargeWeek) {
			w.DieselUSD = k.DieselUSD
			added = append(added, k)
		}
	}
	if len(added) == 0 {
		return
	}
	seen := added[0].DieselSighting()
	a.Notes = append(a.Notes, contracts.Note{Code: contracts.NoteFromArchive, Message: fmt.Sprintf(
		"The page that was read shows no diesel prices. Those of %d weeks come from our archive; the newest of them "+
			"was last seen on %s at %s.",
		len(added), contracts.Today(seen.At), seen.EvidenceURL)})
	for _, k := range added {
		a.Evidence = withDocument(a.Evidence, k.DieselSighting())
	}
}

// withDocument names also the document of a sighting. The first one that an answer names is that of its newest week.
func withDocument(named []contracts.Evidence, seen archive.Sighting) []contracts.Evidence {
	e, isKept := seen.Document()
	isIt := func(other contracts.Evidence) bool { return other.SHA256 == e.SHA256 }
	if len(named) == 0 || !isKept || slices.ContainsFunc(named, isIt) {
		return named
	}
	return append(slices.Clip(named), e)
}

// archived lists all that the archive knows of the carrier, newest first.
func (s *Source) archived(ctx context.Context) ([]archive.Week, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	all, err := s.Archive.Weeks(ctx, s.recipe.Code)
	if err != nil {
		s.Log.WarnContext(ctx, "archive cannot be read", "carrier", s.recipe.Code, "error", err)
		s.Metrics.unread.WithLabelValues(string(s.recipe.Code)).Inc()
	}
	return all, err
}

// olderWeeks are the archived weeks that are older than all that the carrier shows, newest first, each with the day on
// which it was last seen, at most so many. A week between those that are shown is not served from the archive: the
// carrier took it back.
func olderWeeks(known []archive.Week, shown surcharge.Reading, today contracts.Date,
	most int) []contracts.ObservedWeek {
	oldest := oldestWeek(shown)
	var older []contracts.ObservedWeek
	for _, w := range known {
		if len(older) == most {
			break
		}
		if newest := w.Newest(); w.Date < oldest && w.Date <= today && !newest.Withdrawn {
			older = append(older, archivedWeek(w, newest))
		}
	}
	if len(shown.Weeks) == 0 && len(older) > 0 && oldest.DaysSince(older[0].EffectiveDate) > 7 {
		return nil // the week in force was never seen, and an older one must not pass for it
	}
	return older
}

// IsWhole tells whether all rows that are shown could be read.
func IsWhole(shown surcharge.Reading) bool {
	tally := shown.Tally()
	return !shown.Partial && tally.Clean == tally.Required
}

// oldestWeek is the first day of the oldest week that is shown; "" when none is.
func oldestWeek(shown surcharge.Reading) (first contracts.Date) {
	for w := range shown.All() {
		if first == "" || w.EffectiveDate < first {
			first = w.EffectiveDate
		}
	}
	return first
}
