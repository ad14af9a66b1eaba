package api

import (
	"context"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/portfolio"
)

// ofToday puts the numbers of today in the place of those of TX of before 2021, as the copy of its register tells them: changes and delinquent lists
// have no others. A number that the copy does not tell stays. wrong names those whose license is there by its number of today.
func (a *API) ofToday(ctx context.Context, env contracts.Environment, all []portfolio.License) (left []portfolio.License, wrong []string, err error) {
	var places []int
	is := portfolio.Set{}
	for i, l := range all {
		if l.State == contracts.TX && l.LicenseNumber[0] >= 'A' {
			places = append(places, i)
			continue
		}
		is.Add(l)
	}
	gone := map[int]bool{}
	for chunk := range slices.Chunk(places, contracts.MaxMembers) {
		r := contracts.MembersRequest{State: contracts.TX}
		for _, i := range chunk {
			r.Numbers = append(r.Numbers, all[i].LicenseNumber)
		}
		answer, err := answers.Ask[contracts.MembersAnswer](ctx, a.Answers, contracts.MembersSubject(env, contracts.TX), r, FastMaxTime)
		if err != nil || len(answer.Members) != len(chunk) {
			return nil, nil, contracts.Errorf(contracts.SourceUnavailable,
				"numbers of TX of before 2021, such as %s, cannot be brought to those of today just now: retry, or give those of today", r.Numbers[0]).After(10 * time.Second)
		}
		for k, i := range chunk {
			was := all[i].LicenseNumber
			if m := answer.Members[k]; m.Status != nil {
				all[i].LicenseNumber = m.LicenseNumber
			}
			if !is.Add(all[i]) {
				gone[i] = true
				wrong = append(wrong, "license_number: "+was+" is "+all[i].LicenseNumber+" today, which stands in another line already")
			}
		}
	}
	for i, l := range all {
		if !gone[i] {
			left = append(left, l)
		}
	}
	return left, wrong, nil
}
