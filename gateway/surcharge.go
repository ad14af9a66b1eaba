package gateway

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// surchargeQuestion asks for the weeks of one carrier.
type surchargeQuestion struct {
	env     contracts.Environment
	carrier contracts.Carrier
	weeks   int
}

func (q surchargeQuestion) Key() contracts.CacheKey { return contracts.SurchargeKey(q.env, q.carrier) }
func (q surchargeQuestion) View() int               { return q.weeks }
func (q surchargeQuestion) Subject() contracts.Subject {
	return contracts.SurchargeSubject(q.env, q.carrier)
}
func (q surchargeQuestion) Request() any           { return contracts.SurchargeRequest{Carrier: q.carrier} }
func (q surchargeQuestion) MaxTime() time.Duration { return fastMaxTime }
func (q surchargeQuestion) Body(a contracts.SurchargeAnswer) (contracts.Provenance, any, error) {
	return a.Provenance, a.Body(q.weeks), nil
}

// surcharge answers for one carrier with its body, for several with all of them (contract §4.2).
func surcharge(g *gateway, e *exchange) (reply, error) {
	p := e.parameters()
	weeks := p.weeks()
	carriers, unknown := p.carriers()
	if err := p.err(unknown); err != nil {
		return reply{}, err
	}
	if len(carriers) == 1 {
		return found(answers.Get[contracts.SurchargeAnswer](e.ctx, g.answers, surchargeQuestion{e.caller.Environment, carriers[0], weeks}))
	}
	return g.surcharges(e, carriers, weeks)
}

// carriers are the codes, repeated or separated by commas, in their order without duplicates; all without any. The error
// is NOT_FOUND and names the first unknown one.
func (p *parameters) carriers() (codes []contracts.Carrier, unknown error) {
	given := false
	for _, g := range p.given {
		if g.name != "carriers" {
			continue
		}
		given = true
		for code := range strings.SplitSeq(g.value, ",") {
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
	if !given {
		return contracts.Carriers, nil
	}
	return codes, unknown
}

func (p *parameters) weeks() int {
	text, given := p.one("weeks")
	if !given {
		return contracts.DefaultWeeks
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && text != "" && strings.Trim(text, "0123456789") == "", err == nil && n > contracts.MaxWeeks:
		p.violate("query", "weeks", "less_than_equal", "at most 26 weeks can be asked for")
	case err != nil || text[0] == '+':
		p.violate("query", "weeks", "int_parsing", "this is not a whole number")
	case n < contracts.MinWeeks:
		p.violate("query", "weeks", "greater_than_equal", "at least 1 week must be asked for")
	}
	return n
}

// surcharges asks for all carriers at once. It fails only when none answers.
func (g *gateway) surcharges(e *exchange, carriers []contracts.Carrier, weeks int) (reply, error) {
	all := make([]answers.Found, len(carriers))
	failed := make([]error, len(carriers))
	var asking sync.WaitGroup
	for i, c := range carriers {
		asking.Go(func() {
			all[i], failed[i] = answers.Get[contracts.SurchargeAnswer](e.ctx, g.answers, surchargeQuestion{e.caller.Environment, c, weeks})
		})
	}
	asking.Wait()
	return joinSurcharges(carriers, all, failed)
}

func joinSurcharges(carriers []contracts.Carrier, all []answers.Found, failed []error) (reply, error) {
	r := reply{tier: answers.Local, collapsed: true}
	body := []byte(`{"results":[`)
	failures := []contracts.CarrierFailure{}
	var soonest *contracts.Error
	for i, c := range carriers {
		if failed[i] != nil {
			public := publicError(failed[i])
			failures = append(failures, contracts.CarrierFailure{Carrier: c, Error: public.Code, Message: public.Message})
			if soonest == nil || public.RetryAfter < soonest.RetryAfter {
				soonest = public
			}
			continue
		}
		if len(failures) < i {
			body = append(body, ',')
		}
		body = append(body, all[i].Body...)
		r.include(all[i])
	}
	if len(failures) == len(carriers) {
		return reply{}, noneAnswered(failures, soonest)
	}
	rest, err := answers.Marshal(failures)
	if err != nil {
		return reply{}, err
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
func accessorials(_ *gateway, e *exchange) (reply, error) {
	p := e.parameters()
	var err error
	if code := p.text("carrier"); code != "" {
		_, err = contracts.ParseCarrier(code)
	}
	if err := p.err(err); err != nil {
		return reply{}, err
	}
	return reply{}, contracts.Errorf(contracts.ComingSoon, "accessorial fee schedules are not available yet")
}
