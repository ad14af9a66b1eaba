package customers_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
)

// The row of a REVIEW holds what a person decides by, and no spreadsheet takes it for a formula.
func TestCandidatesAreToldInTheirRow(t *testing.T) {
	t.Parallel()
	file, err := customers.Schema.Read(t.Context(), lines.CSV, []byte("id,name,city,state\n7,BLUE BAR,NAPA,CA\n"), lines.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	candidate := func(number, dba, owner string) contracts.MatchCandidate {
		return contracts.MatchCandidate{
			LicenseNumber: number, DBAName: dba, OwnerName: owner, Address: contracts.Address{Raw: "1 ELM ST, NAPA"}, Score: 0.6,
			Reasons: []string{"the name is the same", "no street was given"},
		}
	}
	found := []contracts.Match{{Outcome: contracts.Review, Reason: "Several.", Candidates: []contracts.MatchCandidate{
		candidate("=1+1", `THE "BLUE" BAR`, "X"), candidate("400538", "", "BLUE LLC"),
	}}}
	text := lines.Whole(customers.Pieces(lines.Output{Format: lines.CSV}, file, found, nil, func(contracts.MatchOutcome) {})).Text
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v: %s", err, text)
	}
	const want = `'=1+1 THE "BLUE" BAR, 1 ELM ST, NAPA (0.60: the name is the same; no street was given)` +
		` | 400538 BLUE LLC, 1 ELM ST, NAPA (0.60: the name is the same; no street was given)`
	if got := rows[1][slices.Index(rows[0], "candidates")]; got != want {
		t.Errorf("candidates are %s", got)
	}
}
