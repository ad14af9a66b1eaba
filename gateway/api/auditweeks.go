package api

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/audit"
	"assay.dev/platform/telemetry"
)

// archives reads what is known of carriers on some days. A carrier that cannot be read is an archive that says so; the
// error is for none that can.
func (a *API) archives(
	ctx context.Context, env contracts.Environment, needed map[contracts.Carrier]daySpan, today contracts.Date,
) (map[contracts.Carrier]audit.Archive, error) {
	ctx, span := telemetry.StartSpan(ctx, "assay.dev/gateway/api", "audit.weeks")
	defer span.End()
	read := map[contracts.Carrier]audit.Archive{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	var failed []error
	for carrier, days := range needed {
		asking.Go(func() {
			w := carrierWeeks{API: a, environment: env, carrier: carrier, today: today}
			weeks, err := w.readWeeks(ctx, days)
			mu.Lock()
			defer mu.Unlock()
			known := audit.NewArchive(weeks)
			if err != nil {
				failed = append(failed, err)
				w.unreadFrom = new(contracts.Date(""))
			}
			if w.unreadFrom != nil {
				known.Failure = fmt.Sprintf("the weeks of %s cannot be read just now; send this line again later", carrier)
				known.UnreadFrom = *w.unreadFrom
			}
			read[carrier] = known
		})
	}
	asking.Wait()
	if len(failed) > 0 && len(failed) == len(needed) {
		return nil, failed[0]
	}
	return read, nil
}

// daySpan are the days from the first to the last.
type daySpan struct{ first, last contracts.Date }

// shipDays are the days of shipment of each carrier, without those that lie ahead.
func shipDays(lines []audit.Line, today contracts.Date) map[contracts.Carrier]daySpan {
	all := map[contracts.Carrier]daySpan{}
	for _, l := range lines {
		if !l.Known || len(l.Errors) > 0 || l.ShipDate > today {
			continue
		}
		c := contracts.Carrier(l.Carrier)
		s, ok := all[c]
		if !ok {
			s = daySpan{l.ShipDate, l.ShipDate}
		}
		all[c] = daySpan{min(s.first, l.ShipDate), max(s.last, l.ShipDate)}
	}
	return all
}

const (
	// neighbour is how far from a day the first or last day of the week before or after it may be.
	neighbour = 16
	// maxRequests bounds the requests to a worker for one carrier. Each request gives at least one more week, and 160
	// weeks where the archive has no gaps.
	maxRequests = 12
	// sourceTime is how long the carrier's source may take before the archive alone is asked.
	sourceTime = 15 * time.Second
)

// carrierWeeks are the weeks of a carrier as workers know them.
type carrierWeeks struct {
	*API
	environment contracts.Environment
	carrier     contracts.Carrier
	today       contracts.Date
	// unreadFrom is the first day of the current week, where that could not be read at the source; else nil.
	unreadFrom *contracts.Date
}

// readWeeks reads all weeks that hold some days, and their neighbours, from the last day backwards.
func (w *carrierWeeks) readWeeks(ctx context.Context, days daySpan) ([]audit.Week, error) {
	ctx, cancel := context.WithTimeout(ctx, FastMaxTime)
	defer cancel()
	weeks, to, err := w.current(ctx, days)
	first := max(days.first.AddDays(-neighbour), audit.FirstDay)
	for range maxRequests {
		if err != nil {
			return nil, err
		}
		from := max(first, to.AddDays(1-7*contracts.MaxHistoryWeeks))
		var answer contracts.HistoryAnswer
		answer, err = w.ask(ctx, from, to)
		weeks = appendWeeks(weeks, answer)
		if err == nil && (from == first || answer.Before == "" || answer.Before.AddDays(neighbour) < first) {
			return weeks, nil
		}
		to = min(from.AddDays(-1), answer.Before.AddDays(neighbour))
	}
	return nil, contracts.Errorf(contracts.SourceUnavailable, "the archive of %s has too many gaps for one "+
		"audit; send fewer years at once", w.carrier)
}

// current are the week in force and the first that is to come, where the days reach up to now: they may be neighbours.
// Those of the days up to to are past, which the archive alone tells: how the source is read now does not change them.
func (w *carrierWeeks) current(ctx context.Context, days daySpan) (weeks []audit.Week, to contracts.Date, err error) {
	if to = days.last.AddDays(neighbour); to.AddDays(8) < w.today { // no week is longer
		return nil, to, nil
	}
	now, err := w.ask(ctx, w.today, w.today)
	if err != nil {
		return nil, "", err
	}
	if now.After != "" {
		next, err := w.ask(ctx, now.After, now.After)
		if err != nil {
			return nil, "", err
		}
		weeks = appendWeeks(weeks, next)
	}
	return appendWeeks(weeks, now), now.CurrentFrom.AddDays(-1), nil
}

// ask asks a worker for the weeks that touch some days. Where it cannot read the carrier's source, the archive alone
// has to do for past weeks: it holds each week as it was last seen.
func (w *carrierWeeks) ask(ctx context.Context, from, to contracts.Date) (contracts.HistoryAnswer, error) {
	q := contracts.HistoryRequest{Carrier: w.carrier, From: from, To: to, Announced: true}
	subject := contracts.HistorySubject(w.environment, w.carrier)
	answer, err := answers.Ask[contracts.HistoryAnswer](ctx, w.Answers, subject, q, sourceTime)
	if err != nil && ctx.Err() == nil {
		q.KnownAt = new(time.Now())
		answer, err = answers.Ask[contracts.HistoryAnswer](ctx, w.Answers, subject, q, FastMaxTime)
		if to >= answer.CurrentFrom {
			w.unreadFrom = &answer.CurrentFrom
		}
	}
	if err == nil && !answer.OfThisVersion() {
		err = contracts.Errorf(contracts.SourceUnavailable, "the service is being updated; retry in a moment")
	}
	return answer, err
}

// appendWeeks appends the weeks of an answer, newest first. A week that stands at the edge of two answers is in both.
func appendWeeks(weeks []audit.Week, answer contracts.HistoryAnswer) []audit.Week {
	for _, w := range answer.Weeks {
		if n := len(weeks); n > 0 && weeks[n-1].Start <= w.EffectiveDate {
			continue
		}
		weeks = append(weeks, auditWeek(answer, w))
	}
	return weeks
}

// auditWeek is a week as the audit has it. Its end is the last day for which it can be taken.
func auditWeek(answer contracts.HistoryAnswer, observed contracts.ObservedWeek) audit.Week {
	week := audit.Week{
		Start: observed.EffectiveDate, End: observed.Until, IsOpen: observed.EndDate == "",
		LTL:        audit.PublishedPoints(observed.Percent),
		Confidence: observed.Confidence(), EvidenceURL: cmp.Or(observed.LastSeenURL, answer.EvidenceURL),
	}
	if observed.Archived != nil && observed.Archived.Imported != "" { // no page that we saw has it
		week.Imported, week.EvidenceURL = observed.Archived.Imported, ""
	}
	if i := slices.IndexFunc(answer.Notes, func(n contracts.Note) bool { return n.Code.IsDoubt() }); i >= 0 {
		week.Doubt = answer.Notes[i].Code
	}
	week.Read = func() contracts.Surcharge { return answer.Alone(observed) }
	if observed.Revised != nil {
		week.Revised = contracts.Today(*observed.Revised)
	}
	if observed.TruckloadPercent != nil {
		week.Truckload = new(audit.PublishedPoints(*observed.TruckloadPercent))
	}
	return week
}
