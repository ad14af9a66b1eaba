package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
)

// prompts are those of each product's server.
var prompts = map[contracts.Product][]promptDefinition{
	contracts.LTL: {{
		name: "ltl_fuel_surcharge_audit", title: "Audit an invoice's fuel surcharge",
		description: "Compares the fuel surcharge on an LTL freight invoice with what the carrier published for that week.",
		arguments: []promptArgument{
			{name: "carrier", description: "The carrier's code, such as ODFL.", values: texts(contracts.Carriers)},
			{name: "invoice_date", description: "The date of the shipment on the invoice, YYYY-MM-DD."},
			{name: "invoiced_fuel_surcharge_pct", description: "The fuel surcharge on the invoice in percent, such as 46.3."},
		},
		text: auditText,
	}},
	contracts.ABC: {{
		name: "abc_license_compliance_check", title: "Check a liquor license",
		description: "Checks that one liquor license is ACTIVE and unexpired, and gives the verdict with the evidence URL.",
		arguments: []promptArgument{
			{name: "state", description: "The state that issued the license: CA, TX, NY, FL or IL.", values: texts(contracts.States)},
			{name: "license_number", description: "The number as the state issued it."},
		},
		text: complianceText,
	}},
}

func texts[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = string(v)
	}
	return out
}

const auditTemplate = `Audit the LTL fuel surcharge of one freight invoice.

Invoice: carrier %[1]s, date %[2]s, invoiced fuel surcharge %[3]s %%.

1. Call get_fuel_surcharge with carrier "%[1]s" and weeks %[4]d.
2. The week that applies is the newest one whose effective_date is not after %[2]s. If no week given reaches back to that date, the verdict is UNVERIFIED: the carrier's published history does not cover it.
3. If _verifiability.extraction_confidence is below 0.85, or the call failed, the verdict is UNVERIFIED. Give the reason; after SOURCE_UNAVAILABLE retry once when its delay has passed.
4. Otherwise compare %[3]s with that week's fuel_surcharge_pct. A difference above 0.5 percentage points, up or down, is DISCREPANCY; anything else is MATCH.

Answer with: the verdict (MATCH, DISCREPANCY or UNVERIFIED), the invoiced and the published percentage and their difference in points, the effective_date of the week compared, doe_diesel_price_usd if there is one, source_timestamp, extraction_confidence, extraction_method and raw_data_evidence_url. If the answer's _meta says that the environment is test, say that the data is invented.`

// auditText asks for as many weeks as reach back to the invoice.
func auditText(given map[string]string) (string, error) {
	carrier, err := contracts.ParseCarrier(given["carrier"])
	if err != nil {
		return "", err
	}
	date, err := contracts.ParseDate(given["invoice_date"])
	if err != nil {
		return "", contracts.Errorf(contracts.InvalidRequest, "invoice_date must be a date in the form YYYY-MM-DD")
	}
	invoiced, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(given["invoiced_fuel_surcharge_pct"], "%")), 64)
	if err != nil || !(invoiced >= 0 && invoiced <= 1000) {
		return "", contracts.Errorf(contracts.InvalidRequest, "invoiced_fuel_surcharge_pct must be a percentage such as 46.3")
	}
	// One more than the weeks between: the week in force on the date may have begun up to six days before it.
	weeks := contracts.DateOf(time.Now().UTC()).DaysSince(date)/7 + 2
	weeks = max(contracts.MinWeeks, min(contracts.MaxWeeks, weeks))
	return fmt.Sprintf(auditTemplate, carrier, date, strconv.FormatFloat(invoiced, 'f', -1, 64), weeks), nil
}

const complianceTemplate = `Check whether one liquor license is in good standing.

License: state %[1]s, number %[2]s.

1. Call get_license with license_number "%[2]s" and state "%[1]s".
2. Take the first verdict that applies:
   - UNVERIFIED: the call failed with anything but NOT_FOUND, or _verifiability.extraction_confidence is below 0.90. After SOURCE_UNAVAILABLE retry once when its delay has passed.
   - FAIL: NOT_FOUND, a status other than ACTIVE, an expiration_date before today, or no expiration_date.
   - CONDITIONAL: the status is ACTIVE and the license has not expired, but a suspension is open: it has begun, and its end_date is null or not before today.
   - PASS: the status is ACTIVE, the license has not expired, and no suspension is open.

Answer with: the verdict and its reason in one sentence, license number, trade name, holder, status, expiration_date, any suspension, source_timestamp, extraction_confidence, extraction_method and raw_data_evidence_url. Never report a source that could not be read as a failed or a clear license. If the answer's _meta says that the environment is test, say that the data is invented.`

func complianceText(given map[string]string) (string, error) {
	state, err := contracts.ParseState(given["state"])
	if err != nil {
		return "", err
	}
	number, err := contracts.NormalLicenseNumber(state, given["license_number"])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(complianceTemplate, state, number), nil
}
