package openapi

import "assay.dev/contracts"

func paths(s *schemas) object {
	all := object{}
	for _, o := range operations(s) {
		all[o.path] = o.object()
	}
	return all
}

func operations(s *schemas) []operation {
	ltl, abc := string(contracts.LTL), string(contracts.ABC)
	return []operation{
		{
			path: "/health", id: "getHealth", tag: "service", summary: "Whether the service answers and the key is good",
			description: "Neither counts against the rate limit nor costs anything.",
			ok:          object{"type": "object", "properties": object{"status": object{"type": "string"}}},
		}, {
			path: "/openapi.json", id: "getOpenAPI", tag: "service", summary: "This document",
			ok: object{"type": "object", "required": []string{"openapi"}}, open: true,
		}, {
			path: "/v1/ltl/fuel-surcharge", id: "getFuelSurcharge", tag: ltl, summary: "Weekly LTL fuel surcharges",
			description: "One carrier asked for by name is answered with its object, several (or none named, which means all ten) with results and errors. 0.03 USD an answer.",
			parameters:  []object{carriersParameter(s), weeksParameter()},
			ok:          object{"oneOf": []object{ref[contracts.Surcharge](s), ref[contracts.Surcharges](s)}}, data: true,
			failures: []string{"NotFound", "NoCarrierAvailable"},
		}, {
			path: "/v1/ltl/carriers", id: "listCarriers", tag: ltl, summary: "The carriers and how each is read",
			ok: ref[contracts.CarrierListings](s),
		}, {
			path: "/v1/ltl/accessorials", id: "getAccessorials", tag: ltl, summary: "Accessorial fees (coming soon)",
			parameters: []object{query("carrier", "A carrier code, in any case.", object{"type": "string"})},
			failures:   []string{"ComingSoon"},
		}, {
			path: "/v1/abc/search", id: "searchLicenses", tag: abc, summary: "Liquor licenses by name or address",
			description: "At least one of dba_name, owner_name and address must be given. 0.05 USD an answer.",
			parameters: []object{
				stateParameter(), text("dba_name", "Part of the trade name."), text("owner_name", "Part of the holder's name."),
				text("address", "Part of the street or city."),
			},
			ok: ref[contracts.Search](s), data: true, failures: []string{"NotFound"},
		}, {
			path: "/v1/abc/license/{license_number}", id: "getLicense", tag: abc, summary: "One liquor license",
			description: "404 means that the license is proven not to exist; what cannot be proven is 503. 0.05 USD an answer.",
			parameters: []object{
				{
					"name": "license_number", "in": "path", "required": true, "description": "As the state issued it; a number that the state cannot have issued is answered with 422, which says the forms that it issues. CA: a license type before the number (58-400051) asks for that type.",
					"schema": object{"type": "string", "minLength": 1, "maxLength": 200},
				}, stateParameter(),
			},
			ok: ref[contracts.License](s), data: true, failures: []string{"NotFound"},
		}, {
			path: "/v1/abc/states", id: "listStates", tag: abc, summary: "The states, how each is read and what it can prove",
			ok: ref[contracts.StateListings](s),
		},
	}
}

func query(name, description string, schema object) object {
	return object{"name": name, "in": "query", "description": description, "schema": schema}
}

func text(name, description string) object {
	return query(name, description, object{"type": "string", "maxLength": 200})
}

func carriersParameter(s *schemas) object {
	p := query("carriers", "Carrier codes, repeated or separated by commas, in any case. Default: all.",
		object{"type": "array", "items": ref[contracts.Carrier](s)})
	p["example"] = []string{string(contracts.ODFL), string(contracts.SAIA)}
	return p
}

func weeksParameter() object {
	return query("weeks", "How many weeks back, the current one included; 1 is the current rate only.", object{
		"type": "integer", "minimum": contracts.MinWeeks, "maximum": contracts.MaxWeeks, "default": contracts.DefaultWeeks,
	})
}

func stateParameter() object {
	p := query("state", "The state that issued the license, in any case.", object{"type": "string", "enum": texts(contracts.States)})
	p["required"] = true
	return p
}
