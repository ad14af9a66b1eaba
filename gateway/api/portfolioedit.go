package api

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/portfolio"
)

func changePortfolio(ctx context.Context, a *API, r *Request) (Reply, error) {
	var given struct {
		Add    json.RawMessage `json:"add"`
		Remove json.RawMessage `json:"remove"`
	}
	if err := readObject(r.Body, "add", "no change of a portfolio", &given); err != nil {
		return Reply{}, err
	}
	add, err := readEdit(ctx, "add", given.Add)
	if err != nil {
		return Reply{}, err
	}
	remove, err := readEdit(ctx, "remove", given.Remove)
	if err != nil {
		return Reply{}, err
	}
	every, err := a.confirmOf(r)
	if err != nil {
		return Reply{}, err
	}
	name, left := portfolioName.of(r), []portfolio.License(nil)
	edit := func(all []portfolio.License) (_ []portfolio.License, err error) {
		left, err = a.edited(ctx, r.Environment, all, add, remove)
		return left, err
	}
	if dryRun.of(r) {
		p, err := a.Portfolios.Get(ctx, r.owner(), name)
		if err == nil {
			_, err = edit(p.Licenses)
		}
		if err != nil {
			return Reply{}, err
		}
		return a.dryPortfolio(ctx, r, every, left, nil)
	}
	entry, err := a.Portfolios.Change(ctx, r.owner(), name, every, time.Now(), edit)
	return keptReply(keptPortfolio(r, entry, left, nil), err)
}

// readEdit reads the licenses of a member of the body, of which each must be well-formed.
func readEdit(ctx context.Context, member string, text json.RawMessage) ([]portfolio.License, error) {
	if trimmed := bytes.TrimSpace(text); len(trimmed) == 0 || string(trimmed) == "null" || string(trimmed) == "[]" {
		return nil, nil
	}
	all, wrong, err := portfolio.Read(ctx, lines.JSON, text)
	if err == nil && len(wrong) > 0 {
		err = refusedLines(member, wrong)
	}
	return all, err
}

// alike names a license of the same number that is there with its type, or without one.
func alike(all []portfolio.License, l portfolio.License) string {
	_, number := contracts.SplitLicenseType(l.State, l.LicenseNumber)
	for _, other := range all {
		if _, its := contracts.SplitLicenseType(other.State, other.LicenseNumber); other.State == l.State && its == number &&
			other.LicenseNumber != l.LicenseNumber {
			return ": write " + other.Key() + ", as it is there"
		}
	}
	return ""
}

// edited are the licenses after a change. What is removed without a label goes with all its labels. What is added with
// another label than it has is another customer's, too.
func (a *API) edited(ctx context.Context, env contracts.Environment, all, add,
	remove []portfolio.License) ([]portfolio.License, error) {
	today, err := a.today(ctx, env, slices.Concat(all, remove, add))
	if err != nil {
		return nil, err
	}
	all, _ = today.oneSpelling(nil, all)
	remove, _ = today.oneSpelling(all, remove)
	add, _ = today.oneSpelling(all, add) // what stands there twice is added once
	var wrong []string
	before, isGone := portfolio.SetOf(all), portfolio.SetOf(nil)
	for _, l := range remove {
		if isGone[l] = true; !before[l] && len(wrong) < maxViolations {
			wrong = append(wrong, l.Key()+" is not in the portfolio"+alike(all, l))
		}
	}
	if len(wrong) > 0 {
		return nil, refusedLines("remove", wrong)
	}
	left := slices.DeleteFunc(slices.Clone(all),
		func(l portfolio.License) bool { return isGone[l] || isGone[l.Unlabeled()] })
	after, isLabeled := portfolio.SetOf(left), portfolio.SetOf(nil)
	for _, l := range add {
		if after.Add(l) {
			left = append(left, l)
			isLabeled[l.Unlabeled()] = l.Label != ""
		}
	}
	return slices.DeleteFunc(left, func(l portfolio.License) bool { return l.Label == "" && isLabeled[l] }), nil
}
