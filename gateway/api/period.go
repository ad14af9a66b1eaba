package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// period are the days that a request asks for, and as of when.
type period struct {
	from, to  contracts.Date
	knownAt   *time.Time
	announced bool
}

// periodOf is the period of a request that was checked; false when it asks for the newest weeks.
func periodOf(r *Request) (period, bool) {
	p := period{from: surchargeFrom.of(r), to: surchargeTo.of(r), knownAt: surchargeKnownAt.of(r),
		announced: surchargeAnnounced.of(r)}
	if day := surchargeAsOf.of(r); day != "" {
		p.from, p.to = day, day
	}
	return p, p.from != ""
}

// checkPeriod reports what is wrong with the days of a request, and with forms of asking that exclude each other.
func checkPeriod(r *Request) {
	checkForms(r)
	checkRange(r)
	if !surchargeAnnounced.of(r) {
		for _, day := range []Param[contracts.Date]{surchargeAsOf, surchargeTo} {
			d := day.of(r)
			if d == "" {
				continue // most requests ask for no day
			}
			if today := contracts.Today(time.Now()); d > today {
				r.violate(inQuery, day.Name, "date_future", fmt.Sprintf("this day is to come: today is %s in New York; "+
					"announced=true asks for weeks to come", today))
			}
		}
	}
	if at := surchargeKnownAt.of(r); at != nil && at.After(time.Now()) {
		r.violate(inQuery, surchargeKnownAt.Name, "date_future", "this moment is to come; a date "+
			"stands for its end in New York")
	}
}

// checkForms wants one of weeks, as_of, and from with to.
func checkForms(r *Request) {
	asOf, from, to := surchargeAsOf.isGiven(r), surchargeFrom.isGiven(r), surchargeTo.isGiven(r)
	if surchargeWeeks.isGiven(r) && (asOf || from || to) {
		r.violate(inQuery, surchargeWeeks.Name, "forms_mixed", "weeks asks for the newest weeks: leave it out where as_of, "+
			"or from and to, name days")
	}
	if asOf && (from || to) {
		r.violate(inQuery, surchargeAsOf.Name, "forms_mixed", "as_of asks for one day: leave it out "+
			"where from and to name a range")
	}
	if from != to && !asOf {
		missing := surchargeFrom.Name
		if from {
			missing = surchargeTo.Name
		}
		r.violate(inQuery, missing, "missing", "from and to are needed together")
	}
	if asOf || from || to {
		return
	}
	if surchargeKnownAt.isGiven(r) {
		r.violate(inQuery, surchargeKnownAt.Name, "forms_mixed", "known_at goes with as_of, or with from and to")
	}
	if surchargeAnnounced.of(r) {
		r.violate(inQuery, surchargeAnnounced.Name, "forms_mixed", "announced goes with as_of, or with from and to")
	}
}

func checkRange(r *Request) {
	from, to := surchargeFrom.of(r), surchargeTo.of(r)
	if from == "" || to == "" {
		return
	}
	q := contracts.HistoryRequest{Carrier: contracts.ODFL, From: from, To: to}
	if err := q.Validate(); err != nil {
		r.report(err)
	}
}

// askPeriod asks for the weeks of a carrier that touch a period.
func (a *API) askPeriod(r *Request, p period) askCarrier {
	env, fresh, id := r.Environment, r.Fresh, r.ID
	isDay := surchargeAsOf.isGiven(r)
	return func(ctx context.Context, c contracts.Carrier) (answers.Found, error) {
		q := contracts.HistoryRequest{Carrier: c, From: p.from, To: p.to, KnownAt: p.knownAt,
			Announced: p.announced, Fresh: fresh}
		found, err := answers.Get(ctx, a.Answers, answers.Question[contracts.HistoryAnswer]{
			Key: contracts.HistoryKey(env, q), Fresh: fresh, RequestID: id,
			Subject: contracts.HistorySubject(env, c), Request: q,
			MaxTime: FastMaxTime, Body: historyBody,
		})
		if isDay {
			err = ofDay(err)
		}
		return found, err
	}
}

func historyBody(a contracts.HistoryAnswer, _ answers.View) (contracts.Provenance, any, error) {
	body, err := a.Body()
	return a.Provenance, body, err
}

// ofDay names the parameter as_of in a violation where a worker names the range that it was asked for.
func ofDay(err error) error {
	var e *contracts.Error
	if !errors.As(err, &e) || e.Code != contracts.InvalidRequest {
		return err
	}
	named := *e
	named.Violations = slices.Clone(e.Violations)
	for i := range named.Violations {
		named.Violations[i].Loc = []string{inQuery, surchargeAsOf.Name}
	}
	return &named
}
