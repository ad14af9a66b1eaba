package api

import (
	"context"
	"iter"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
)

// matching is the endpoint that finds the licenses of customers (contract §4.17).
var matching = &Endpoint{
	Path: "/v1/abc/match", ID: "matchCustomers", Method: "POST", LinePriced: true,
	Summary: "The licenses of your customers, from names and addresses",
	Description: "Each line is a customer and is looked for in the newest copy of its state's register. MATCHED: one license is the customer's, by its " +
		"number or by address and name. REVIEW: a person decides between at most 5 candidates, whose reasons say what fits. NONE: nothing in the " +
		"copy fits; editions says what the copy misses. UNRESOLVED: there is no copy just now. " +
		"At most 10,000 lines and 5 MB; the answer has the form of the body, in its order, and ends with totals. MATCHED and REVIEW are charged. A " +
		"repetition of the same body with the same Idempotency-Key within 24 hours is charged once. With columns=auto a file is read as it was exported.",
	Parameters: linesParameters,
	Upload:     linesUpload("outcome", customers.Schema, exampleCustomers, exampleMatches),
	Bodies:     bodyTypes[CustomerMatches, LinesQuote](),
	Failures:   []*Failure{MalformedBody, NotAcceptable, UnsupportedMediaType},
	Examples:   matchExamples,
	Answer:     matchCustomers,
}

// CustomerMatches is the body of a matched list in JSON.
type CustomerMatches struct {
	Results []customers.NamedMatch `json:"results"`
	Totals  customers.MatchTotals  `json:"totals"`
	lines.Matched
}

// matchCustomers finds the licenses of the body's customers.
func matchCustomers(ctx context.Context, a *API, r *Request) (Reply, error) {
	file, err := linesOf(r, customers.Schema)
	if err != nil {
		return Reply{}, err
	}
	found, editions, err := a.findLicenses(ctx, r.Environment, file.Lines)
	if err != nil {
		return Reply{}, err
	}
	return answerLines(r, file, a.Matching, func(o lines.Output, seen func(contracts.MatchOutcome)) iter.Seq[lines.Piece] {
		return customers.Pieces(o, file, found, editions, seen)
	})
}

// findLicenses asks the workers of the states for the customers' licenses. A state whose copy cannot be asked makes its customers UNRESOLVED;
// the error is for none that can.
func (a *API) findLicenses(ctx context.Context, env contracts.Environment, all []customers.Line) ([]contracts.Match, []contracts.RegisterEdition, error) {
	found := make([]contracts.Match, len(all))
	q := copyQuestion[contracts.MatchAnswer]{span: "match.ask", most: contracts.MaxCustomers, of: map[contracts.State][]int{}}
	for i := range all {
		if l := &all[i]; len(l.Errors) == 0 {
			q.of[l.State] = append(q.of[l.State], i)
		}
	}
	q.ask = func(state contracts.State, chunk []int) (contracts.Subject, any) {
		r := contracts.MatchRequest{State: state}
		for _, i := range chunk {
			r.Customers = append(r.Customers, all[i].Customer)
		}
		return contracts.MatchSubject(env, state), r
	}
	q.take = func(answer contracts.MatchAnswer, chunk []int) (contracts.RegisterEdition, error) {
		if len(answer.Matches) != len(chunk) {
			return answer.Edition, errNoCopy
		}
		for k, i := range chunk {
			found[i] = answer.Matches[k]
		}
		return answer.Edition, nil
	}
	q.miss = func(state contracts.State, i int) {
		found[i] = contracts.Match{Outcome: contracts.Unresolved, Reason: "there is no copy of the register of " + string(state) + " just now; send this line again later"}
	}
	editions, err := askCopies(ctx, a, q)
	return found, editions, err
}

// exampleCustomers are the columns of a list's example, and three lines of it.
var exampleCustomers = [][]string{
	{"id", "name", "street", "city", "zip", "state"},
	{"C1", "The Blue Heron Cafe", "812 Main Street", "Napa", "94559", "CA"},
	{"C2", "Blue Heron", "218 Main St", "Napa", "94559", "CA"},
	{"C3", "Corner Shop", "1 Elm St", "Napa", "94559", "CA"},
}

// exampleFound are the matches of the example.
func exampleFound() (lines.File[customers.Line], []contracts.Match, []contracts.RegisterEdition) {
	text := exampleUpload(exampleCustomers)(Form{MediaType: "application/x-ndjson"}).(string)
	file, err := customers.Schema.Read(lines.NDJSON, []byte(text), lines.Reading{})
	if err != nil {
		panic(err) // the example is ours: a test sees it
	}
	candidate := contracts.MatchCandidate{
		LicenseNumber: "400000", LicenseTypeCode: "41", DBAName: "BLUE HERON CAFE", OwnerName: "COPPER KETTLE FOODS LP", ExpirationDate: "2027-04-30",
		Address: contracts.Address{Street: "812 MAIN ST", City: "NAPA", State: "CA", ZipCode: "94559", County: "NAPA", Raw: "812 MAIN ST, NAPA, CA 94559"},
		Score:   1, Reasons: []string{"the trade name is the same", "the address is the same"},
	}
	other := candidate
	other.Score, other.Reasons = 0.7, []string{"the trade name has further words: CAFE", "the street is the same, the number of the house is not"}
	read := time.Date(2026, 9, 18, 14, 2, 11, 0, time.UTC)
	return file, []contracts.Match{
			{Outcome: contracts.Matched, Candidates: []contracts.MatchCandidate{candidate}},
			{Outcome: contracts.Review, Reason: "The best candidate does not fit in both name and address without a slip.", Candidates: []contracts.MatchCandidate{other}},
			{Outcome: contracts.NoMatch, Reason: "No license of the copy fits by number, by address, or by name in that city or ZIP code."},
		}, []contracts.RegisterEdition{{
			State: contracts.CA, ReadAt: read, PublishedAt: &read, Licenses: 116_000,
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
	return map[string]any{"three customers": body, "a dry run": LinesQuote{DryRun: true, Lines: 3, Resolved: 2, LinePrice: price, Price: 2 * price}}
}

// exampleMatches is the example's reply in a form of text.
func exampleMatches(f Form) string {
	file, found, editions := exampleFound()
	return string(lines.Whole(customers.Pieces(lines.Output{Format: lineFormats[f.MediaType]}, file, found, editions, func(contracts.MatchOutcome) {})).Text)
}
