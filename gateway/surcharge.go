package gateway

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// surchargeQuery is what a caller asks of the fuel surcharge (contract §4.2).
type surchargeQuery struct {
	carriers []contracts.Carrier
	weeks    int
}

func parseSurcharge(e *exchange) (surchargeQuery, error) {
	p := e.parameters()
	q := surchargeQuery{weeks: p.weeks()}
	var unknown error
	q.carriers, unknown = p.carriers()
	return q, p.err(unknown)
}

// carriers are the codes, repeated or separated by commas, in their order without duplicates; all without any. The error
// is NOT_FOUND and names the first unknown one.
func (p *parameters) carriers() (codes []contracts.Carrier, unknown error) {
	if p.query["carriers"] == nil {
		return contracts.Carriers, nil
	}
	for _, value := range p.query["carriers"] {
		for code := range strings.SplitSeq(value, ",") {
			if code = strings.TrimSpace(code); code == "" {
				p.violate("query", "carriers", "string_too_short", "a carrier code is missing")
				return nil, nil
			}
			c, err := contracts.ParseCarrier(code)
			if err != nil {
				unknown = cmp.Or(unknown, err)
			} else if !slices.Contains(codes, c) {
				codes = append(codes, c)
			}
		}
	}
	return codes, unknown
}

func (p *parameters) weeks() int {
	if p.query["weeks"] == nil {
		return contracts.DefaultWeeks
	}
	text := p.one("weeks")
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && strings.Trim(text, "0123456789") == "" && text != "", err == nil && n > contracts.MaxWeeks:
		p.violate("query", "weeks", "less_than_equal", "at most 26 weeks can be asked for")
	case err != nil || text[0] == '+':
		p.violate("query", "weeks", "int_parsing", "this is not a whole number")
	case n < contracts.MinWeeks:
		p.violate("query", "weeks", "greater_than_equal", "at least 1 week must be asked for")
	}
	return n
}

// surcharge answers for one carrier with its body, for several with all of them.
func surcharge(g *gateway, e *exchange) (*reply, error) {
	q, err := parseSurcharge(e)
	if err != nil {
		return nil, err
	}
	if len(q.carriers) == 1 {
		f, err := g.surcharge(e, q.carriers[0], q.weeks)
		if err != nil {
			return nil, err
		}
		return dataReply(f), nil
	}
	return g.surcharges(e, q)
}

func (g *gateway) surcharge(e *exchange, c contracts.Carrier, weeks int) (answers.Found, error) {
	env := e.caller.Environment
	return answers.Get(e.ctx, g.answers, answers.Question[contracts.SurchargeAnswer]{
		Key: contracts.SurchargeKey(env, c), View: strconv.Itoa(weeks), MaxTime: fastMaxTime,
		Subject: contracts.SurchargeSubject(env, c), Request: contracts.SurchargeRequest{Carrier: c},
		Body: func(a contracts.SurchargeAnswer) (contracts.Provenance, any, error) {
			return a.Provenance, a.Body(weeks), nil
		},
	})
}

// surcharges asks for all carriers at once. It fails only when none answers.
func (g *gateway) surcharges(e *exchange, q surchargeQuery) (*reply, error) {
	found := make([]answers.Found, len(q.carriers))
	failed := make([]error, len(q.carriers))
	var asking sync.WaitGroup
	for i, c := range q.carriers {
		asking.Go(func() { found[i], failed[i] = g.surcharge(e, c, q.weeks) })
	}
	asking.Wait()
	return joinSurcharges(q.carriers, found, failed)
}

func joinSurcharges(carriers []contracts.Carrier, found []answers.Found, failed []error) (*reply, error) {
	r := &reply{tier: answers.Local, collapsed: true}
	body := []byte(`{"results":[`)
	failures := []contracts.CarrierFailure{}
	var soonest *contracts.Error
	answered := 0
	for i, c := range carriers {
		if failed[i] != nil {
			public := publicError(failed[i])
			failures = append(failures, contracts.CarrierFailure{Carrier: c, Error: public.Code, Message: public.Message})
			if soonest == nil || public.RetryAfter < soonest.RetryAfter {
				soonest = public
			}
			continue
		}
		if answered > 0 {
			body = append(body, ',')
		}
		answered++
		body = append(body, found[i].Body...)
		r.include(found[i])
	}
	if answered == 0 {
		return nil, noneAnswered(failures, soonest)
	}
	rest, err := answers.Marshal(failures)
	if err != nil {
		return nil, err
	}
	r.body = append(append(append(body, `],"errors":`...), rest...), '}')
	r.etag, r.partial = answers.ETag(r.body), len(failures) > 0
	return r, nil
}

// include makes r as old, as far away and as soon to end as f is.
func (r *reply) include(f answers.Found) {
	if r.readAt.IsZero() || f.ReadAt.Before(r.readAt) {
		r.readAt = f.ReadAt
	}
	if r.expiresAt.IsZero() || f.ExpiresAt.Before(r.expiresAt) {
		r.expiresAt = f.ExpiresAt
	}
	if f.Tier == answers.Worker || r.tier == answers.Local {
		r.tier = f.Tier
	}
	r.collapsed = r.collapsed && (f.Collapsed || f.Tier != answers.Worker)
}

// noneAnswered has both the form of an error and that of an answer without results.
func noneAnswered(failures []contracts.CarrierFailure, soonest *contracts.Error) error {
	return &bodyError{
		cause: contracts.Errorf(contracts.SourceUnavailable, "none of the %d carriers could be read; retry later", len(failures)).After(soonest.RetryAfter),
		body: func(public *contracts.Error) any {
			return struct {
				codedBody
				contracts.Surcharges
			}{codedBody{codedDetail{public.Code, public.Message}}, contracts.Surcharges{Results: []contracts.Surcharge{}, Errors: failures}}
		},
	}
}

// accessorials are announced and not there yet (contract §4.4).
func accessorials(_ *gateway, e *exchange) (*reply, error) {
	p := e.parameters()
	var err error
	if code := p.one("carrier"); code != "" {
		_, err = contracts.ParseCarrier(code)
	}
	if err := p.err(err); err != nil {
		return nil, err
	}
	return nil, contracts.Errorf(contracts.ComingSoon, "accessorial fee schedules are not available yet")
}
