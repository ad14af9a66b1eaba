package api

import (
	"cmp"
	"context"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/portfolio"
)

// oneSpelling writes each license of all as there has it, or else as all has it first. A former number becomes today's,
// as in changes and delinquent lists; a number of CA with its type is one license with the number alone where the copy
// of the register shows that type of it. What the copy does not tell stays as it is. wrong names those whose license is
// there in another spelling.
func (t licensesToday) oneSpelling(there, all []portfolio.License) (left []portfolio.License, wrong []string) {
	first, is := map[portfolio.License]string{}, portfolio.Set{}
	for _, l := range there {
		of := t.of(l)
		first[of] = cmp.Or(first[of], l.LicenseNumber)
	}
	spelled := make([]portfolio.License, len(all))
	for i, l := range all {
		of := t.of(l)
		if spelled[i] = l; contracts.IsFormerNumber(l.State, l.LicenseNumber) {
			spelled[i].LicenseNumber = of.LicenseNumber // or as it is, where that is not told
		}
		first[of] = cmp.Or(first[of], spelled[i].LicenseNumber)
		if spelled[i].LicenseNumber = first[of]; spelled[i] == l {
			is.Add(l)
		}
	}
	for i, l := range spelled {
		if l != all[i] && !is.Add(l) {
			wrong = append(wrong,
				"license_number: "+all[i].LicenseNumber+" is license "+l.LicenseNumber+", which stands in another line already")
			continue
		}
		left = append(left, l)
	}
	return left, wrong
}

// licensesToday are licenses as the copies of their registers have them, by how they were written.
type licensesToday map[portfolio.License]portfolio.License

func (t licensesToday) of(l portfolio.License) portfolio.License {
	return cmp.Or(t[l.Unlabeled()], l.Unlabeled())
}

// today asks the copies for what licenses are that may be written in two ways: those with a number of former times, and
// those of CA of which one line has a type and another has none.
func (a *API) today(ctx context.Context, env contracts.Environment, all []portfolio.License) (licensesToday, error) {
	asked, today := map[contracts.State][]string{}, licensesToday{}
	isTyped := map[string]bool{}
	for _, l := range all {
		if kind, number := contracts.SplitLicenseType(l.State, l.LicenseNumber); kind != "" {
			isTyped[number] = true
		}
	}
	for _, l := range all {
		if contracts.IsFormerNumber(l.State, l.LicenseNumber) || l.State == contracts.CA && isTyped[l.LicenseNumber] {
			asked[l.State] = append(asked[l.State], l.LicenseNumber)
		}
	}
	for state, numbers := range asked {
		for chunk := range slices.Chunk(numbers, contracts.MaxMembers) {
			q := contracts.MembersRequest{State: state, Numbers: chunk}
			answer, err := answers.Ask[contracts.MembersAnswer](ctx, a.Answers,
				contracts.MembersSubject(env, state), q, FastMaxTime)
			if err != nil || len(answer.Members) != len(chunk) {
				return nil, contracts.Errorf(contracts.SourceUnavailable,
					"which license %s of %s is cannot be told just now: retry, or give its number of today, in one spelling", chunk[0],
					state).After(10 * time.Second)
			}
			for i, m := range answer.Members {
				if m.Status == nil {
					continue
				}
				if state == contracts.CA {
					m.LicenseNumber = m.LicenseTypeCode + "-" + m.LicenseNumber
				}
				today[portfolio.License{State: state, LicenseNumber: chunk[i]}] = portfolio.License{State: state,
					LicenseNumber: m.LicenseNumber}
			}
		}
	}
	return today, nil
}
