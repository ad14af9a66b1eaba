package mcp

import (
	"fmt"
	"strings"
)

// verdict is what a prompt asks a model to end with.
type verdict string

// The verdicts. The first three are those of an audit, the last four those of a compliance check.
const (
	match       verdict = "MATCH"
	discrepancy verdict = "DISCREPANCY"
	unverified  verdict = "UNVERIFIED"
	pass        verdict = "PASS"
	conditional verdict = "CONDITIONAL"
	fail        verdict = "FAIL"
)

// rule is a verdict and when it holds, in the words of a prompt. The first rule of a list that holds decides.
type rule struct {
	verdict verdict
	when    string
}

// auditRules decide an audit of one invoice by what audit_fuel_surcharge says of its line (contract §4.11). A line that
// is MATCH is not among the results.
var auditRules = []rule{
	{unverified, "the call failed; give its code and message."},
	{unverified, "results has a line whose verdict is UNRESOLVED or INVALID: its reason says why the rate of that day is not proven."},
	{match, "totals.verdicts counts one MATCH, or the line of results is WITHIN_TOLERANCE: it differs by 0.5 points or less."},
	{discrepancy, "the line of results has any other verdict: its reason says what is wrong."},
}

// complianceRules decide a compliance check. What a source reports as not in order fails at any confidence; what is
// only inferred, or not known, proves nothing, but for the inactive set of NY.
var complianceRules = []rule{
	{fail, "the call failed with NOT_FOUND: the register was read, and it has no such license."},
	{unverified, "the call failed otherwise; give its code and message."},
	{fail, "record.status is not ACTIVE and record.inferred does not name status: the source reports it, whatever the confidence."},
	{fail, "the state is NY, record.status is EXPIRED and record.inferred names status: the license is in the state's inactive set " +
		"(expired or revoked), whatever the confidence."},
	{unverified, "_verifiability.extraction_confidence is below 0.90 or _verifiability.complete is false; notes say why."},
	{unverified, "record.inferred or record.not_reported names status: the source does not print it."},
	{fail, "record.expiration_date is null or in the past."},
	{conditional, "a suspension is open: its start_date is null or not after today, and its end_date is null or not in the past."},
	{pass, "record.status is ACTIVE, the license has not expired, and no suspension is open."},
}

// listRules writes one line for each rule, such as "   a. UNVERIFIED: the call failed …".
func listRules(rules []rule) string {
	var b strings.Builder
	for i, r := range rules {
		fmt.Fprintf(&b, "   %c. %s: %s\n", 'a'+i, r.verdict, r.when)
	}
	return b.String()
}
