package mcp

import (
	"fmt"
	"strings"

	"assay.dev/contracts"
)

// verdict is what a prompt asks a model to end with.
type verdict string

// The verdicts of an audit. Those on licenses are package contracts'.
const (
	match       verdict = "MATCH"
	discrepancy verdict = "DISCREPANCY"
	unverified          = verdict(contracts.Unverified)
	fail                = verdict(contracts.Fail)
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
	{unverified, "results has a line whose verdict is UNRESOLVED or INVALID: its reason says why the rate of that day is " +
		"not proven, such as WORDING_UNKNOWN, WORDING_CHANGED, WEEKS_CONTRADICTED or PERCENT_IN_DOUBT: nobody vouches for " +
		"what the carrier's page says now."},
	{match, "totals.verdicts counts one MATCH, or the line of results is WITHIN_TOLERANCE: it " +
		"differs by 0.5 points or less."},
	{discrepancy, "the line of results has any other verdict: its reason says what is wrong."},
}

// failureRules are the verdicts on a license after a call that failed. An answer has its verdict itself.
var failureRules = []rule{
	{fail, "the call failed with NOT_FOUND and the reason LICENSE_ABSENT or TYPE_ABSENT: the register was read, " +
		"and it has no such license."},
	{unverified, "the call failed otherwise; give its code and message."},
}

// listRules writes one line for each rule, such as "   a. UNVERIFIED: the call failed …".
func listRules(rules []rule) string {
	var b strings.Builder
	for i, r := range rules {
		fmt.Fprintf(&b, "   %c. %s: %s\n", 'a'+i, r.verdict, r.when)
	}
	return b.String()
}
