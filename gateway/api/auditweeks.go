package api

import (
	"context"
	"fmt"
	"sync"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/audit"
	"assay.dev/platform/telemetry"
)

// archives reads what is known of the lines' carriers. A carrier that cannot be read is an archive that says so; the error is
// for none that can.
func (a *API) archives(
	ctx context.Context, env contracts.Environment, lines []audit.Line, today contracts.Date,
) (map[contracts.Carrier]audit.Archive, error) {
	ctx, span := telemetry.StartSpan(ctx, "assay.dev/gateway/api", "audit.weeks")
	defer span.End()
	needed := shipDays(lines, today)
	read := map[contracts.Carrier]audit.Archive{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	var failed []error
	for carrier, days := range needed {
		asking.Go(func() {
			weeks, err := a.weeksOf(ctx, env, carrier, days)
			mu.Lock()
			defer mu.Unlock()
			read[carrier] = audit.NewArchive(weeks)
			if err != nil {
				failed = append(failed, err)
				read[carrier] = audit.Archive{Failure: fmt.Sprintf("the weeks of %s cannot be read just now; send this line again later", carrier)}
			}
		})
	}
	asking.Wait()
	if len(failed) > 0 && len(failed) == len(needed) {
		return nil, failed[0]
	}
	return read, nil
}

// span are the days from the first to the last.
type span struct{ first, last contracts.Date }

// shipDays are the days of shipment of each carrier, without those that lie ahead.
func shipDays(lines []audit.Line, today contracts.Date) map[contracts.Carrier]span {
	all := map[contracts.Carrier]span{}
	for _, l := range lines {
		if !l.Known || len(l.Errors) > 0 || l.ShipDate > today {
			continue
		}
		c := contracts.Carrier(l.Carrier)
		s, ok := all[c]
		if !ok {
			s = span{l.ShipDate, l.ShipDate}
		}
		all[c] = span{min(s.first, l.ShipDate), max(s.last, l.ShipDate)}
	}
	return all
}

const (
	// neighbour is how far from a day the first or last day of the week before or after it may be.
	neighbour = 16
	// maxRequests bounds the requests to a worker for one carrier. Each request gives at least one more week, and 160 weeks
	// where the archive has no gaps.
	maxRequests = 12
)

// weeksOf reads all weeks of a carrier that hold some days, and their neighbours, from the last day backwards.
func (a *API) weeksOf(ctx context.Context, env contracts.Environment, c contracts.Carrier, days span) ([]audit.Week, error) {
	ctx, cancel := context.WithTimeout(ctx, FastMaxTime)
	defer cancel()
	var weeks []audit.Week
	first, to := max(days.first.AddDays(-neighbour), audit.FirstDay), days.last.AddDays(neighbour)
	for range maxRequests {
		from := max(first, to.AddDays(1-7*contracts.MaxHistoryWeeks))
		answer, err := answers.Ask[contracts.HistoryAnswer](ctx, a.Answers, contracts.HistorySubject(env, c),
			contracts.HistoryRequest{Carrier: c, From: from, To: to, Announced: true}, FastMaxTime)
		if err == nil && !answer.OfThisVersion() {
			err = contracts.Errorf(contracts.SourceUnavailable, "the service is being updated; retry in a moment")
		}
		if err != nil {
			return nil, err
		}
		weeks = appendWeeks(weeks, answer)
		if from == first || answer.Before == "" || answer.Before.AddDays(neighbour) < first {
			return weeks, nil
		}
		to = min(from.AddDays(-1), answer.Before.AddDays(neighbour))
	}
	return nil, contracts.Errorf(contracts.SourceUnavailable, "the archive of %s has too many gaps for one audit; send fewer years at once", c)
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
		Start: observed.EffectiveDate, End: observed.Until, IsOpen: observed.EndDate == "", LTL: audit.PublishedPoints(observed.Percent),
		Confidence: observed.Confidence(), EvidenceURL: answer.EvidenceURL,
	}
	if observed.Archived != nil {
		week.EvidenceURL = observed.Archived.EvidenceURL
	}
	if observed.TruckloadPercent != nil {
		truckload := audit.PublishedPoints(*observed.TruckloadPercent)
		week.Truckload = &truckload
	}
	return week
}
