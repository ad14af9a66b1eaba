package mcp

import (
	"encoding/json"
	"net/http"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
)

// cost is what an answer cost the caller in US dollars. Answers to test keys are free, and so are lines that were
// charged before.
func (t *tool) cost(h http.Header, body []byte) json.Number {
	var price contracts.Price
	isReplayed := h.Get(api.HeaderReplayed) == "true"
	if contracts.Environment(h.Get("Assay-Environment")) == contracts.Live && !isReplayed {
		switch {
		case t.LinePriced:
			price = linesPrice(h, body)
		case t.Billable:
			price = t.Product.UnitPrice()
		}
	}
	return json.Number(price.String())
}

// linesPrice is the price of an audit's lines: of each that was resolved, what the reply's header says.
func linesPrice(h http.Header, body []byte) (price contracts.Price) {
	var audited struct{ Totals audit.Totals }
	if price.UnmarshalText([]byte(h.Get(api.HeaderLinePrice))) != nil || json.Unmarshal(body, &audited) != nil {
		return 0
	}
	return price * contracts.Price(audited.Totals.Resolved())
}
