package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
)

type getLicenseCommand struct {
	State  contracts.State `arg:"" help:"CA, TX, NY, FL or IL."`
	Number string          `arg:"" help:"The license's number as the state issued it."`
}

// Run looks the license up.
func (l getLicenseCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	return getAnswer(ctx, c, g, func(ctx context.Context, api *client.Client) (*client.Answer[contracts.License], error) {
		return api.License(ctx, l.State, l.Number)
	}, func(r *report, body contracts.License) {
		showRecord(r, body.Record)
		r.claim("this record", body.Verifiability)
	})
}

// showRecord prints a record, a member a row. A member that no source printed says so.
func showRecord(r *report, record contracts.LicenseRecord) {
	address := record.Address
	for _, member := range []struct{ name, label, value string }{
		{"license_number", "number", record.LicenseNumber},
		{"license_type_code", "type", record.LicenseTypeCode},
		{"status", "status", string(record.Status)},
		{"expiration_date", "expires", string(record.ExpirationDate)},
		{"dba_name", "trade name", record.DBAName},
		{"owner_name", "holder", record.OwnerName},
		{"address", "address", strings.Join(slices.DeleteFunc([]string{address.Street, address.City, address.State, address.ZipCode},
			func(part string) bool { return part == "" }), ", ")},
		{"address.county", "county", address.County},
		{"suspensions", "suspensions", suspensionsText(record.Suspensions)},
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
	State     contracts.State `arg:"" help:"CA, TX, NY, FL or IL."`
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
	return getAnswer(ctx, c, g, func(ctx context.Context, api *client.Client) (*client.Answer[contracts.Search], error) {
		return api.Search(ctx, client.Query{State: s.State, Query: s.query(), Limit: s.Limit, Cursor: s.Cursor})
	}, showSearch)
}

func showSearch(r *report, body contracts.Search) {
	r.row("NUMBER", "TYPE", "STATUS", "EXPIRES", "TRADE NAME", "HOLDER", "CITY")
	for _, l := range body.Results {
		status := string(l.Status)
		if slices.Contains(l.Inferred, "status") {
			status += " (inferred)"
		}
		r.row(l.LicenseNumber, l.LicenseTypeCode, status, l.ExpirationDate, l.DBAName, l.OwnerName, l.Address.City)
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
	return getAnswer(ctx, c, g, func(ctx context.Context, api *client.Client) (*client.Answer[contracts.StateListings], error) {
		return api.States(ctx)
	}, func(r *report, body contracts.StateListings) {
		r.row("STATE", "AGENCY", "SEARCH BY", "NOT_FOUND IS PROOF")
		for _, l := range body.States {
			r.row(l.State, l.Agency, strings.Join(l.SearchFields, " "), l.ProvesAbsence)
		}
	})
}
