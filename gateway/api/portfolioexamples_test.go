package api

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/portfolio"
)

var (
	examplePortfolioEntry = kept.PortfolioEntry{Name: "napa", Licenses: 2, UpdatedAt: exampleMoment, Confirm: kept.Daily}
	exampleConfirming     = NewConfirming(contracts.Live, kept.Daily, exampleLicenses)
	exampleLicenses       = []portfolio.License{{State: contracts.CA, LicenseNumber: "400000", Label: "C1"}, {State: contracts.IL, LicenseNumber: "1A-1143621"}}
	examplePortfolioKept  = PortfolioKept{examplePortfolioEntry, []string{`line 4: state: want one of [CA TX NY FL IL]`}, exampleConfirming}
)

func exampleMembers() []PortfolioMember {
	record := func(state contracts.State, number string, inferred ...string) contracts.LicenseAnswer {
		return contracts.LicenseAnswer{
			Provenance: contracts.Provenance{Complete: true}, Tally: contracts.Tally{Clean: 8 - len(inferred), Required: 8}, State: state,
			Record: &contracts.LicenseRecord{
				LicenseNumber: number, LicenseTypeCode: "41", DBAName: "BLUE HERON CAFE", OwnerName: "COPPER KETTLE FOODS LP", ExpirationDate: "2027-04-30",
				Status: contracts.Active, Address: contracts.Address{City: "NAPA"}, NotReported: contracts.Members{"suspensions"}, Inferred: inferred,
			},
		}
	}
	member := func(l portfolio.License, a contracts.LicenseAnswer, at *time.Time) PortfolioMember {
		m := contracts.MemberOf(a, "2026-09-18")
		return PortfolioMember{State: l.State, Label: l.Label, Member: m, ReadAt: at, Delivery: exampleDelivery(l.State, m.LicenseTypeCode, m.Judgement).Verdict}
	}
	return []PortfolioMember{
		member(exampleLicenses[0], record(contracts.CA, "400000"), &exampleMoment),
		member(exampleLicenses[1], record(contracts.IL, "1A-1143621", "status"), &exampleMoment),
	}
}

func portfolioExamples() map[string]any {
	_, _, editions := exampleFound()
	return map[string]any{"two licenses": Portfolio{
		Name: "napa", UpdatedAt: exampleMoment, Licenses: exampleMembers(), Editions: editions, Confirm: kept.Daily, Costs: exampleConfirming,
		Verdicts: map[contracts.LicenseVerdict]int{contracts.Pass: 1, contracts.Conditional: 0, contracts.Fail: 0, contracts.Unverified: 1},
	}}
}

func stopsExamples() map[string]any {
	_, _, editions := exampleFound()
	body := Stops{Name: "napa", Verdicts: noDeliveries(), Editions: editions, Stops: []StoppedDelivery{}}
	body.Verdicts[contracts.DeliveryUnverified], body.Verdicts[contracts.Deliver] = 1, 1
	for _, m := range exampleMembers()[1:] {
		body.Stops = append(body.Stops, StoppedDelivery{m.State, m.Label, m.LicenseNumber, m.holder(), exampleDelivery(m.State, m.LicenseTypeCode, m.Judgement)})
	}
	return map[string]any{"one license": body}
}
