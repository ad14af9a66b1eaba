package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/gateway/usage"
	"assay.dev/platform/kv"
)

type usageCommand struct {
	Month  time.Time `help:"The month, such as 2026-11; the current one by default (UTC)." format:"2006-01"`
	Tenant string    `help:"Show this tenant alone."`
	Events bool      `help:"Print every answer and piece of lines that is charged, as NDJSON, in place of their sums."`
	JSON   bool      `help:"Print JSON instead of a table."`
}

// Help says which deployment is meant.
func (usageCommand) Help() string {
	return "Billable is an answered data request with a live key, each line that an audit resolved, each customer that was " +
		"matched or left to a person, each delivery with a verdict, and each lookup of a portfolio that proved something. " +
		"Answers to test keys cost nothing and are counted apart; audits with test keys are not counted." + targetHelp
}

// Run prints the sums of one month.
func (u usageCommand) Run(ctx context.Context, c *console) error {
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	if u.Month.IsZero() {
		u.Month = time.Now()
	}
	gap, err := usage.Missing(ctx, js, u.Month)
	if err != nil {
		return err
	}
	if gap != (kv.Gap{}) {
		fmt.Fprintf(c.errs, "Answers from %s to the loss before %s may be missing: the usage was restored from a backup.\n",
			gap.From.UTC().Format(time.RFC3339), gap.To.UTC().Format(time.RFC3339))
	}
	if u.Events {
		return u.printEvents(ctx, c, js)
	}
	sums, err := usage.Sums(ctx, js, u.Month)
	if err != nil {
		return err
	}
	sums = slices.DeleteFunc(sums, func(s usage.Sum) bool { return !u.isOf(s.Tenant) })
	if u.JSON {
		return printJSON(c, sums)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MONTH\tTENANT\tPRODUCT\tANSWERS\tLINES\tUSD\tTEST ANSWERS")
	for _, s := range sums {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d.%02d\t%d\n", s.Month, s.Tenant, s.Product, s.Count, s.Lines, s.Cents/100,
			s.Cents%100, s.Tested)
	}
	return w.Flush()
}

func (u usageCommand) isOf(tenant string) bool { return u.Tenant == "" || u.Tenant == tenant }

// printEvents prints what is charged, each as the event that is summed.
func (u usageCommand) printEvents(ctx context.Context, c *console, js jetstream.JetStream) error {
	out := bufio.NewWriter(c.out)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	err := usage.Each(ctx, js, u.Month, func(e *usage.Event) error {
		if e.Tested > 0 || !u.isOf(e.Tenant) {
			return nil
		}
		return lines.Encode(e)
	})
	return errors.Join(err, out.Flush())
}
