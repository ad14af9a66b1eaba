package api

import (
	"context"
	"encoding/json"
	"slices"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// Verify has a worker read the documents of an answer again, for a key with those products. PRODUCT_NOT_ENABLED where
// the answer is of another product.
func (a *API) Verify(
	ctx context.Context, env contracts.Environment, products []contracts.Product, answer json.RawMessage,
) (contracts.Verification, error) {
	p := productOfAnswer(answer)
	if !slices.Contains(products, p) {
		return contracts.Verification{}, contracts.Errorf(contracts.ProductNotEnabled,
			"this answer is of the %s product, which this key is not subscribed to", p)
	}
	return answers.Ask[contracts.Verification](ctx, a.Answers, contracts.VerifySubject(env, p),
		contracts.VerifyRequest{Answer: answer}, SlowMaxTime)
}

// productOfAnswer finds out which product's worker has to verify an answer. It refuses JSON that is no answer.
func productOfAnswer(answer []byte) contracts.Product {
	var members struct {
		Record, Query, Detail json.RawMessage
	}
	if json.Unmarshal(answer, &members) == nil &&
		(members.Record != nil || members.Query != nil || members.Detail != nil) {
		return contracts.ABC
	}
	return contracts.LTL
}
