package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/lines"
)

// askCarrier asks for the answer of one carrier.
type askCarrier func(context.Context, contracts.Carrier) (answers.Found, error)

// surcharges asks for all carriers at once. It fails only when none answers.
func surcharges(ctx context.Context, carriers []contracts.Carrier, ask askCarrier) (Reply, error) {
	all := make([]answers.Found, len(carriers))
	failed := make([]error, len(carriers))
	var asking sync.WaitGroup
	for i, c := range carriers {
		asking.Go(func() { all[i], failed[i] = ask(ctx, c) })
	}
	asking.Wait()
	return joinSurcharges(carriers, all, failed)
}

func joinSurcharges(carriers []contracts.Carrier, all []answers.Found, failed []error) (Reply, error) {
	r := Reply{Tier: answers.Local, Collapsed: true}
	body := []byte(`{"results":[`)
	failures := []contracts.CarrierFailure{}
	for i, c := range carriers {
		if failed[i] != nil {
			failures = append(failures, carrierFailure(c, failed[i]))
			continue
		}
		if len(failures) < i {
			body = append(body, ',')
		}
		body = append(body, all[i].Body...)
		r.include(all[i])
	}
	if len(failures) == len(carriers) {
		return Reply{}, noneAnswered(failures, failed)
	}
	rest, err := answers.Marshal(failures)
	if err != nil {
		return Reply{}, err
	}
	r.Body = append(append(append(body, `],"errors":`...), rest...), '}')
	r.ETag, r.Partial = answers.ETag(r.Body), len(failures) > 0
	return r, nil
}

// surchargeInWords says what the answer about one carrier claims, such as "4 weeks of ODFL; UNVERIFIED:
// extraction_confidence 0.66, WORDING_CHANGED, current true."
func surchargeInWords(body []byte) (string, error) {
	var s contracts.Surcharge
	err := json.Unmarshal(body, &s)
	current := "null"
	if c := s.Verifiability.Current; c != nil {
		current = strconv.FormatBool(*c)
	}
	return fmt.Sprintf("%s of %s; %s, current %s.", lines.Plural(len(s.Weeks), "week"), s.Carrier,
		claimInWords(s.Verifiability.Verifiability), current), err
}

// claimInWords says the confidence and the codes of the notes, and UNVERIFIED where the confidence is too low or one of
// the notes is a doubt.
func claimInWords(v contracts.Verifiability) string {
	words := fmt.Sprintf("extraction_confidence %v", v.ExtractionConfidence)
	doubt := v.ExtractionConfidence < contracts.MinConfidence
	for _, n := range v.Notes {
		words += ", " + string(n.Code)
		doubt = doubt || n.Code.IsDoubt()
	}
	if doubt {
		return "UNVERIFIED: " + words
	}
	return words
}

// carrierFailure is one carrier's failure among others. Days that lie beyond what it announced are weeks that it does
// not have.
func carrierFailure(c contracts.Carrier, err error) contracts.CarrierFailure {
	public := PublicError(err)
	code := public.Code
	if code == contracts.InvalidRequest {
		code = contracts.WeekNotArchived
	}
	return contracts.CarrierFailure{Carrier: c, Error: code, Message: public.Message}
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

// noneAnswered is the error when no carrier has an answer. Its body has both the form of an error and that of an answer
// without results. Where any carrier could not be read it is that, and a retry makes sense. Where the days are beyond
// what every carrier announced, the request is not valid.
func noneAnswered(failures []contracts.CarrierFailure, failed []error) error {
	cause := contracts.Errorf(contracts.WeekNotArchived,
		"no week of any of the %d carriers is archived for these days", len(failures))
	invalid := 0
	for _, err := range failed {
		switch public := PublicError(err); public.Code {
		case contracts.WeekNotArchived:
		case contracts.InvalidRequest:
			invalid++
		default:
			retry := public.RetryAfter
			if cause.Code == contracts.SourceUnavailable {
				retry = min(retry, cause.RetryAfter)
			}
			cause = contracts.Errorf(contracts.SourceUnavailable, "none of the %d carriers could be read; retry later",
				len(failures)).After(retry)
		}
	}
	if invalid == len(failed) {
		return failed[0]
	}
	return &bodyError{cause: cause, body: func(e Error) any {
		return struct {
			Error
			contracts.Surcharges
		}{e, contracts.Surcharges{Results: []contracts.Surcharge{}, Errors: failures}}
	}}
}
