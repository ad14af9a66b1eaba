package api

import (
	"context"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/spreadsheet"
)

// inDoubt says what the notes mean of which none vouches for a percent.
const inDoubt = "WORDING_UNKNOWN, WORDING_CHANGED, WEEKS_CONTRADICTED or PERCENT_IN_DOUBT in notes means UNVERIFIED: " +
	"nobody has looked at what the carrier's page says now, or its figures are not plausible; doubt_since of the " +
	"carrier's listing says since when. "

// ltl is the fuel surcharge product.
var ltl = Product{
	Product: contracts.LTL, Title: "LTL fuel surcharges",
	Summary: "Weekly LTL fuel surcharges of freight carriers, each with its proof and whether it is current.",
	ToolUse: "Use get_fuel_surcharge for what one carrier charges now or charged in a past week, audit_fuel_surcharge to " +
		"check the fuel surcharges of invoices, list_carriers for which carriers there are, get_fuel_table for the brackets " +
		"behind a percent, get_diesel_prices for the index that they follow, list_changes for what has changed.",
	Shared: []*Endpoint{listedChanges},
	Endpoints: slices.Concat([]*Endpoint{
		{
			Path: "/v1/ltl/carriers", ID: "listCarriers",
			Summary: "The carriers and how each is read",
			Bodies:  bodyType[contracts.CarrierListings](), Table: spreadsheet.New[contracts.CarrierListings]("carriers"),
			Tool: &Tool{
				Name: "list_carriers", Title: "List carriers",
				Description: "Lists the LTL carriers whose fuel surcharges can be asked for: code, SCAC, name, headquarters, " +
					"publication day, whether the carrier prints a diesel price, how it is read, and what is surely known of how it " +
					"applies the percent. Use it to find a carrier's code or to learn what is covered.",
			},
			// contract §4.3
			Answer: listSources(func(all []contracts.CarrierListing) any { return contracts.CarrierListings{Carriers: all} }),
		}, {
			Path: "/v1/ltl/fuel-surcharge", ID: "getFuelSurcharge", Billable: true,
			Summary: "Weekly LTL fuel surcharges",
			Description: "One carrier asked for by name is answered with its object, several (or none named, which means all " +
				"ten) with results and errors. The newest week is the current rate only if extraction_confidence is at least " +
				"0.90 and current is true. " + inDoubt +
				"Ask for the newest weeks (weeks), for the week in force on a day (as_of), or for all weeks that touch the days " +
				"from and to; known_at asks for what would have been answered at that moment.",
			Parameters: []*Parameter{
				surchargeCarriers.Parameter, surchargeWeeks.Parameter, surchargeAsOf.Parameter, surchargeFrom.Parameter,
				surchargeTo.Parameter,
				surchargeKnownAt.Parameter, surchargeAnnounced.Parameter,
			},
			Rule:   checkPeriod,
			Bodies: bodyTypes[contracts.Surcharge, contracts.Surcharges](), Table: surchargeTable, Sourced: true,
			Failures: []*Failure{NoWeek, NoCarrierAvailable},
			Tool: &Tool{
				Name: "get_fuel_surcharge", Title: "Get fuel surcharge",
				Description: "Reads the weekly LTL fuel surcharge percentages that one carrier publishes, newest first, each with " +
					"the national diesel price beside it (null where the carrier prints none). Use it for the current rate (weeks " +
					"1), for a history, or to check the surcharge on a freight invoice. Only weeks in force or past are given, and " +
					"fewer than asked for when fewer are known. The newest week is the current rate only if extraction_confidence is " +
					"at least 0.90 and current is true. " + inDoubt +
					"For a past day, such as a ship date, give as_of: the answer is the week in force that day, or " +
					"WEEK_NOT_ARCHIVED; never take the rate of another week. For a range give from and to, for what was known at a " +
					"past moment also known_at.",
				InWords: surchargeInWords,
			},
			Answer: getSurcharges,
		},
		auditing,
		fuelTables,
		dieselPrices,
		{
			Path: "/v1/ltl/accessorials", ID: "getAccessorials",
			Summary:    "Accessorial fees (coming soon)",
			Parameters: []*Parameter{accessorialCarrier.Parameter},
			Failures:   []*Failure{ComingSoon},
			Tool: &Tool{
				Name: "get_accessorials", Title: "Get accessorial fees (coming soon)",
				Description: "Will read a carrier's accessorial fee schedule (liftgate, residential delivery and the like). It is " +
					"not available yet: every call ends with COMING_SOON. Do not use it until that changes.",
			},
			Answer: getAccessorials,
		},
	}, auditEndpoints, contractEndpoints),
}

// The parameters of the product.
var (
	surchargeCarriers = codeListParam(Parameter{
		Name: "carriers", Misnomers: []string{"carrier", "carriers[]", "carrier[]", "scac"},
		Description: "Carrier codes, repeated or separated by commas, in any case. Default: all.",
		Schema:      &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Ref: SchemaRef("Carrier")}},
		Example:     []contracts.Carrier{contracts.ODFL, contracts.SAIA},
		Argument: Argument{
			Name: "carrier", Required: true, Single: true, Schema: enumSchema(contracts.Carriers),
			Description: "The carrier's code, as list_carriers has it.",
		},
	}, contracts.Carriers, contracts.ParseCarrier, "a carrier code is missing")

	surchargeWeeks = withoutDefault(integerParam(Parameter{
		Name: "weeks", Description: "How many weeks back, the current one included; 1 is the current rate only, and 4 is " +
			"meant where neither this nor a day is given.",
	}, "week", contracts.MinWeeks, contracts.MaxWeeks, contracts.DefaultWeeks))

	surchargeAsOf = dateParam(Parameter{
		Name: "as_of", Misnomers: []string{"date", "ship_date", "day"}, Example: "2026-03-17",
		Description: "The week in force on this day, at most today in New York. In place of weeks.",
	})
	surchargeFrom = dateParam(Parameter{
		Name: "from", Misnomers: []string{"start", "start_date"},
		Description: "All weeks that touch the days from this one to the one of the parameter to; at most 160 " +
			"weeks. In place of weeks.",
	})
	surchargeTo = dateParam(Parameter{
		Name: "to", Misnomers: []string{"end", "end_date", "until"},
		Description: "The last day of the range, at most today in New York.",
	})
	surchargeKnownAt = momentParam(Parameter{
		Name: "known_at",
		Description: "With as_of or from and to: what would have been answered at that moment. A date (its end in New York) " +
			"or a time as RFC 3339 has it. The answer comes from the archive alone.",
	})
	surchargeAnnounced = booleanParam(Parameter{
		Name: "announced", Description: "With as_of or from and to: true gives weeks to come as well, as far as the " +
			"carrier has announced them.",
	}, false)

	accessorialCarrier = codeParam(Parameter{
		Name: "carrier", Misnomers: []string{"carriers", "carriers[]"}, Description: "A carrier code, in any case.",
		Schema: &jsonschema.Schema{Type: "string"},
		Argument: Argument{
			Single: true, Schema: enumSchema(contracts.Carriers), Description: "The carrier's code, as list_carriers has it.",
		},
	}, contracts.ParseCarrier, "")
)

// surchargeTable has one row a week of a carrier, and one for a carrier that could not be read.
var surchargeTable = spreadsheet.New[struct {
	contracts.Surcharge
	Error   contracts.Code `json:"error"`
	Message string         `json:"message"`
}]("weeks").In("results", "errors")

// getSurcharges answers for one carrier with its body, for several with all of them (contract §4.2).
func getSurcharges(ctx context.Context, a *API, r *Request) (Reply, error) {
	ask := a.askNewest(r)
	if p, ok := periodOf(r); ok {
		ask = a.askPeriod(r, p)
	}
	carriers := surchargeCarriers.of(r)
	if len(carriers) == 1 {
		return foundReply(ask(ctx, carriers[0]))
	}
	return surcharges(ctx, carriers, ask)
}

// askNewest asks for the newest weeks of a carrier.
func (a *API) askNewest(r *Request) askCarrier {
	weeks := surchargeWeeks.of(r)
	return func(ctx context.Context, c contracts.Carrier) (answers.Found, error) {
		return answers.Get(ctx, a.Answers, surchargeQuestion(r, c, weeks))
	}
}

// surchargeQuestion asks for the newest weeks of one carrier.
func surchargeQuestion(r *Request, c contracts.Carrier, weeks int) answers.Question[contracts.SurchargeAnswer] {
	return answers.Question[contracts.SurchargeAnswer]{
		Key: contracts.SurchargeKey(r.Environment, c), View: answers.View{Size: weeks}, Fresh: r.Fresh,
		RequestID: r.ID, Subject: contracts.SurchargeSubject(r.Environment, c),
		Request: contracts.SurchargeRequest{Carrier: c, Fresh: r.Fresh}, MaxTime: FastMaxTime, Body: surchargeBody,
	}
}

func surchargeBody(a contracts.SurchargeAnswer, weeks answers.View) (contracts.Provenance, any, error) {
	return a.Provenance, a.Body(weeks.Size), nil
}

// getAccessorials is announced and not there yet (contract §4.4).
func getAccessorials(context.Context, *API, *Request) (Reply, error) {
	return Reply{}, contracts.Errorf(contracts.ComingSoon, "accessorial fee schedules are not available yet")
}
