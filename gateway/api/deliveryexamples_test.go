package api

import (
	"assay.dev/contracts"
	"assay.dev/gateway/deliveries"
	"assay.dev/gateway/lines"
)

// exampleDelivery is a verdict of the examples, where no list was put.
func exampleDelivery(s contracts.State, typed string, j contracts.Judgement) contracts.Delivery {
	return contracts.DeliveryAsked{State: s, License: j, Type: typed, On: "2026-09-18", Beverages: []contracts.Beverage{contracts.Wine}, Now: exampleMoment}.Judge()
}

func checkedExamples() map[string]any {
	l := exampleLicense(nil)
	return map[string]any{"a list is missing": contracts.CheckedDelivery{
		State: l.State, LicenseNumber: l.LicenseNumber, On: "2026-09-18", Beverage: contracts.Wine, Delivery: exampleDelivery(l.State, l.Record.LicenseTypeCode, l.Judgement),
		Record: l.Record, Verifiability: l.Verifiability,
	}}
}

// exampleJudgements are the lines of the example, and what becomes of them.
func exampleJudgements() (lines.File[deliveries.Line], []deliveries.Judged, []contracts.RegisterEdition) {
	file := readExample(deliveries.Schema, "checkDeliveries", "application/x-ndjson")
	var judged []deliveries.Judged
	for _, m := range exampleMembers() {
		judged = append(judged, deliveries.Judged{On: "2026-09-18", Holder: m.holder(), Delivery: exampleDelivery(m.State, m.LicenseTypeCode, m.Judgement)})
	}
	_, _, editions := exampleFound()
	return file, judged, editions
}

func judgedExamples() map[string]any {
	file, judged, editions := exampleJudgements()
	body := Deliveries{Totals: deliveries.NewTotals(editions)}
	for i := range file.Lines {
		body.Results = append(body.Results, deliveries.NamedResult{Result: body.Totals.Add(&file.Lines[i], judged[i])})
	}
	price := contracts.ABC.UnitPrice() / 10
	return map[string]any{"two deliveries": body, "a dry run": LinesQuote{DryRun: true, Lines: 2, Resolved: 1, LinePrice: price, Price: price, LivePrice: price}}
}
