package api

import (
	"context"
	"sync"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// surcharges asks for all carriers at once. It fails only when none answers.
func (a *API) surcharges(
	ctx context.Context, r *Request, carriers []contracts.Carrier, weeks int,
) (Reply, error) {
	all := make([]answers.Found, len(carriers))
	failed := make([]error, len(carriers))
	var asking sync.WaitGroup
	for i, c := range carriers {
		asking.Go(func() {
			all[i], failed[i] = answers.Get(ctx, a.Answers, surchargeQuestion(r, c, weeks))
		})
	}
	asking.Wait()
	return joinSurcharges(carriers, all, failed)
}

func joinSurcharges(carriers []contracts.Carrier, all []answers.Found, failed []error) (Reply, error) {
	r := Reply{Tier: answers.Local, Collapsed: true}
	body := []byte(`{"results":[`)
	failures := []contracts.CarrierFailure{}
	var soonest *contracts.Error
	for i, c := range carriers {
		if failed[i] != nil {
			public := PublicError(failed[i])
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
		return Reply{}, noneAnswered(failures, soonest)
	}
	rest, err := answers.Marshal(failures)
	if err != nil {
		return Reply{}, err
	}
	r.Body = append(append(append(body, `],"errors":`...), rest...), '}')
	r.ETag, r.Partial = answers.ETag(r.Body), len(failures) > 0
	return r, nil
}

// include adds one carrier's answer to the reply: the reply's data is as old as its oldest answer, ends with the
// first one that ends, and came from as far as the farthest one.
func (r *Reply) include(f answers.Found) {
	if r.ReadAt.IsZero() || f.ReadAt.Before(r.ReadAt) {
		r.ReadAt = f.ReadAt
	}
	if r.ExpiresAt.IsZero() || f.ExpiresAt.Before(r.ExpiresAt) {
		r.ExpiresAt = f.ExpiresAt
	}
	if f.Tier == answers.Worker || r.Tier == answers.Local {
		r.Tier = f.Tier
	}
	r.RefreshFailed = r.RefreshFailed || f.RefreshFailed
	r.Collapsed = r.Collapsed && (f.Collapsed || f.Tier != answers.Worker)
}

// noneAnswered is the error when no carrier can be read. Its body has both the form of an error and that of an answer
// without results.
func noneAnswered(failures []contracts.CarrierFailure, soonest *contracts.Error) error {
	return &bodyError{
		cause: contracts.Errorf(contracts.SourceUnavailable, "none of the %d carriers could be read; retry later", len(failures)).
			After(soonest.RetryAfter),
		body: func(e Error) any {
			return struct {
				Error
				contracts.Surcharges
			}{e, contracts.Surcharges{Results: []contracts.Surcharge{}, Errors: failures}}
		},
	}
}
