package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"assay.dev/gateway/keys"
)

type listKeys struct {
	JSON bool `help:"Print JSON instead of a table."`
}

// Run prints all keys, ordered by tenant and age.
func (l listKeys) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(s *keys.Store) error {
		listed, err := s.List(ctx)
		if err != nil {
			return err
		}
		all := []shownKey{}
		for _, k := range listed {
			all = append(all, shown("", k))
		}
		if l.JSON {
			return printJSON(c, all)
		}
		return printKeys(c, all)
	})
}

func printKeys(c *console, all []shownKey) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tENDS IN\tTENANT\tENVIRONMENT\tPRODUCTS\tLIMIT\tCREATED\tEXPIRES\tSTATE")
	for _, k := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", k.ID, k.Last4, k.Tenant, k.Environment, join(k.Products),
			k.Limit, k.CreatedAt.Format(time.DateOnly), expiry(k.ExpiresAt), k.State)
	}
	return w.Flush()
}
