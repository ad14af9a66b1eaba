package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
)

type getLicenseCommand struct {
	State  contracts.State `arg:"" help:"${state}."`
	Number string          `arg:"" help:"The license's number as the state issued it."`
	Any    bool            `help:"Exit with 0 whatever the verdict; failures keep their exit codes."`
}

// Help says what the exit codes are.
func (getLicenseCommand) Help() string {
	return `Exit codes, the first that holds: 2: a wrong command line. 3: proven not to exist (LICENSE_ABSENT, TYPE_ABSENT): FAIL.
5: asked wrongly, such as of a state that is not served. 1: not answered: UNVERIFIED. 4: a member of --require is not printed
by the source. Then by the verdict: 0 for PASS, 6 for FAIL, 7 for CONDITIONAL, 8 for UNVERIFIED; with --any 0 for all four.

The verdict holds for today in the state, and says UNVERIFIED where the confidence is below 0.90.`
}

// Run looks the license up.
func (l getLicenseCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	var judged contracts.Judgement
	err := getAnswer(ctx, c, g, 0,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.License], error) {
			answer, err := api.License(ctx, l.State, l.Number)
			if err == nil {
				judged = answer.Body.Judgement
			}
			return answer, err
		}, func(r *report, body contracts.License) {
			showJudgement(r, body.Judgement)
			showRecord(r, body.Record)
			r.claim("this record", body.Verifiability)
		})
	switch {
	case err != nil && judged.Verdict == "":
		return unanswered(err)
	case err != nil || l.Any:
		return err
	}
	return verdictError(judged)
}

// unanswered puts the verdict before an error without an answer: FAIL where the license is proven not to exist, and
// else UNVERIFIED. A question that was wrong has none.
func unanswered(err error) error {
	if own := (*exitError)(nil); errors.As(err, &own) {
		if own.code != exitAbsent {
			return err
		}
		return &exitError{fmt.Errorf("%s: %w", contracts.Fail, own.error), own.code}
	}
	return fmt.Errorf("%s: %w", contracts.Unverified, err)
}

// The exit codes of verdicts on a license that was answered.
var verdictExits = map[contracts.LicenseVerdict]int{contracts.Fail: 6, contracts.Conditional: 7,
	contracts.Unverified: 8}

// verdictError returns nil for PASS, and else an error with the exit code of the verdict. An unknown verdict is no
// PASS.
func verdictError(j contracts.Judgement) error {
	if j.Verdict == contracts.Pass {
		return nil
	}
	return &exitError{errors.New(visible(j.InWords())),
		cmp.Or(verdictExits[j.Verdict], verdictExits[contracts.Unverified])}
}

// showJudgement prints the verdict and what it rests on.
func showJudgement(r *report, j contracts.Judgement) {
	r.row("verdict", j.Verdict)
	for _, reason := range j.Reasons {
		r.row("", reason.Message)
	}
}

// showRecord prints a record, a member a row. A member that no source printed says so.
func showRecord(r *report, record contracts.LicenseRecord) {
	address := record.Address
	for _, member := range []struct{ name, label, value string }{
		{"license_number", "number", record.LicenseNumber},
		{"license_type_code", "type", strings.TrimSpace(record.LicenseTypeCode + " " + record.LicenseTypeName)},
		{"status", "status", string(record.Status)},
		{"status_date", "status since", string(record.StatusDate)},
		{"expiration_date", "expires", string(record.ExpirationDate)},
		{"dba_name", "trade name", record.DBAName},
		{"owner_name", "holder", record.OwnerName},
		{"address", "address",
			strings.Join(slices.DeleteFunc([]string{address.Street, address.City, address.State, address.ZipCode},
				func(part string) bool { return part == "" }), ", ")},
		{"address.county", "county", address.County},
		{"suspensions", "suspensions", suspensionsText(record.Suspensions)},
		{"operating_restrictions", "restrictions", restrictionsText(record.OperatingRestrictions)},
	} {
		value := cellText(member.value)
		switch {
		case slices.Contains(record.NotReported, member.name):
			value = "not reported by this source"
		case slices.Contains(record.Inferred, member.name):
			value += " (inferred)"
		}
		r.row(member.label, value)
	}
}

func restrictionsText(all []string) string {
	if all != nil && len(all) == 0 {
		return "none"
	}
	return strings.Join(all, "; ")
}

func suspensionsText(all []contracts.Suspension) string {
	if len(all) == 0 {
		return "none"
	}
	var texts []string
	for _, s := range all {
		texts = append(texts, fmt.Sprintf("%s to %s %s", cellText(s.StartDate), cellText(s.EndDate), s.Reason))
	}
	return strings.Join(texts, "; ")
}

type getSearchCommand struct {
	confident

	State     contracts.State `arg:"" help:"${state}."`
	DBAName   string          `name:"dba-name" help:"Part of the trade name."`
	OwnerName string          `help:"Part of the holder's name."`
	Address   string          `help:"Part of the street or city."`
	Limit     int             `help:"How many results at most, 100 at most." placeholder:"100"`
	Cursor    string          `help:"The cursor that the page before ended with."`
}

// Validate wants a filter.
func (s getSearchCommand) Validate() error {
	if s.query() == (contracts.Query{}) {
		return fmt.Errorf("say at least one of --dba-name, --owner-name and --address")
	}
	return nil
}

func (s getSearchCommand) query() contracts.Query {
	return contracts.Query{DBAName: s.DBAName, OwnerName: s.OwnerName, Address: s.Address}
}

// Run asks for one page.
func (s getSearchCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	return getAnswer(ctx, c, g, s.RequireConfidence,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.Search], error) {
			return api.Search(ctx, client.Query{State: s.State, Query: s.query(), Limit: s.Limit, Cursor: s.Cursor})
		}, showSearch)
}

func showSearch(r *report, body contracts.Search) {
	r.row("VERDICT", "NUMBER", "TYPE", "STATUS", "EXPIRES", "TRADE NAME", "HOLDER", "CITY")
	for _, l := range body.Results {
		status := string(l.Status)
		if slices.Contains(l.Inferred, "status") {
			status += " (inferred)"
		}
		r.row(l.Verdict, l.LicenseNumber, l.LicenseTypeCode, status, l.ExpirationDate, l.DBAName, l.OwnerName, l.Address.City)
	}
	r.line("%d of %d", len(body.Results), body.TotalResults)
	if body.NextCursor != nil {
		r.line("the next page: --cursor %s", *body.NextCursor)
	}
	r.claim("these records", body.Verifiability)
}

type getStatesCommand struct{}

// Run asks for the listing.
func (getStatesCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	return getAnswer(ctx, c, g, 0,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.StateListings], error) {
			return api.States(ctx)
		}, func(r *report, body contracts.StateListings) {
			r.row("STATE", "AGENCY", "SEARCH BY", "NOT_FOUND IS PROOF")
			for _, l := range body.States {
				r.row(l.State, l.Agency, strings.Join(l.SearchFields, " "), l.ProvesAbsence)
			}
		})
}
