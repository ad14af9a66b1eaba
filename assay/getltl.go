package main

import (
	"context"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
)

// calendarDay is a date on the command line.
type calendarDay contracts.Date

// UnmarshalText reads a date such as 2026-09-11.
func (d *calendarDay) UnmarshalText(text []byte) error {
	date, err := contracts.ParseDate(string(text))
	*d = calendarDay(date)
	return err
}

type getSurchargeCommand struct {
	Carriers  []contracts.Carrier `arg:"" optional:"" help:"Carriers' codes, such as ODFL; none for all."`
	Weeks     int                 `help:"How many weeks back; 1 is the current rate only." placeholder:"4"`
	AsOf      calendarDay         `help:"The week in force on this day." placeholder:"DATE"`
	From      calendarDay         `help:"All weeks that touch the days from this one to that of --to." placeholder:"DATE"`
	To        calendarDay         `help:"The last day of the range." placeholder:"DATE"`
	KnownAt   string              `help:"With days: what would have been answered at that moment." placeholder:"DATE"`
	Announced bool                `help:"With days: also weeks to come that the carrier has announced."`

	RequireConfidence float64 `help:"Exit with 4 when the answer is less sure than bills need; 0 takes every answer." default:"0.90"`
}

// Run asks for the surcharges of the carriers.
func (s getSurchargeCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	weeks := client.Weeks{Last: s.Weeks, AsOf: contracts.Date(s.AsOf), From: contracts.Date(s.From),
		To: contracts.Date(s.To), KnownAt: s.KnownAt, Announced: s.Announced}
	return getAnswer(ctx, c, g, s.RequireConfidence,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.Surcharges], error) {
			return api.FuelSurcharges(ctx, s.Carriers, weeks)
		}, showSurcharges)
}

func showSurcharges(r *report, body contracts.Surcharges) {
	r.row("CARRIER", "FROM", "TO", "LTL %", "TRUCKLOAD %", "DIESEL USD", "CURRENT")
	for _, s := range body.Results {
		for i, w := range s.Weeks {
			r.row(s.Carrier, w.EffectiveDate, w.EndDate, w.Percent, w.TruckloadPercent, w.DieselUSD, currentText(s, i))
		}
	}
	for _, e := range body.Errors {
		r.line("%s: %s: %s", e.Carrier, e.Error, e.Message)
	}
	for _, s := range body.Results {
		r.claim(string(s.Carrier), s.Verifiability.Verifiability)
	}
}

// currentText says of a carrier's newest week whether it is the one that is due.
func currentText(s contracts.Surcharge, week int) string {
	switch current := s.Verifiability.Current; {
	case week > 0 || current == nil:
		return ""
	case *current:
		return "yes"
	}
	return "no: a newer week is due"
}

type getTableCommand struct {
	confident

	Carrier contracts.Carrier `arg:"" help:"ESTES, ABF, SEFL or ODFL."`
	AsOf    calendarDay       `help:"The table that applied on this day." placeholder:"DATE"`
}

// Run asks for the table.
func (t getTableCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	return getAnswer(ctx, c, g, t.RequireConfidence,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.FuelTable], error) {
			return api.FuelTable(ctx, t.Carrier, contracts.Date(t.AsOf))
		}, func(r *report, body contracts.FuelTable) {
			r.row("FROM USD", "BELOW USD", "LTL %", "TRUCKLOAD %")
			for _, b := range body.Rows {
				r.row(b.AtLeastUSD, b.LessThanUSD, b.Percent, b.TruckloadPercent)
			}
			if body.Extension != nil {
				r.line("%s", body.Extension.Text)
			}
			r.claim("this table", body.Verifiability)
		})
}

type getDieselCommand struct {
	confident

	From calendarDay `required:"" help:"The first day." placeholder:"DATE"`
	To   calendarDay `required:"" help:"The last day." placeholder:"DATE"`
}

// Run asks for the prices.
func (d getDieselCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	return getAnswer(ctx, c, g, d.RequireConfidence,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.Diesel], error) {
			return api.Diesel(ctx, contracts.Date(d.From), contracts.Date(d.To))
		}, func(r *report, body contracts.Diesel) {
			r.row("MONDAY", "USD A GALLON")
			for _, w := range body.Weeks {
				r.row(w.Date, w.USD)
			}
			r.claim("these prices", body.Verifiability)
		})
}

type getCarriersCommand struct{}

// Run asks for the listing.
func (getCarriersCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	return getAnswer(ctx, c, g, 0,
		func(ctx context.Context, api *client.Client) (*client.Answer[contracts.CarrierListings], error) {
			return api.Carriers(ctx)
		}, func(r *report, body contracts.CarrierListings) {
			r.row("CODE", "SCAC", "NAME", "POSTS ON", "PRINTS DIESEL")
			for _, l := range body.Carriers {
				r.row(l.Code, l.SCAC, l.Name, l.PublicationDay, l.PublishesDieselPrice)
			}
		})
}
