package mcp

import (
	"assay.dev/contracts"
	"assay.dev/gateway/openapi"
)

// tools are those of each product's server.
var tools = map[contracts.Product][]definition{
	contracts.LTL: {
		{
			name: "list_carriers", title: "List carriers", path: "/v1/ltl/carriers",
			description: "Lists the LTL carriers whose fuel surcharges can be asked for: code, SCAC, name, headquarters, publication day, whether the carrier prints a diesel price, and how it is read. Use it to find a carrier's code or to learn what is covered.",
			output:      openapi.Schema[contracts.CarrierListings](), notFound: "that there is no such listing",
		}, {
			name: "get_fuel_surcharge", title: "Get fuel surcharge", path: "/v1/ltl/fuel-surcharge", billable: true,
			description: "Reads the weekly LTL fuel surcharge percentages that one carrier publishes, newest first, each with the national diesel price beside it (null where the carrier prints none). Use it for the current rate (weeks 1), for a history, or to check the surcharge on a freight invoice. Only weeks in force or past are given, and fewer than asked for when the carrier shows fewer.",
			arguments: []argument{
				{
					name: "carrier", parameter: "carriers", required: true, single: true,
					schema: object{"type": "string", "enum": contracts.Carriers, "description": "The carrier's code, as list_carriers has it."},
				}, {
					name: "weeks", parameter: "weeks",
					schema: object{
						"type": "integer", "minimum": contracts.MinWeeks, "maximum": contracts.MaxWeeks, "default": contracts.DefaultWeeks,
						"description": "How many weeks back, the current one included; 1 is the current rate only.",
					},
				},
			},
			output: openapi.Schema[contracts.Surcharge](), notFound: "that the carrier is not supported; list_carriers names those that are",
		}, {
			name: "get_accessorials", title: "Get accessorial fees (coming soon)", path: "/v1/ltl/accessorials",
			description: "Will read a carrier's accessorial fee schedule (liftgate, residential delivery and the like). It is not available yet: every call ends with COMING_SOON. Do not use it until that changes.",
			arguments: []argument{{
				name: "carrier", parameter: "carrier", single: true,
				schema: object{"type": "string", "enum": contracts.Carriers, "description": "The carrier's code, as list_carriers has it."},
			}},
			notFound: "that the carrier is not supported; list_carriers names those that are",
		},
	},
	contracts.ABC: {
		{
			name: "list_states", title: "List states", path: "/v1/abc/states",
			description: "Lists the states whose liquor licenses can be looked up: the agency, which filters a search has, CAPTCHA and anti-bot measures, typical latency, license type codes, known limitations, and whether NOT_FOUND is proof that there is no license. Use it before relying on a missing license.",
			output:      openapi.Schema[contracts.StateListings](), notFound: "that there is no such listing",
		}, {
			name: "search_licenses", title: "Search liquor licenses", path: "/v1/abc/search", billable: true,
			description: "Finds liquor licenses of one state by parts of their trade name, holder's name or address. Give at least one of dba_name, owner_name and address; a license must match all that are given. Use it when the license number is not known, then get_license for the one meant. total_results counts all matches, results holds at most 100. IL and TX can take 5 to 60 seconds.",
			arguments: []argument{
				stateArgument(), text("dba_name", "dba_name", false, "Part of the trade name (doing business as)."),
				text("owner_name", "owner_name", false, "Part of the holder's or applicant's name."),
				text("address", "address", false, "Part of the street or city."),
			},
			output: openapi.Schema[contracts.Search](), notFound: "that the state is not supported; list_states names those that are",
		}, {
			name: "get_license", title: "Get liquor license", path: "/v1/abc/license/{license_number}", billable: true,
			description: "Looks up one liquor license by its number at the state regulator: status (ACTIVE, SUSPENDED, EXPIRED or REVOKED), expiration date, type, holder, address and suspensions, with the evidence URL. Use it to verify a license. IL and TX can take 5 to 60 seconds.",
			arguments: []argument{
				text("license_number", "", true, "The number as the state issued it. IL needs the class (1A-1143621). CA: a license type before the number (58-400051) asks for that type."), stateArgument(),
			},
			output: openapi.Schema[contracts.License](), notFound: "that the state or the license was not found; list_states says whether a missing license is proof for that state",
		},
	},
}

func stateArgument() argument {
	return argument{
		name: "state", parameter: "state", required: true,
		schema: object{"type": "string", "enum": contracts.States, "description": "The state that issued the license."},
	}
}

func text(name, parameter string, required bool, description string) argument {
	schema := object{"type": "string", "maxLength": 200, "description": description}
	if required {
		schema["minLength"] = 1
	}
	return argument{name: name, parameter: parameter, required: required, schema: schema}
}
