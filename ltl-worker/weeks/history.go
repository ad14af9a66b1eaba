package weeks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
)

// historyTTL is how long an answer of past weeks may be served. A reading may revise a week at any time, and the
// archive answers from memory: a copy only serves many that ask at once.
const historyTTL = 5 * time.Second

// History answers for past weeks. Where the days include the current week, read gives what the source shows, and the
// archive adds to it. Otherwise the answer is the archive's alone.
func (s *Source) History(
	ctx context.Context, req contracts.HistoryRequest, read func(ctx context.Context,
		fresh bool) (contracts.SurchargeAnswer, error),
) (contracts.HistoryAnswer, error) {
	now := s.Clock()
	due := s.recipe.Publication.Due(now)
	a := contracts.HistoryAnswer{From: req.From, To: req.To, CurrentFrom: due,
		CurrentUntil: s.recipe.Publication.LastDay(due, "")}
	a.IncludesCurrent = req.KnownAt == nil && req.To >= a.CurrentFrom
	a.SurchargeAnswer = s.pastAnswer(now)
	if a.IncludesCurrent {
		current, err := read(ctx, req.Fresh)
		if err != nil {
			return contracts.HistoryAnswer{}, err
		}
		a.SurchargeAnswer = current
	}
	archived, err := s.archived(ctx)
	if err != nil {
		return contracts.HistoryAnswer{}, contracts.Wrap(err, contracts.SourceUnavailable,
			"the archive of %s cannot be read; retry later", s.recipe.Code).After(contracts.WithoutArchiveTTL)
	}
	moment := now
	if req.KnownAt != nil {
		moment = req.KnownAt.Add(time.Second - time.Nanosecond) // sightings are to the second
	}
	p := newPast(archived, moment)
	if a.IncludesCurrent {
		p.include(a.SurchargeAnswer)
	}
	all := p.sorted(req.Announced)
	s.setEnds(all, p.laterThan(all, a.Unreadable)...)
	if err := checkAnnounced(req, all, p.today); err != nil {
		return contracts.HistoryAnswer{}, err
	}
	s.choose(&a, all, p)
	if !req.Announced && len(a.Weeks) == 0 {
		coming := p.sorted(true) // newest first
		s.setEnds(coming)
		for _, w := range coming {
			if w.Announced && w.EffectiveDate <= a.To && w.Until >= a.From {
				a.NotBegun = w.EffectiveDate
			}
		}
	}
	a.EndBy(now.Add(historyTTL))
	return a, nil
}

// pastAnswer is an answer of the archive's alone, without weeks.
func (s *Source) pastAnswer(now time.Time) contracts.SurchargeAnswer {
	return contracts.SurchargeAnswer{
		Provenance: contracts.Provenance{
			Schema: contracts.AnswerSchema, ReadAt: now.UTC(), ExpiresAt: now.Add(historyTTL).UTC(),
			Method: s.recipe.Ways()[0].Method(), Complete: true,
		},
		Carrier: s.recipe.Code, PrintsDiesel: s.recipe.PrintsDiesel(),
	}
}

// past is what was known of a carrier's weeks at a moment.
type past struct {
	today contracts.Date
	weeks map[contracts.Date]contracts.ObservedWeek
	seen  map[contracts.Date]archive.Known
}

func newPast(archived []archive.Week, moment time.Time) *past {
	p := &past{
		today: contracts.Today(moment), weeks: make(map[contracts.Date]contracts.ObservedWeek, len(archived)),
		seen: make(map[contracts.Date]archive.Known, len(archived)),
	}
	for _, w := range archived {
		if known, ok := w.At(moment); ok && !known.Withdrawn {
			p.weeks[w.Date], p.seen[w.Date] = archivedWeek(w, known), known
		}
	}
	return p
}

// archivedWeek is a week as it was known, with its sightings.
func archivedWeek(w archive.Week, known archive.Known) contracts.ObservedWeek {
	week := known.ObservedWeek
	week.FirstSeen, week.Revised = w.FirstSeen(), w.RevisedAt(known)
	week.EvidenceSHA256, week.LastSeenURL = known.Sighting.EvidenceSHA256, known.Sighting.EvidenceURL
	week.Archived = &contracts.Sighting{At: known.Sighting.At, EvidenceURL: known.Sighting.EvidenceURL,
		Imported: known.Imported}
	return week
}

// addSightings says of the weeks that the source shows when they were first seen. It gives where the truckload percents
// were seen that it adds.
func addSightings(shown []contracts.ObservedWeek, archived []archive.Week) (added []archive.Sighting) {
	for i := range shown {
		w := &shown[i]
		at := slices.IndexFunc(archived, func(known archive.Week) bool { return known.Date == w.EffectiveDate })
		if at < 0 {
			continue
		}
		newest := archived[at].Newest()
		w.FirstSeen, w.Revised = archived[at].FirstSeen(), archived[at].RevisedAt(newest)
		if w.TruckloadPercent == nil && archive.Same(newest.SurchargeWeek, w.SurchargeWeek) {
			if w.TruckloadPercent = newest.TruckloadPercent; w.TruckloadPercent != nil {
				added = append(added, newest.DieselSighting())
			}
		}
	}
	return added
}

// include puts what the source shows in the place of what the archive knows. A week between those that are listed was
// taken back or cannot be read, as the one that is named unreadable.
func (p *past) include(current contracts.SurchargeAnswer) {
	for _, w := range current.Weeks {
		w.EndDate = p.weeks[w.EffectiveDate].EndDate // computed anew, unless the source prints one
		p.weeks[w.EffectiveDate] = w
	}
	delete(p.weeks, current.Unreadable)
	newest, oldest := current.Weeks[0].EffectiveDate, current.Weeks[len(current.Weeks)-1].EffectiveDate
	for date, w := range p.weeks {
		switch {
		case date < current.ShownFrom, w.Archived == nil, w.Archived.Imported != "":
		case oldest < date && date < newest:
			delete(p.weeks, date)
		case date < oldest, date > p.today:
			w.Archived = nil // the source still shows it
			p.weeks[date] = w
		}
	}
}

// sorted are the weeks that had begun, and with announced those to come, newest first.
func (p *past) sorted(announced bool) []contracts.ObservedWeek {
	all := make([]contracts.ObservedWeek, 0, len(p.weeks))
	for date, w := range p.weeks {
		if w.Announced = date > p.today; !w.Announced || announced {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b contracts.ObservedWeek) int { return cmp.Compare(b.EffectiveDate, a.EffectiveDate) })
	return all
}

// laterThan are the first days of weeks that end the weeks before them, although they are not among those listed: weeks
// to come, and one that cannot be read.
func (p *past) laterThan(listed []contracts.ObservedWeek, unreadable contracts.Date) []contracts.Date {
	later := []contracts.Date{unreadable}
	if len(listed) == len(p.weeks) {
		return later
	}
	for date := range p.weeks {
		if date > p.today { // only weeks to come are left out
			later = append(later, date)
		}
	}
	return later
}

// setEnds says of weeks, newest first, on which day each ends and until when it can be taken. starts are the first days
// of further weeks. An end that the source prints stays.
func (s *Source) setEnds(weeks []contracts.ObservedWeek, starts ...contracts.Date) {
	for _, w := range weeks {
		starts = append(starts, w.EffectiveDate)
	}
	slices.Sort(starts)
	for i := range weeks {
		w := &weeks[i]
		var next contracts.Date
		if at, _ := slices.BinarySearch(starts, w.EffectiveDate.AddDays(1)); at < len(starts) {
			next = starts[at]
		}
		if next != "" && w.EndDate >= next {
			w.EndDate = "" // some carriers print the first day of the next week
		}
		w.Until = cmp.Or(w.EndDate, s.recipe.Publication.LastDay(w.EffectiveDate, next))
		if next != "" {
			w.EndDate = w.Until
		}
	}
}

// checkAnnounced refuses days after the last one that is announced.
func checkAnnounced(req contracts.HistoryRequest, all []contracts.ObservedWeek, today contracts.Date) error {
	last := today
	if req.KnownAt != nil {
		last = req.To // days that were to come at that moment have no week, which is said otherwise
	}
	if len(all) > 0 {
		last = max(last, all[0].Until)
	}
	if req.To <= last {
		return nil
	}
	return contracts.Invalid("query", "to", "date_future", "%s has not announced any day after %s", req.Carrier, last)
}

// choose takes the weeks that touch the days that were asked for.
func (s *Source) choose(a *contracts.HistoryAnswer, all []contracts.ObservedWeek, p *past) {
	a.Weeks = nil
	for _, w := range all {
		switch {
		case w.EffectiveDate > a.To:
			a.After = w.EffectiveDate
		case w.Until < a.From:
			a.Before = max(a.Before, w.EffectiveDate)
		default:
			a.Weeks = append(a.Weeks, w)
		}
	}
	if !a.IncludesCurrent && len(a.Weeks) > 0 {
		s.setPastSource(a, p)
	}
	a.Evidence = p.documents(a.Weeks, a.Evidence)
}

// documents are those that are named already and those in which the archive saw the weeks, each once. The first one is
// that of the newest week; where it is not known, none is named.
func (p *past) documents(weeks []contracts.ObservedWeek, named []contracts.Evidence) []contracts.Evidence {
	all := slices.Clone(named)
	for i, w := range weeks {
		e, isKept := p.seen[w.EffectiveDate].Sighting.Document()
		isOfWeek := isKept && w.EvidenceSHA256 != nil && *w.EvidenceSHA256 == e.SHA256
		if i == 0 && len(named) == 0 && !isOfWeek {
			return nil
		}
		isSame := func(other contracts.Evidence) bool { return other.SHA256 == e.SHA256 }
		switch {
		case isOfWeek && i == 0:
			all = slices.Insert(slices.DeleteFunc(all, isSame), 0, e)
		case isOfWeek && !slices.ContainsFunc(all, isSame):
			all = append(all, e)
		}
		if seen := p.seen[w.EffectiveDate].DieselSeen; isOfWeek && seen != nil {
			all = withDocument(all, *seen)
		}
	}
	return all
}

// setPastSource says of an answer of the archive's alone where its newest week was last seen.
func (s *Source) setPastSource(a *contracts.HistoryAnswer, p *past) {
	newest := p.seen[a.Weeks[0].EffectiveDate]
	at := newest.Sighting
	a.ReadAt, a.Method, a.EvidenceURL = at.At, at.Method, at.EvidenceURL
	if newest.Imported == "" {
		a.Notes = append(evidenceNotes(s.recipe, carrier.Way(at.Path), at.EvidenceURL), contracts.Note{
			Code: contracts.NoteFromArchive, Message: fmt.Sprintf("This comes from our archive. The week that begins %s "+
				"was last seen on %s at %s.",
				a.Weeks[0].EffectiveDate, contracts.Today(at.At), at.EvidenceURL),
		})
	}
	for i := range a.Weeks {
		if a.Weeks[i].Archived != nil && a.Weeks[i].Archived.Imported == "" {
			a.Weeks[i].Archived = nil // whether the source still shows it is not known here
		}
	}
}
