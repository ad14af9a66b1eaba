package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
)

type getChangesCommand struct {
	Since   string                 `help:"The cursor that was printed last; without it only the newest cursor is printed." placeholder:"CURSOR"`
	Sources []string               `name:"source" help:"States and carriers, such as CA,TX; none for all." placeholder:"CODES"`
	Types   []contracts.ChangeType `name:"type" help:"Types, such as license.status_changed; none for all." placeholder:"TYPES"`
	Limit   int                    `help:"How many at most." default:"100"`
	Wait    int                    `help:"How many seconds to wait for a change while there is none, at most 60." placeholder:"SECONDS"`
}

// Run asks for the changes after a cursor. The cursor to go on with is printed last.
func (q getChangesCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	return getAnswer(ctx, c, g, 0,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.Changes], error) {
			return api.Changes(ctx,
				client.ChangesQuery{Since: q.Since, Sources: q.Sources, Types: q.Types, Limit: q.Limit, Wait: q.Wait})
		}, func(r *report, body contracts.Changes) {
			if len(body.Changes) > 0 {
				r.row("AT", "SOURCE", "TYPE", "LICENSE", "BEFORE", "AFTER")
			}
			for _, change := range body.Changes {
				d := change.Data
				r.row(moment(change.OccurredAt), change.Source, change.Type, d.LicenseNumber,
					valuesText(d.Before), valuesText(d.After))
			}
			r.line("go on with --since %s", body.Cursor)
		})
}

// valuesText is what a change says of one side: the status, or the date, or the holder, or why a source is in doubt.
func valuesText(v *contracts.ChangeValues) string {
	switch {
	case v == nil:
		return ""
	case v.Week != nil:
		return fmt.Sprintf("%s %% from %s", strconv.FormatFloat(v.Week.Percent, 'f', -1, 64), v.Week.EffectiveDate)
	case v.List != "":
		return fmt.Sprintf("on list %s since %s", v.List, cmp.Or(v.HeldSince, "a day that it does not say"))
	}
	return cmp.Or(string(v.Status), string(v.ExpirationDate), v.OwnerName, v.Why)
}
