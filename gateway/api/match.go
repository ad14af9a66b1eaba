package api

import (
	"context"
	"iter"

	"assay.dev/contracts"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/lines"
)

// matching is the endpoint that finds the licenses of customers (contract §4.17).
var matching = &Endpoint{
	Path: "/v1/abc/match", ID: "matchCustomers", Method: "POST", LinePriced: true,
	Summary: "The licenses of your customers, from names and addresses",
	Description: "Each line is a customer and is looked for in the newest copy of its state's register. MATCHED: one " +
		"license is the customer's, by its number or by address and name. REVIEW: a person decides between at most 5 " +
		"candidates, whose reasons say what fits. NONE: nothing in the copy fits; editions says what the copy misses. " +
		"UNRESOLVED: there is no copy just now. At most 10,000 lines and 5 MB; the answer has the form of the body, in its " +
		"order, and ends with totals. MATCHED and REVIEW are charged.",
	Parameters: linesParameters,
	Upload:     linesUpload("outcome", customers.Schema),
	Bodies:     bodyTypes[CustomerMatches, LinesQuote](),
	Failures:   []*Failure{MalformedBody, NotAcceptable, UnsupportedMediaType},
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
	file, err := linesOf(ctx, r, customers.Schema)
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

// findLicenses asks the workers of the states for the customers' licenses. A state whose copy cannot be asked makes its
// customers UNRESOLVED; the error is for none that can.
func (a *API) findLicenses(ctx context.Context, env contracts.Environment, all []customers.Line) ([]contracts.Match,
	[]contracts.RegisterEdition, error) {
	found := make([]contracts.Match, len(all))
	q := copyQuestion[contracts.MatchAnswer]{span: "match.ask", most: contracts.MaxCustomers,
		of: map[contracts.State][]int{}}
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
		found[i] = contracts.Match{Outcome: contracts.Unresolved,
			Reason: "there is no copy of the register of " + string(state) + " just now; send this line again later"}
	}
	editions, err := askCopies(ctx, a, q)
	return found, editions, err
}
