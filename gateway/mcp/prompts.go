package mcp

import (
	"fmt"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// prompts holds the prompts of each product's server.
var prompts = map[contracts.Product][]promptDefinition{
	contracts.LTL: {{
		name: "ltl_fuel_surcharge_audit", title: "Audit an invoice's fuel surcharge",
		description: "Compares the fuel surcharge on an LTL freight invoice with what the carrier published for the week of " +
			"its date: MATCH, DISCREPANCY (more than 0.5 points apart, or the rate of another week or table), or UNVERIFIED " +
			"where the rate of that day is not proven.",
		arguments: []promptArgument{
			{name: "carrier", description: "The carrier's code, such as ODFL.", values: contracts.LTL.Sources()},
			{name: "invoice_date", description: "The date of the shipment on the invoice, YYYY-MM-DD; today or past."},
			{name: "invoiced_fuel_surcharge_pct", description: "The fuel surcharge on the invoice in percent, such as 46.3."},
		},
		text: auditText,
	}},
	contracts.ABC: {{
		name: "abc_license_compliance_check", title: "Check a liquor license",
		description: "Checks that one liquor license is ACTIVE, unexpired and not suspended: PASS, CONDITIONAL, FAIL, or " +
			"UNVERIFIED where the source could not say, with the evidence URL.",
		arguments: []promptArgument{
			{name: "state", description: "The state that issued the license: " +
				contracts.Listed(contracts.States, "or") + ".", values: contracts.ABC.Sources()},
			{name: "license_number", description: "The number as the state issued it."},
		},
		text: complianceText,
	}},
}

const auditTemplate = `Audit the LTL fuel surcharge of one freight invoice. Judge by the tool's answer alone, never by what you know or expect.

Invoice: carrier %[1]s, date %[2]s, invoiced fuel surcharge %[3]s %%.

1. Call audit_fuel_surcharge with tolerance_points 0.5 and the one line {"id": "invoice", "carrier": "%[1]s", "ship_date": "%[2]s", "billed_pct": "%[3]s"}. After SOURCE_UNAVAILABLE retry once when its delay has passed.
2. Take the first verdict that applies:
%[4]s
Answer with: the verdict and its reason in one sentence, the invoiced percentage and, from the line of results, published_pct, variance_points, effective_date, end_date and evidence_url. A MATCH that is only counted was published exactly as invoiced; for its week and proof call get_fuel_surcharge with carrier "%[1]s" and as_of "%[2]s". Show no percentage of another week as the published one; where the reason names another week, say that it was billed by that week's rate. If _meta says that the environment is test, say that the data is invented. ` + foreignText

// auditText asks for an audit of the invoice's one line. Its date may not lie ahead.
func auditText(given map[string]string) (string, error) {
	carrier, err := contracts.ParseCarrier(given["carrier"])
	if err != nil {
		return "", err
	}
	date, err := contracts.ParseDate(given["invoice_date"])
	if err != nil {
		return "", contracts.Errorf(contracts.InvalidRequest, "invoice_date must be a date in the form YYYY-MM-DD")
	}
	if today := contracts.Today(time.Now()); date > today {
		return "", contracts.Errorf(contracts.InvalidRequest,
			"invoice_date lies ahead: today is %s in New York, and no carrier's rate for a later day is in force", today)
	}
	invoiced, err := audit.ParsePoints(strings.TrimSpace(strings.TrimSuffix(given["invoiced_fuel_surcharge_pct"], "%")))
	if err != nil {
		return "", contracts.Errorf(contracts.InvalidRequest, "invoiced_fuel_surcharge_pct must be a percentage such as 46.3")
	}
	return fmt.Sprintf(auditTemplate, carrier, date, invoiced, listRules(auditRules)), nil
}

const complianceTemplate = `Check whether one liquor license is in good standing. Judge by the tool's answer alone, never by what you know or expect.

License: state %[1]s, number %[2]s.

1. Call get_license with license_number "%[2]s" and state "%[1]s". After SOURCE_UNAVAILABLE retry once when its delay has passed.
2. The verdict is the answer's member verdict, which holds for today in the state; why is the message of each entry of reasons. Only where there is no answer, take the first that applies:
%[3]s
Answer with: the verdict and its reasons, license number, license_type_code and license_type_name, trade name, holder, status, expiration_date, every suspension, every one of operating_restrictions where there are some, source_timestamp, source_published_at if there is one, extraction_confidence, extraction_method, raw_data_evidence_url and the message of every entry of notes. A member that not_reported names is unknown: where it names suspensions, say that this source does not show them, and do not say that there are none. Never report a source that could not be read as a failed or a clear license. If the answer's _meta says that the environment is test, say that the data is invented. ` + foreignText

func complianceText(given map[string]string) (string, error) {
	state, err := contracts.ParseState(given["state"])
	if err != nil {
		return "", err
	}
	number, err := contracts.NormalLicenseNumber(state, given["license_number"])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(complianceTemplate, state, number, listRules(failureRules)), nil
}
