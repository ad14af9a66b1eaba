package api

import (
	"assay.dev/contracts"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
)

// exampleFound are the matches of the example.
func exampleFound() (lines.File[customers.Line], []contracts.Match, []contracts.RegisterEdition) {
	file := readExample(customers.Schema, "matchCustomers", "application/x-ndjson")
	candidate := contracts.MatchCandidate{
		LicenseNumber: "400000", LicenseTypeCode: "41", DBAName: "BLUE HERON CAFE", OwnerName: "COPPER KETTLE FOODS LP", ExpirationDate: "2027-04-30",
		Address: contracts.Address{Street: "812 MAIN ST", City: "NAPA", State: "CA", ZipCode: "94559", County: "NAPA", Raw: "812 MAIN ST, NAPA, CA 94559"},
		Score:   1, Reasons: []string{"the trade name is the same", "the address is the same"},
	}
	other := candidate
	other.Score, other.Reasons = 0.7, []string{"the trade name has further words: CAFE", "the street is the same, the number of the house is not"}
	return file, []contracts.Match{
			{Outcome: contracts.Matched, Candidates: []contracts.MatchCandidate{candidate}},
			{Outcome: contracts.Review, Reason: "The best candidate does not fit in both name and address without a slip.", Candidates: []contracts.MatchCandidate{other}},
			{Outcome: contracts.NoMatch, Reason: "No license of the copy fits by number, by address, or by name in that city or ZIP code."},
		}, []contracts.RegisterEdition{{
			State: contracts.CA, ReadAt: exampleMoment, PublishedAt: &exampleMoment, Licenses: 116_000,
			Misses: "The daily export lists living licenses only: canceled, expired and revoked ones are missing from it.",
			Evidence: []contracts.Evidence{{
				SHA256: exampleHash, URL: "https://www.abc.ca.gov/wp-content/uploads/DailyExport-CSV.zip", Role: contracts.RoleFile, At: "b17",
			}},
		}}
}

func matchExamples() map[string]any {
	file, found, editions := exampleFound()
	body := CustomerMatches{Totals: customers.NewTotals(editions)}
	for i := range file.Lines {
		body.Results = append(body.Results, customers.NamedMatch{MatchResult: body.Totals.Add(&file.Lines[i], found[i])})
	}
	price := contracts.ABC.UnitPrice() / 10
	return map[string]any{"three customers": body, "a dry run": LinesQuote{DryRun: true, Lines: 3, Resolved: 2, LinePrice: price, Price: 2 * price, LivePrice: 2 * price}}
}
