package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
)

// beverage is one on the command line.
type beverage contracts.Beverage

// UnmarshalText reads it as the API does.
func (b *beverage) UnmarshalText(text []byte) error {
	read, err := contracts.ParseBeverage(string(text))
	*b = beverage(read)
	return err
}

type getDeliveryCommand struct {
	State     contracts.State `arg:"" help:"${state}."`
	Number    string          `arg:"" help:"The license's number as the state issued it."`
	Beverage  beverage        `help:"spirits (or liquor), wine, or malt (or beer). Without it, the strictest of all."`
	On        calendarDay     `help:"The day of the delivery. Without it, today in the state." placeholder:"YYYY-MM-DD"`
	OrderedAt string          `help:"When it was ordered: a time with its zone, or a date." placeholder:"TIME"`
	Any       bool            `help:"Exit with 0 whatever the verdict; failures keep their exit codes."`
}

// Help says what the exit codes are.
func (getDeliveryCommand) Help() string {
	return `Exit codes: those of assay get license for what is not answered, and 3 for a license that is proven not to exist. Then by the verdict: 0 for DELIVER,
6 for STOP, 7 for CASH_ONLY, 8 for UNVERIFIED; with --any 0 for all four.`
}

// The exit codes of verdicts on a delivery.
var deliveryExits = map[contracts.DeliveryVerdict]int{contracts.Stop: 6, contracts.CashOnly: 7,
	contracts.DeliveryUnverified: 8}

// Run asks about the delivery.
func (g getDeliveryCommand) Run(ctx context.Context, c *console, get *getCommand) error {
	var d contracts.Delivery
	err := getAnswer(ctx, c, get, 0,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.CheckedDelivery], error) {
			answer, err := api.Delivery(ctx, client.DeliveryQuery{State: g.State, LicenseNumber: g.Number,
				Beverage: contracts.Beverage(g.Beverage), On: contracts.Date(g.On), OrderedAt: g.OrderedAt})
			if err == nil {
				d = answer.Body.Delivery
			}
			return answer, err
		}, func(r *report, body contracts.CheckedDelivery) {
			r.row("verdict", body.Verdict)
			for _, reason := range body.Reasons {
				r.row("", reason.Message)
			}
			r.row("valid until", body.ValidUntil.Format(time.RFC3339))
			for _, l := range body.HoldsChecked {
				r.row("list", l.List+" of "+string(l.Edition))
			}
			showRecord(r, body.Record)
			r.claim("this record", body.Verifiability)
		})
	switch {
	case err != nil && d.Verdict == "":
		return unanswered(err)
	case err != nil || g.Any || d.Verdict == contracts.Deliver:
		return err
	}
	return &exitError{errors.New(string(d.Verdict)),
		cmp.Or(deliveryExits[d.Verdict], deliveryExits[contracts.DeliveryUnverified])}
}
