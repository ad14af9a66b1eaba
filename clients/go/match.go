package client

import (
	"context"
	"encoding/json"
	"net/http"

	"assay.dev/contracts"
)

// CustomerLine is a customer whose license is looked for. Give the license number, or the name with an address.
type CustomerLine struct {
	ID    string          `json:"id"`
	State contracts.State `json:"state"`
	contracts.Customer
}

// Matches is what the API says of customers (contract §4.17), in their order.
type Matches struct {
	Results []MatchResult `json:"results"`
	Totals  MatchTotals   `json:"totals"`
}

// MatchResult is what became of a customer: the license where it is MATCHED, and what a person may decide between where
// it is REVIEW.
type MatchResult struct {
	ID         string                     `json:"id"`
	State      contracts.State            `json:"state"`
	Outcome    contracts.MatchOutcome     `json:"outcome"`
	License    *contracts.MatchCandidate  `json:"license"`
	Candidates []contracts.MatchCandidate `json:"candidates"`
	Reason     *string                    `json:"reason"`
	Errors     []string                   `json:"errors"`
}

// MatchTotals sum the results, and name the copies of the registers that were looked in.
type MatchTotals struct {
	Lines    int                            `json:"lines"`
	Outcomes map[contracts.MatchOutcome]int `json:"outcomes"`
	Editions []contracts.RegisterEdition    `json:"editions"`
}

// Match finds the licenses of customers. The same customers are charged once within 24 hours.
func (c *Client) Match(ctx context.Context, customers []CustomerLine) (*Answer[Matches], error) {
	return askLines(ctx, c, "/v1/abc/match", customers, func(m Matches) int { return len(m.Results) })
}

// askLines has a list answered line by line; results counts the lines of an answer.
func askLines[T, L any](ctx context.Context, c *Client, path string, all []L, results func(T) int) (*Answer[T], error) {
	body, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	a, err := ask[T](ctx, c, linesRequest(path, AuditJSON, body, nil, ""))
	if err == nil && results(a.Body) != len(all) {
		return nil, &ForeignError{URL: c.base, Status: http.StatusOK}
	}
	return a, err
}
