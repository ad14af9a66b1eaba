package api

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/spreadsheet"
)

// fuelTables is the endpoint of the carriers' bracket tables.
var fuelTables = &Endpoint{
	Path: "/v1/ltl/fuel-tables", ID: "getFuelTable", Billable: true,
	Summary: "The bracket table behind a carrier's percents",
	Description: "Which percent applies while diesel costs at least one price and less than another, as ESTES, ABF and " +
		"SEFL print it and as ODFL's tariff has it; the other carriers are answered with 404. Every edition that was seen " +
		"is kept: as_of gives the one that applied on that day. A table says what a percent should be, never what the " +
		"carrier published: that is fuel-surcharge.",
	Parameters: []*Parameter{tableCarrier.Parameter, tableAsOf.Parameter},
	Bodies:     bodyType[contracts.FuelTable](), Table: spreadsheet.New[contracts.FuelTable]("rows"), Sourced: true,
	Failures: []*Failure{NotFound},
	Tool: &Tool{
		Name: "get_fuel_table", Title: "Get fuel surcharge table",
		Description: "Reads the bracket table of ESTES, ABF, SEFL or ODFL: the LTL percent for each range of diesel prices, " +
			"with the carrier's rule beyond both ends (extension; null where none is known). Use it to explain a percent or to " +
			"see what a diesel price would lead to; for what a carrier charged in a week use get_fuel_surcharge. as_of gives " +
			"the edition that applied on a past day. columns names the numbers of each row.",
		Body: bodyType[FuelTableRows]()[0], Reshape: shortenTable,
	},
	Answer: getFuelTable,
}

// dieselPrices is the endpoint of the national prices of diesel.
var dieselPrices = &Endpoint{
	Path: "/v1/ltl/diesel", ID: "getDieselPrices", Billable: true,
	Summary: "National diesel prices by week",
	Description: "The weekly price of U.S. No. 2 on-highway diesel, as the EIA publishes it, each with the moment at " +
		"which it was first seen here. A price is dated Monday and published on Tuesday. The price that a carrier prints " +
		"beside its percent can be another one: that is fuel-surcharge.",
	Parameters: []*Parameter{dieselFrom.Parameter, dieselTo.Parameter},
	Rule:       checkDieselRange,
	Bodies:     bodyType[contracts.Diesel](), Table: spreadsheet.New[contracts.Diesel]("weeks"), Sourced: true,
	Tool: &Tool{
		Name: "get_diesel_prices", Title: "Get diesel prices",
		Description: "Reads the national weekly price of diesel that the EIA publishes, for the Mondays from one day to " +
			"another, newest first. Use it to compare carriers' percents with the market. It is no substitute for the " +
			"price that a carrier prints.",
	},
	Answer: getDieselPrices,
}

// The parameters of both endpoints.
var (
	tableCarrier = codeParam(Parameter{
		Name: "carrier", Required: true, Misnomers: []string{"carriers", "carriers[]", "scac"},
		Description: "One carrier code, in any case.",
		Schema:      &jsonschema.Schema{Type: "string"}, Example: contracts.ESTES,
		Argument: Argument{Single: true, Schema: enumSchema(contracts.Carriers),
			Description: "The carrier's code: ESTES, ABF, SEFL or ODFL."},
	}, contracts.ParseCarrier, "this parameter is required: a carrier code")
	tableAsOf = dateParam(Parameter{
		Name: "as_of", Misnomers: []string{"date", "day"}, Description: "The day whose table is asked for, such as " +
			"2026-03-17; today at most. Default: today.",
	})

	dieselFrom = dateParam(Parameter{
		Name: "from", Required: true, Misnomers: []string{"start", "start_date"},
		Description: "The first day, such as 2026-01-01.",
	})
	dieselTo = dateParam(Parameter{
		Name: "to", Required: true, Misnomers: []string{"end", "end_date"},
		Description: "The last day, today at most. Both days span at most 160 weeks.",
	})
)

// checkDieselRange reports days in the wrong order and too long ranges.
func checkDieselRange(r *Request) {
	q := contracts.DieselRequest{From: dieselFrom.of(r), To: dieselTo.of(r)}
	if q.From == "" || q.To == "" {
		return // reported already
	}
	if err := q.Validate(); err != nil {
		r.report(err)
	}
}

// getFuelTable answers with the table that applied on a day (contract §4.9).
func getFuelTable(ctx context.Context, a *API, r *Request) (Reply, error) {
	q := contracts.FuelTableRequest{Carrier: tableCarrier.of(r), AsOf: tableAsOf.of(r), Fresh: r.Fresh}
	return replyWhole(ctx, a, r, contracts.FuelTableKey(r.Environment, q.Carrier, q.AsOf),
		contracts.FuelTableSubject(r.Environment, q.Carrier), q, contracts.FuelTableAnswer.Body)
}

// getDieselPrices answers with the prices of a range of days (contract §4.10).
func getDieselPrices(ctx context.Context, a *API, r *Request) (Reply, error) {
	q := contracts.DieselRequest{From: dieselFrom.of(r), To: dieselTo.of(r), Fresh: r.Fresh}
	return replyWhole(ctx, a, r, contracts.DieselKey(r.Environment, q.From, q.To),
		contracts.DieselSubject(r.Environment), q, contracts.DieselAnswer.Body)
}
